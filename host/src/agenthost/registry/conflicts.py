"""See to it that every name belongs to one plugin: who comes first keeps it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agenthost.registry.entries import Fault, PluginRecord, ToolEntry


def without_conflicts(records: Iterable[PluginRecord]) -> list[PluginRecord]:
    """Return the records, less what an earlier plugin has taken; each loss is recorded."""
    claims = _Claims()
    return [claims.settle(record) for record in records]


class _Claims:
    """The names that were given away, and to whom."""

    def __init__(self) -> None:
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
            )
        return settled.with_faults(*self._faults)

    def _name_plugin(self, record: PluginRecord) -> None:
        earlier = self._claim("plugin", record.name, record)
        if earlier is not None:
            self._conflict(
                f"a plugin of {earlier.distribution} has the name {record.name!r} too. Both work;"
                f" settings reach this one as {record.distribution!r}."
            )

    def _tools(self, record: PluginRecord) -> tuple[ToolEntry, ...]:
        kept = (self._tool(record, tool) for tool in self._rows(record, "tool", record.tools))
        return tuple(tool for tool in kept if tool.activities)

    def _tool(self, record: PluginRecord, tool: ToolEntry) -> ToolEntry:
        activities = tuple(
            activity
            for activity in tool.activities
            if self._is_free("native name", activity.native, record)
        )
        return tool._replace(activities=activities)

    def _rows(self, record: PluginRecord, kind: str, rows: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(row for row in rows if self._is_free(kind, row.name, record))

    def _is_free(self, kind: str, name: str, record: PluginRecord) -> bool:
        earlier = self._claim(kind, name, record)
        if earlier is None:
            return True
        whose = "it" if earlier is record else f"{earlier.distribution} {earlier.version}"
        self._conflict(
            f"its {kind} {name!r} is left out, since {whose} has that one already. Turn one of the"
            f" two plugins off: `agenthost plugins disable {record.distribution}`."
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
