"""Decide whether an action may run: allowed, refused, or a matter to ask about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.errors import SettingsError


@dataclass(frozen=True)
class Decision:
    """What was decided of an action; `reason` is words for the model where it was refused."""

    allowed: bool
    reason: str = ""


#: Asks a person about an action, and returns what they decided.
Approver = Callable[[ToolAction, ToolSpec], Decision]


@dataclass(frozen=True)
class Permissions:
    """The rules for actions. A denied one is refused; after that, what is allowed or only reads
    runs; all else is asked about, and refused where nobody is there to ask.

    Args:
        allow: Patterns of native names that run unasked, such as "Files_*".
        deny: Patterns of native names that never run.
        allow_all: Let everything run that is not denied (`--yes`).
        approver: Asks a person.
    """

    allow: Sequence[str] = ()
    deny: Sequence[str] = ()
    allow_all: bool = False
    approver: Approver | None = None

    def __post_init__(self) -> None:
        for name in ("allow", "deny"):
            if isinstance(getattr(self, name), str):  # each of its letters would be a pattern
                raise SettingsError(
                    f"{name} is the text {getattr(self, name)!r}; write a list of patterns."
                )

    def decide(self, spec: ToolSpec) -> Decision | None:
        """Return what the rules say of an activity; None where a person is to be asked."""
        denied_by = _matching(spec.native, self.deny)
        if denied_by is not None:
            words = f"{spec.native} is not allowed here: the rule {denied_by!r} denies it."
            return Decision(False, words)
        if self.allow_all or _only_reads(spec) or _matching(spec.native, self.allow) is not None:
            return Decision(True)
        if self.approver is None:
            return Decision(False, unasked(spec))
        return None


#: What a task has whose tools were given to it in code: the application chose them.
OPEN = Permissions(allow_all=True)


def unasked(spec: ToolSpec) -> str:
    """Return the words for an action that needs a person's yes where nobody can be asked."""
    return (
        f"{spec.native} was not run: it may change something, and there is no terminal to ask on."
        f" Whoever started this run can allow it with --allow {spec.native} or --yes, or with"
        f' allow = ["{spec.native}"] under [permissions] in agenthost.toml.'
    )


def _only_reads(spec: ToolSpec) -> bool:
    return spec.annotations.read_only is True and not spec.annotations.destructive


def _matching(native: str, patterns: Sequence[str]) -> str | None:
    return next((pattern for pattern in patterns if fnmatchcase(native, pattern)), None)
