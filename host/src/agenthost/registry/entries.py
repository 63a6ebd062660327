"""The rows of the catalog: plugins, and what each of them contributes.

They hold plain JSON values, so that a listing reads them back without importing any plugin; and
they are named tuples, since seven frozen dataclasses would add a tenth to the start-up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self

#: The distribution whose contributions ship with the host.
HOST = "agenthost"

State = Literal["ok", "unset", "failed", "incompatible", "conflict", "disabled"]


class Fault(NamedTuple):
    """Something about a plugin that a person should know."""

    #: "failed" where something in it does not work, "version" where it was made for another host,
    #: "setting" where a setting stops a tool of it, "unset" where a tool waits for a setting,
    #: "conflict" where another plugin has the name, "note" where all works but the plugin does
    #: what it should not.
    kind: Literal["failed", "version", "setting", "unset", "conflict", "note"]
    #: One line: what is wrong and what mends it.
    text: str
    #: The traceback, for `--debug`.
    detail: str = ""
    #: The tool that the setting stops, by the name that settings know it by.
    tool: str = ""
    #: The contribution that does not work, by the name that a person would ask for.
    name: str = ""


class ActivityEntry(NamedTuple):
    """One activity of a tool, as `ToolSpec` has it, in JSON values."""

    native: str
    path: str
    description: str
    schema: Mapping[str, Any]
    annotations: Mapping[str, bool]
    examples: tuple[Mapping[str, Any], ...] = ()
    timeout: float | None = None
    #: Whether the schema depends on the tool's state.
    dynamic: bool = False


class OptionEntry(NamedTuple):
    """An option of a tool, whether or not the tool can be made."""

    #: The tool, by the name that settings know it by.
    tool: str
    name: str
    #: What it takes, as a person reads it.
    type: str
    required: bool
    #: In JSON values; None where there is none.
    default: Any = None
    description: str = ""


class ToolEntry(NamedTuple):
    """A tool, with the activities that are on offer."""

    name: str
    #: The name of its class or factory, by which settings know it.
    key: str
    #: Which of the tools that its plugin gives it is, counted from 0.
    place: int
    description: str
    activities: tuple[ActivityEntry, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the tool as a JSON object."""
        activities = [activity._asdict() for activity in self.activities]
        return {**self._asdict(), "activities": activities}


class DriverEntry(NamedTuple):
    """A prompt driver, with all that choosing one takes."""

    name: str
    description: str
    model: str
    key_env: str | None
    rank: int


class EmbeddingEntry(NamedTuple):
    """An embedding driver."""

    name: str
    description: str
    model: str
    key_env: str | None


class DriversConfigEntry(NamedTuple):
    """A set of drivers."""

    name: str
    description: str
    #: The kinds of drivers that it makes itself, such as "prompt".
    kinds: Sequence[str]


class ValidatorEntry(NamedTuple):
    """An output validator."""

    name: str
    description: str
    #: What stands behind the colon of `NAME:PARAMETERS`; in square brackets where it may be left
    #: out, "" where it takes nothing.
    parameters: str = ""
    #: Parameters as a person may write them; "" where none are known.
    example: str = ""

    @property
    def usage(self) -> str:
        """How it is written, such as "regex:PATTERN"."""
        if self.parameters.startswith("["):
            return f"{self.name}[:{self.parameters[1:]}"
        return f"{self.name}:{self.parameters}" if self.parameters else self.name


class NamedEntry(NamedTuple):
    """A contribution of which no more is known than what it is: a guard, an executor."""

    name: str
    description: str


class CommandEntry(NamedTuple):
    """A command of the command line."""

    name: str
    description: str
    hidden: bool = False


class DialectEntry(NamedTuple):
    """A reply format."""

    name: str
    description: str
    native: bool


class PluginRecord(NamedTuple):
    """One entry point, and what came of asking it.

    A plugin of which something failed keeps the contributions that work.
    """

    name: str
    distribution: str
    version: str
    #: The entry point's value, such as "agenthost_plugin_text".
    value: str
    disabled: bool = False
    faults: tuple[Fault, ...] = ()
    #: How long importing it took.
    seconds: float = 0.0
    #: The hooks that it implements.
    hooks: tuple[str, ...] = ()
    tools: tuple[ToolEntry, ...] = ()
    drivers: tuple[DriverEntry, ...] = ()
    validators: tuple[ValidatorEntry, ...] = ()
    dialects: tuple[DialectEntry, ...] = ()
    embeddings: tuple[EmbeddingEntry, ...] = ()
    drivers_configs: tuple[DriversConfigEntry, ...] = ()
    guards: tuple[NamedEntry, ...] = ()
    commands: tuple[CommandEntry, ...] = ()
    executors: tuple[NamedEntry, ...] = ()
    options: tuple[OptionEntry, ...] = ()
    #: Files beside its own that decide what its tools offer.
    watched: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """The worst that is to be said of it."""
        if self.disabled:
            return "disabled"
        kinds = {fault.kind for fault in self.faults}
        if kinds & {"failed", "setting"}:
            return "failed"
        if "version" in kinds:
            return "incompatible"
        if "conflict" in kinds:
            return "conflict"
        return "unset" if "unset" in kinds else "ok"

    @property
    def is_defect(self) -> bool:
        """Whether it failed by itself, and not by a setting."""
        return any(fault.kind in ("failed", "version") for fault in self.faults)

    @property
    def error(self) -> str:
        """What is wrong with it, in one line; "" where nothing is."""
        return " ".join(fault.text for fault in self.faults)

    @property
    def detail(self) -> str:
        """The tracebacks of its faults."""
        return "\n".join(fault.detail for fault in self.faults if fault.detail)

    @property
    def title(self) -> str:
        """The plugin with its distribution and version, for messages."""
        return f"{self.name} ({self.distribution} {self.version})"

    def with_faults(self, *faults: Fault) -> Self:
        """Return the record with further faults."""
        return self._replace(faults=(*self.faults, *faults))

    def problems(self) -> Iterator[str]:
        """Yield a line for each fault; a tool that was never set up is none."""
        for fault in self.faults:
            if fault.kind != "unset":
                by_setting = fault.kind == "setting"
                yield fault.text if by_setting else f"Plugin {self.title}: {fault.text}"

    def to_json(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        written = self._asdict()
        for field in _ROWS:
            written[field] = [row._asdict() for row in written[field]]
        written["tools"] = [tool.to_json() for tool in self.tools]
        return written

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the record that `to_json` wrote.

        Raises:
            TypeError: Something is missing, or is there that should not be.
        """
        read = dict(data)
        for field, kind in _ROWS.items():
            read[field] = tuple(kind(**row) for row in read.get(field, ()))
        read["tools"] = tuple(_tool(row) for row in read.get("tools", ()))
        for field in ("hooks", "watched"):
            read[field] = tuple(read.get(field, ()))
        return cls(**read)


_ROWS: Mapping[str, type[Any]] = {
    "faults": Fault,
    "drivers": DriverEntry,
    "validators": ValidatorEntry,
    "dialects": DialectEntry,
    "embeddings": EmbeddingEntry,
    "drivers_configs": DriversConfigEntry,
    "guards": NamedEntry,
    "commands": CommandEntry,
    "executors": NamedEntry,
    "options": OptionEntry,
}


def _tool(row: Mapping[str, Any]) -> ToolEntry:
    activities = tuple(
        ActivityEntry(**{**activity, "examples": tuple(activity["examples"])})
        for activity in row["activities"]
    )
    return ToolEntry(**{**row, "activities": activities})
