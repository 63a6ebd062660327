"""The dialect `json`: one JSON object with a thought, actions and an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, ClassVar

from agenthost.dialects import actions_json
from agenthost.dialects.array_schema import array_schema
from agenthost.dialects.entries import MOST_ACTIONS, Entry, entry_of
from agenthost.dialects.objects import Whole, whole_reply
from agenthost.dialects.rounds import example_rounds
from agenthost.dialects.text_reply import Parsed, TextDialect, limited, spoken, told
from agenthost.dialects.written_json import written_in
from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.dialects import Offer, Reply
from agenthost_sdk.messages import Message

#: Ends the model's turn: the results are the host's to write.
STOP = "\nResults:"

#: A key of a reply, as it stands in JSON or in a Python dictionary.
_MARK = re.compile(
    r"[\"'“](?:thoughts?|actions?|tool|tool_?name|tool_?calls|answer|final(?:_?answer)?)[\"'”]"
    r"\s*[:：]",
    re.IGNORECASE,
)
#: An object or an array of them that has such a key first.
_BEGIN = re.compile(rf"(?:\[\s*)?\{{\s*(?={_MARK.pattern})", re.IGNORECASE)
_ARRAY = re.compile(r"[\"'“](?:actions|tool_?calls)[\"'”]\s*[:：]\s*(?=\[)", re.IGNORECASE)

_FORMAT = """\
You can act through tools. Reply with one JSON object and nothing else. To act:

{"thought": "what to do next, and why", "actions": [the actions, which run side by side]}

Each action has a "tag" (a name of your own, unique in the array), a "name", a "path" and an
"input" as the JSON Schema below demands. You are then given the Results, one for each tag. Never
write Results yourself. Where a result says what was wrong, set it right and act again.

When you know enough:

{"thought": "why this is the answer", "answer": "the answer"}"""


class JsonReply(TextDialect):
    """For models that keep to JSON better than to labels: each reply is one JSON object.

    A reply without such an object is the answer as it stands.
    """

    name: ClassVar[str] = "json"
    reminder: ClassVar[str] = (
        'Write one JSON object: {"thought": "…", "actions": […]} to act,'
        ' or {"thought": "…", "answer": "…"} to end.'
    )

    def offer(self, table: NativeNames) -> Offer:
        """Return the format and the actions' JSON Schema as text; nothing natively."""
        if not len(table):
            return Offer()
        schema = f'The JSON Schema of "actions":\n{array_schema(table)}'
        parts = (_FORMAT, schema, *example_rounds(self, table))
        return Offer(system="\n\n".join(parts), stop=(STOP,))

    def parse(self, text: str, table: NativeNames, *, is_cut: bool) -> Parsed:
        """Return what the object holds; the labels of the other text dialects count without."""
        is_json = text.lstrip("`~json \n").startswith(("{", "["))
        labelled = None
        if not is_json and actions_json.is_labelled(text):
            labelled = actions_json.parse(text, table, is_cut=is_cut)
            if labelled.is_good:
                return labelled
        parsed = _parsed(text, table) if _MARK.search(text) else None
        return parsed or labelled or actions_json.parse(text, table, is_cut=is_cut)

    def answer(self, reply: Reply, actions: Sequence[ToolAction]) -> tuple[Message, ...]:
        """Return the round as it would have been written, then the results by tag."""
        asked: dict[str, Any] = {"thought": reply.thought} if reply.thought else {}
        asked["actions"] = [action.to_dict() for action in actions]
        results = "\n".join(f"{action.tag}: {action.output}" for action in actions)
        return (
            Message("assistant", spoken(json.dumps(asked, ensure_ascii=False))),
            Message("user", told(f"Results:\n{results}", actions)),
        )

    def conclude(self, answer: str, thought: str = "") -> Message:
        """Return the object that holds the answer."""
        said = {"thought": thought} if thought else {}
        shown = json.dumps({**said, "answer": answer}, ensure_ascii=False)
        return Message("assistant", spoken(shown))


def _parsed(text: str, table: NativeNames) -> Parsed | None:
    """Return what the first object of a reply says; None where there is no such object."""
    begin = None if text.startswith(("{", "[")) else _BEGIN.search(text)
    written = written_in(text, begin.start() if begin else None)
    wholes = [_whole(value, table) for value in written.values]
    entries = [entry for whole in wholes for entry in whole.entries]
    faults = [written.fault] if written.fault else []
    if not entries and faults and (array := _ARRAY.search(text)) is not None:
        cut = written_in(text, array.end())
        entries = [entry_of(item) for item in cut.items]
    if not entries and not faults and not any(whole.is_marked for whole in wholes):
        return None
    return _combined(text, wholes, entries, faults, written.repairs, table)


def _combined(
    text: str,
    wholes: Sequence[Whole],
    entries: list[Entry],
    faults: Sequence[str],
    repairs: Sequence[str],
    table: NativeNames,
) -> Parsed:
    if entries:
        entries += [Entry(fault=f"What follows could not be read: {fault}") for fault in faults]
    actions = limited(entries, table, repairs)
    fault = f"The reply is no valid JSON object: {faults[0]}" if faults else ""
    answer = next((whole.answer for whole in wholes if whole.answer), None)
    thoughts = [whole.thought for whole in wholes] or [entry.thought for entry in entries]
    thought = "\n".join(dict.fromkeys(one for one in thoughts if one))
    is_data = bool(wholes) or text.lstrip("`~json \n").startswith(("{", "["))
    return Parsed(thought, actions, answer, fault, thought or ("" if is_data else text))


def _whole(value: Any, table: NativeNames) -> Whole:
    if isinstance(value, dict):
        return whole_reply(value, table)
    items = value[: MOST_ACTIONS + 1]
    entries = tuple(entry_of(item) for item in items if isinstance(item, dict))
    return Whole(entries=entries, is_marked=bool(entries))
