"""What a model asks for: actions, the specs it chooses from, and the table of native names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from agenthost_sdk.errors import NativeNameError, NotFoundError

#: What both large providers accept as a tool's name (OpenAI: function calling reference).
NATIVE_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")

#: The longest native name.
NATIVE_NAME_LENGTH = 64


@dataclass(frozen=True)
class Annotations:
    """What an activity says of itself; None means that its author did not say.

    The four are hints of the tool's author. The host lets a read-only activity run unasked.
    """

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None

    def to_dict(self) -> dict[str, bool]:
        """Return those that are stated."""
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True)
class Example:
    """A question and the input that answers it; shown to weak models, checked by the kit."""

    question: str
    input: Mapping[str, Any]


@dataclass(frozen=True)
class ToolSpec:
    """One activity as dialects and drivers see it, free of any provider's form."""

    native: str
    name: str
    path: str | None
    description: str
    schema: Mapping[str, Any]
    examples: tuple[Example, ...] = ()
    annotations: Annotations = Annotations()
    timeout: float | None = None
    #: Where it comes from, such as "agenthost-plugin-calculator"; "" for an application's own.
    origin: str = ""


@dataclass(frozen=True)
class ToolAction:
    """One action of a model: which activity to run, on which input, and what came of it.

    `output` is None until the action was answered. An action that could not be read, resolved
    or validated bears an `ErrorArtifact` there and is never run. `tag` is the model's name for
    the action (a provider's call id) and is unique within a reply.
    """

    tag: str
    name: str
    path: str | None = None
    input: Mapping[str, Any] = field(default_factory=dict)
    output: BaseArtifact | None = None
    #: What was set right before the action could be used, such as "q: null left out".
    repairs: tuple[str, ...] = ()

    @property
    def native(self) -> str:
        """The native name, as far as the action is known."""
        return native_name(self.name, self.path)

    @property
    def failed(self) -> bool:
        """Whether the action was answered by an error."""
        return isinstance(self.output, ErrorArtifact)

    def with_output(self, output: BaseArtifact) -> ToolAction:
        """Return the same action, answered."""
        return replace(self, output=output)

    def to_dict(self) -> dict[str, Any]:
        """Return tag, name, path and input, as the text dialects and the records show them."""
        shown: dict[str, Any] = {"tag": self.tag, "name": self.name}
        if self.path is not None:
            shown["path"] = self.path
        return {**shown, "input": dict(self.input)}


@dataclass(frozen=True)
class ActionArtifact(BaseArtifact):
    """An action as a value: a call while it has no output, a result once it has."""

    value: ToolAction

    def to_text(self) -> str:
        """Return the native name and the input."""
        return f"{self.value.native}({dict(self.value.input)})"

    def to_json(self) -> dict[str, Any]:
        """Return the action as an object."""
        return self.value.to_dict()


def native_name(name: str, path: str | None) -> str:
    """Return `name_path` where providers accept it, else a stable short form with a hash.

    The short form keeps the legal characters and ends in eight hex digits of the SHA-256 of the
    full name, so that two foreign names that differ only in odd characters stay apart.
    """
    full = name if path is None else f"{name}_{path}"
    if NATIVE_NAME.match(full):
        return full
    digest = hashlib.sha256(full.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    legal = re.sub(r"[^a-zA-Z0-9_-]", "_", full)[: NATIVE_NAME_LENGTH - 9]
    return f"{legal}_{digest}"


def check_native_name(name: str, path: str, origin: str = "") -> str:
    """Return the native name of a plugin's activity, or refuse it in words for its author."""
    native = f"{name}_{path}"
    if NATIVE_NAME.match(native):
        return native
    of = f" of {origin}" if origin else ""
    if len(native) > NATIVE_NAME_LENGTH:
        fault = f"has {len(native)} characters; providers take {NATIVE_NAME_LENGTH} at most"
    else:
        odd = sorted(set(re.sub(r"[a-zA-Z0-9_-]", "", native)))
        fault = f"contains {', '.join(map(repr, odd))}; use ASCII letters, digits, '_' and '-'"
    raise NativeNameError(
        f"The native name {native!r} of tool {name!r}, activity {path!r}{of} {fault}."
        " Rename the tool (name=…) or the activity (@activity(name=…))."
    )


class NativeNames:
    """The table that resolves native names; it never splits one.

    It is made once for a set of tools and does not change.

    Args:
        specs: The activities on offer. Two that claim one native name raise `NativeNameError`,
            which names the origin of both.
    """

    def __init__(self, specs: Iterable[ToolSpec] = ()) -> None:
        self.specs: dict[str, ToolSpec] = {}
        for spec in specs:
            self._add(spec)
        self._by_pair = {(spec.name, spec.path): spec for spec in self.specs.values()}
        self._folded = _folded(self.specs)

    def _add(self, spec: ToolSpec) -> None:
        earlier = self.specs.setdefault(spec.native, spec)
        if earlier is not spec:
            raise NativeNameError(
                f"{_titled(earlier)} and {_titled(spec)} both map to {spec.native!r}."
                " Rename one of them, or leave one out."
            )

    def __len__(self) -> int:
        return len(self.specs)

    def resolve(self, native: str) -> ToolSpec:
        """Return what the native name stands for.

        White space round it, a leading `functions.`, another case or `-` and `.` for `_` are
        taken as meant where exactly one tool fits.

        Raises:
            NotFoundError: No tool fits, or more than one does; it names the nearest.
        """
        spec = self.specs.get(native) or self._meant(native)
        if spec is None:
            raise NotFoundError("tool", native, self.specs)
        return spec

    def _meant(self, native: str) -> ToolSpec | None:
        fitting = self._folded.get(_fold(native.strip().removeprefix("functions.")), [])
        return fitting[0] if len(fitting) == 1 else None

    def find(self, name: str, path: str | None) -> ToolSpec:
        """Return the activity `path` of the tool `name`, as the text dialects name it.

        Raises:
            NotFoundError: There is no such tool, or the tool has no such activity.
        """
        spec = self._by_pair.get((name, path))
        if spec is not None:
            return spec
        paths = [known or "" for tool, known in self._by_pair if tool == name]
        if path and paths:
            raise NotFoundError(f"activity of {name}", path, paths)
        if len(paths) == 1:
            return self._by_pair[(name, paths[0])]
        if paths:
            raise NotFoundError(f"activity of {name}", path or "", paths)
        return self.resolve(native_name(name, path))


def native_specs(pairs: Iterable[tuple[str, str | None]]) -> list[ToolSpec]:
    """Return bare specs for pairs of tool and path, for tables that only need the names."""
    empty: dict[str, Any] = {"type": "object", "properties": {}}
    return [ToolSpec(native_name(name, path), name, path, "", empty) for name, path in pairs]


def _folded(specs: Mapping[str, ToolSpec]) -> dict[str, list[ToolSpec]]:
    folded: dict[str, list[ToolSpec]] = {}
    for native, spec in specs.items():
        folded.setdefault(_fold(native), []).append(spec)
    return folded


def _fold(native: str) -> str:
    return re.sub(r"[-.\s/:]+", "_", native).casefold()


def _titled(spec: ToolSpec) -> str:
    of = f" of {spec.origin}" if spec.origin else ""
    path = f", activity {spec.path!r}" if spec.path is not None else ""
    return f"tool {spec.name!r}{path}{of}"
