"""Keep what each plugin answered by itself, so that only those that changed are asked again.

An answer counts as long as distribution, version, entry point, the files that decide it and the
options of its tools are the same. One that tells of a failure is never kept: what the plugin
lacked may be there now.
"""

from __future__ import annotations

import json
from binascii import crc32
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from agenthost.registry.entries import PluginRecord
from agenthost.registry.isolation import encode
from agenthost.registry.stamps import Stamp, still_hold

#: The kinds of faults with which an answer can be kept.
_KEPT_WITH = {"note", "unset"}


class Answer(NamedTuple):
    """What a plugin answered, and what that depends on."""

    record: PluginRecord
    #: The files that decide it.
    stamps: Mapping[str, Stamp]
    #: The options and aliases of its tools.
    options: Mapping[str, Any]


class Answers:
    """The answers of earlier times, in a file; one that cannot be read counts as empty.

    Args:
        path: The file.
        key: What all answers depend on, such as the version of Python.
    """

    def __init__(self, path: str, key: Any) -> None:
        self._path = path
        self._key = key
        self._kept = self._read()

    def find(self, plugin: PluginRecord, options: Mapping[str, Any]) -> Answer | None:
        """Return what a plugin answered, where it would answer the same now.

        Args:
            plugin: The plugin, as far as it is known without being asked.
            options: Reads as `relevant` takes them.
        """
        kept = self._kept.get(_name(plugin))
        if kept is None:
            return None
        try:
            answer = Answer(PluginRecord.from_json(kept[0]), kept[1], kept[2])
        except (TypeError, LookupError):
            return None
        holds = answer.options == relevant(answer.record, options) and still_hold(answer.stamps)
        return answer if holds else None

    def keep(self, answers: Iterable[Answer]) -> None:
        """Write down those of the answers that may be used again, in the place of all others."""
        from agenthost.folders import write_whole

        rows = {
            _name(answer.record): [answer.record.to_json(), answer.stamps, answer.options]
            for answer in answers
            if {fault.kind for fault in answer.record.faults} <= _KEPT_WITH
        }
        if rows == self._kept:
            return
        body = encode({"key": self._key, "answers": rows})
        try:
            write_whole(self._path, f"{crc32(body.encode()):08x} {body}")
        except OSError:
            return  # nobody can write there: each plugin is asked anew, and all else works

    def _read(self) -> dict[str, Any]:
        try:
            with open(self._path, encoding="utf-8") as file:
                crc, _, body = file.read().partition(" ")
            if int(crc, 16) != crc32(body.encode()):
                return {}
            read = json.loads(body)
            return dict(read["answers"]) if read["key"] == self._key else {}
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            return {}


def relevant(record: PluginRecord, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options and aliases that are of the plugin's own tools, as JSON has them.

    Args:
        record: What the plugin answered.
        options: "options" by the name of a tool's class, and "aliases" by the further name.
    """
    keys = {tool.key for tool in record.tools} | {fault.tool for fault in record.faults}
    names = (record.name, record.distribution)
    aliases = {
        alias: target
        for alias, target in options["aliases"].items()
        if str(target).rpartition(":")[0] in names
    }
    by_tool = {key: options["options"][key] for key in keys if options["options"].get(key)}
    found: dict[str, Any] = json.loads(encode({"options": by_tool, "aliases": aliases}))
    return found


def _name(plugin: PluginRecord) -> str:
    return encode([plugin.distribution, plugin.version, plugin.name, plugin.value])
