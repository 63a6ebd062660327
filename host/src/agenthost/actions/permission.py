"""Decide whether an action may run: allowed, refused, or a matter to ask about."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase, translate
from functools import cached_property

from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.errors import SettingsError


@dataclass(frozen=True)
class Decision:
    """What was decided of an action; `reason` is words for the model where it was refused."""

    allowed: bool
    reason: str = ""


#: Asks a person about an action, and returns what they decided; it may be async.
Approver = Callable[[ToolAction, ToolSpec], Decision | Awaitable[Decision]]


@dataclass(frozen=True)
class Permissions:
    """The rules for actions. A denied one is refused; after that, what is allowed or only reads
    runs; all else is asked about, and refused where nobody is there to ask.

    Args:
        allow: Patterns of native names that run unasked, such as "Files_*".
        deny: Patterns of native names that never run.
        allow_all: Let everything run that is not denied (`--yes`).
        approver: Asks a person.
        advice: What lets an action run that nobody could be asked about, for who started the run;
            `{native}` in it stands for the action's name.
    """

    allow: Sequence[str] = ()
    deny: Sequence[str] = ()
    allow_all: bool = False
    approver: Approver | None = None
    advice: str = (
        'permissions=Permissions(allow=["{native}"]) lets it run, and allow_all=True every action;'
        ' for a Host also allow = ["{native}"] under [permissions] in agenthost.toml.'
    )

    def __post_init__(self) -> None:
        for name in ("allow", "deny"):
            if isinstance(getattr(self, name), str):  # each of its letters would be a pattern
                raise SettingsError(
                    f"{name} is the text {getattr(self, name)!r}; write a list of patterns."
                )

    def decide(self, spec: ToolSpec) -> Decision | None:
        """Return what the rules say of an activity; None where a person is to be asked."""
        if self._denied.match(spec.native):
            rule = next(rule for rule in self.deny if fnmatchcase(spec.native, rule))
            words = f"{spec.native} is not allowed here: the rule {rule!r} denies it."
            return Decision(False, words)
        if self.allow_all or self._allowed.match(spec.native) or _only_reads(spec):
            return _YES
        if self.approver is None:
            return Decision(False, unasked(spec, self.advice))
        return None

    @cached_property
    def _denied(self) -> re.Pattern[str]:
        return _any_of(self.deny)

    @cached_property
    def _allowed(self) -> re.Pattern[str]:
        return _any_of(self.allow)


#: What a task has whose tools were given to it in code: the application chose them.
OPEN = Permissions(allow_all=True)


def unasked(spec: ToolSpec, advice: str) -> str:
    """Return the words for an action that needs a person's yes where nobody can be asked."""
    return (
        f"{spec.native} was not run: it may change something, and there is nobody to ask."
        f" {advice.replace('{native}', spec.native)}"
    )


def _only_reads(spec: ToolSpec) -> bool:
    """Return whether an activity changes nothing, and sends nothing of what is known out."""
    known = spec.annotations
    return known.read_only is True and not known.destructive and not known.open_world


_YES = Decision(True)


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    """Return what matches a native name that one of the patterns matches; compiled once."""
    return re.compile("|".join(map(translate, patterns)) or _NOTHING)


_NOTHING = r"(?!)"
