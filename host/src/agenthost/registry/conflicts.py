"""See to it that every name belongs to one plugin: who comes first keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agenthost.registry.entries import Fault, PluginRecord, ToolEntry
from agenthost.registry.host_commands import HOST_COMMANDS


def without_conflicts(
    records: Iterable[PluginRecord], choices: Mapping[str, str]
) -> list[PluginRecord]:
    """Return the records, less what an earlier plugin has taken; each loss is recorded.

    Args:
        records: The plugins, in the documented order.
        choices: The plugin that has a tool, by the name of the tool, whoever comes first.
    """
    known = list(records)
    claims = _Claims(_fulfilled(known, choices))
    return [claims.settle(record) for record in known]


def _fulfilled(records: list[PluginRecord], choices: Mapping[str, str]) -> dict[str, PluginRecord]:
    """Return the choices that can be met; where none can, the order decides."""
    return {
        tool: record
        for tool, plugin in choices.items()
        for record in records
        if plugin in (record.name, record.distribution)
        and any(entry.name == tool for entry in record.tools)
    }


class _Claims:
    """The names that were given away, and to whom."""

    def __init__(self, chosen: Mapping[str, PluginRecord]) -> None:
        self._chosen = chosen
        self._owners: dict[tuple[str, str], PluginRecord] = {}
        self._faults: list[Fault] = []

    def settle(self, record: PluginRecord) -> PluginRecord:
        """Return the record with what it keeps."""
        self._faults = []
        settled = record
        if not record.disabled:
            self._name_plugin(record)
            settled = record._replace(
                tools=self._tools(record),
                drivers=self._rows(record, "driver", record.drivers),
                validators=self._rows(record, "validator", record.validators),
                dialects=self._rows(record, "dialect", record.dialects),
                embeddings=self._rows(record, "embedding driver", record.embeddings),
                drivers_configs=self._rows(record, "drivers config", record.drivers_configs),
                commands=self._commands(record),
                executors=self._rows(record, "executor", record.executors),
            )
        return settled.with_faults(*self._faults)

    def _name_plugin(self, record: PluginRecord) -> None:
        earlier = self._claim("plugin", record.name, record)
        if earlier is not None:
            reached = (
                "they are turned off and on together"
                if earlier.distribution == record.distribution
                else f"settings reach this one as {record.distribution!r}"
            )
            self._conflict(
                f"a plugin of {earlier.distribution} has the name {record.name!r} too. Both work;"
                f" {reached}."
            )

    def _tools(self, record: PluginRecord) -> tuple[ToolEntry, ...]:
        left = tuple(
            tool for tool in record.tools if self._chosen.get(tool.name, record) is record
        )
        kept = (self._tool(record, tool) for tool in self._rows(record, "tool", left))
        return tuple(tool for tool in kept if tool.activities)

    def _tool(self, record: PluginRecord, tool: ToolEntry) -> ToolEntry:
        activities = tuple(
            activity
            for activity in tool.activities
            if self._is_free("native name", activity.native, record)
        )
        return tool._replace(activities=activities)

    def _commands(self, record: PluginRecord) -> tuple[Any, ...]:
        for row in record.commands:
            if row.name in HOST_COMMANDS:
                self._conflict(
                    f"its command {row.name!r} is left out, since agenthost has that one itself."
                    " Its author should give it another name."
                )
        rows = tuple(row for row in record.commands if row.name not in HOST_COMMANDS)
        return self._rows(record, "command", rows)

    def _rows(self, record: PluginRecord, kind: str, rows: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(row for row in rows if self._is_free(kind, row.name, record))

    def _is_free(self, kind: str, name: str, record: PluginRecord) -> bool:
        earlier = self._claim(kind, name, record)
        if earlier is None:
            return True
        if earlier is record:
            whose, way_out = "it", "One of the two needs another name."
        else:
            whose = f"{earlier.distribution} {earlier.version}"
            # Two plugins of one distribution have that name in common.
            is_one = earlier.distribution == record.distribution
            way_out = _way_out(kind, name, record.name if is_one else record.distribution)
        self._conflict(
            f"its {kind} {name!r} is left out, since {whose} has that one already. {way_out}"
        )
        return False

    def _claim(self, kind: str, name: str, record: PluginRecord) -> PluginRecord | None:
        """Take a name, or return who has it."""
        if (kind, name) in self._owners:
            return self._owners[(kind, name)]
        self._owners[(kind, name)] = record
        return None

    def _conflict(self, text: str) -> None:
        self._faults.append(Fault("conflict", text))


def _way_out(kind: str, name: str, plugin: str) -> str:
    off = f"turn one of the two plugins off: `agenthost plugins disable {plugin}`."
    if kind != "tool":
        return f"{off[0].upper()}{off[1:]}"
    choose = f"`agenthost config set tools.choose.{name} {plugin}`"
    alias = f"`agenthost config set tools.alias.{name}2 {plugin}:{name}`"
    return f"Have this one instead: {choose}; have both: {alias}; or {off}"
