"""What a model asks for: actions, the specs it chooses from, and the table of native names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
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

    The four are hints of the tool's author. The host lets an activity run unasked that only reads,
    destroys nothing and stays on this machine.
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
        full = self.name if self.path is None else f"{self.name}_{self.path}"
        return full if NATIVE_NAME.match(full) else native_name(self.name, self.path)

    @property
    def failed(self) -> bool:
        """Whether the action was answered by an error."""
        return isinstance(self.output, ErrorArtifact)

    def with_output(self, output: BaseArtifact) -> ToolAction:
        """Return the same action, answered."""
        return ToolAction(self.tag, self.name, self.path, self.input, output, self.repairs)

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


@dataclass(frozen=True)
class Meant:
    """The activity that a name stands for; `repair` says what was set right to find it."""

    spec: ToolSpec
    repair: str = ""


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
        """Return what the native name stands for, as `meant_by` finds it; it raises the same."""
        return self.meant_by(native).spec

    def find(self, name: str, path: str | None) -> ToolSpec:
        """Return the activity `path` of the tool `name`, as `meant` does; it raises the same."""
        spec = self._by_pair.get((name, path))
        return self.meant(name, path).spec if spec is None else spec

    def meant_by(self, native: str) -> Meant:
        """Return what a native name stands for, as models write it.

        White space, quotes and brackets round it, a leading `functions.`, another case or
        separator are taken as meant where exactly one tool fits.

        Raises:
            NotFoundError: No tool fits, or more than one does; it names the nearest.
        """
        spec = self.specs.get(native)
        if spec is not None:
            return Meant(spec)
        bare = _bare(native)
        fitting = self._only(bare)
        if fitting is None:
            raise NotFoundError("tool", bare[:_SHOWN], self.specs)
        return Meant(fitting, _repair(native, None, fitting))

    def meant(self, name: str, path: str | None = None) -> Meant:
        """Return what a tool's name and an activity's path stand for, as models write them.

        The path may be left out where the tool has one activity, the name where one tool alone
        has that activity; either may be the native name; case, separators and what stands round
        them are treated as by `meant_by`.

        Raises:
            NotFoundError: There is no such tool, or the tool has no such activity.
        """
        spec = self._by_pair.get((name, path)) or (None if path else self.specs.get(name))
        if spec is not None:
            return Meant(spec)
        spec = self._looked_up(name, path)
        if spec is None:
            raise self._unknown(name, path)
        return Meant(spec, _repair(name, path, spec))

    def knows(self, name: str, path: str | None = None) -> bool:
        """Return whether a name and a path stand for one activity."""
        return (name, path) in self._by_pair or self._looked_up(name, path) is not None

    def _looked_up(self, name: str, path: str | None) -> ToolSpec | None:
        return self._written(name, path) if path else self._unpathed(name)

    def _written(self, name: str, path: str) -> ToolSpec | None:
        """Find what a name and a path mean together; either may be the whole native name."""
        tool, activity = _squash(_bare(name)), _squash(_bare(path))
        for whole in (f"{_bare(name)}_{_bare(path)}", name, path):
            spec = self.specs.get(whole) or self._only(_bare(whole))
            if spec is not None and _is_named(spec, tool, activity):
                return spec
        return None

    def _unpathed(self, name: str) -> ToolSpec | None:
        """Find what a name means alone: a native name, or a tool that has one activity."""
        if name in self.specs:
            return self.specs[name]
        bare = _bare(name)
        for fitting in (self._activities(name), self._by_path.get(_squash(bare), ())):
            if len(fitting) == 1:
                return fitting[0]
        return self._only(bare)

    def _activities(self, name: str) -> list[ToolSpec]:
        """Return the activities of the tool of that name, or of the one it is meant for."""
        alike = self._by_tool.get(_squash(_bare(name)), [])
        exact = [spec for spec in alike if spec.name == name]
        return exact or (alike if len({spec.name for spec in alike}) == 1 else [])

    def _unknown(self, name: str, path: str | None) -> NotFoundError:
        activities = self._activities(name)
        if activities:
            paths = [spec.path or "" for spec in activities]
            asked = _bare(path or "")[:_SHOWN]
            return NotFoundError(f"activity of {activities[0].name}", asked, paths)
        asked = _bare(name if path is None else f"{name}_{path}")
        return NotFoundError("tool", asked[:_SHOWN], self.specs)

    def _only(self, bare: str) -> ToolSpec | None:
        """Return the one activity whose native name differs in case and separators only."""
        for fold, folded in ((_fold, self._folded), (_squash, self._squashed)):
            fitting = folded.get(fold(bare), ())
            if fitting:
                return fitting[0] if len(fitting) == 1 else None
        return None

    @cached_property
    def _folded(self) -> dict[str, list[ToolSpec]]:
        return _grouped(self.specs.values(), lambda spec: _fold(spec.native))

    @cached_property
    def _squashed(self) -> dict[str, list[ToolSpec]]:
        return _grouped(self.specs.values(), lambda spec: _squash(spec.native))

    @cached_property
    def _by_tool(self) -> dict[str, list[ToolSpec]]:
        return _grouped(self.specs.values(), lambda spec: _squash(spec.name))

    @cached_property
    def _by_path(self) -> dict[str, list[ToolSpec]]:
        pathed = [spec for spec in self.specs.values() if spec.path]
        return _grouped(pathed, lambda spec: _squash(spec.path or ""))


def native_specs(pairs: Iterable[tuple[str, str | None]]) -> list[ToolSpec]:
    """Return bare specs for pairs of tool and path, for tables that only need the names."""
    empty: dict[str, Any] = {"type": "object", "properties": {}}
    return [ToolSpec(native_name(name, path), name, path, "", empty) for name, path in pairs]


#: How much of a name that nothing bears is shown, and how much is looked at.
_SHOWN, _LONGEST = 100, 1000

#: What models put before a name: the namespaces of a provider's own prompt.
_NAMESPACE = re.compile(r"\A(?:(?:functions?|tools?|default_api)[.:/]\s*)+")


def _bare(name: str) -> str:
    """Return a name without what models put round it."""
    name = name.split("<|", 1)[0].strip(" \t\r\n`'\"*")[:_LONGEST]
    return _NAMESPACE.sub("", name.removesuffix("()").strip(), count=1)


def _grouped(
    specs: Iterable[ToolSpec], key: Callable[[ToolSpec], str]
) -> dict[str, list[ToolSpec]]:
    grouped: dict[str, list[ToolSpec]] = {}
    for spec in specs:
        grouped.setdefault(key(spec), []).append(spec)
    return grouped


def _fold(name: str) -> str:
    return re.sub(r"[-.\s/:>]+", "_", name).casefold()


def _squash(name: str) -> str:
    """Fold a name to its letters and digits, so that `stockCount` is `Stock_count`."""
    return re.sub(r"[-_.\s/:>]+", "", name).casefold()


def _is_named(spec: ToolSpec, tool: str, activity: str) -> bool:
    """Return whether a squashed name and path both speak of this activity."""
    whole = _squash(spec.native)
    of_tool = tool in (_squash(spec.name), whole)
    return of_tool and activity in (_squash(spec.path or ""), whole)


def _repair(name: str, path: str | None, spec: ToolSpec) -> str:
    asked = repr(name[:_SHOWN]) if path is None else f"{name[:_SHOWN]!r}, {path[:_SHOWN]!r}"
    return f"the name {asked} was taken as {spec.native!r}"


def _titled(spec: ToolSpec) -> str:
    of = f" of {spec.origin}" if spec.origin else ""
    path = f", activity {spec.path!r}" if spec.path is not None else ""
    return f"tool {spec.name!r}{path}{of}"
