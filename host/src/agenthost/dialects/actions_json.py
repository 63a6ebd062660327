"""The dialect `actions_json`: Thought, Actions as a JSON array, Answer, in plain text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import islice
from typing import ClassVar

from agenthost.dialects import classic
from agenthost.dialects.array_schema import array_schema
from agenthost.dialects.entries import MOST_ACTIONS, Entry, entry_of
from agenthost.dialects.leaked import bare_actions
from agenthost.dialects.objects import squashed
from agenthost.dialects.rounds import example_rounds
from agenthost.dialects.sections import LENIENT_SIZE, Labels, Section, sections
from agenthost.dialects.sound_json import json_end
from agenthost.dialects.text_reply import (
    Parsed,
    TextDialect,
    bare_text,
    first_good,
    hidden_replies,
    limited,
    spoken,
    spoken_text,
    thought_in,
    told,
    unwrapped,
)
from agenthost.dialects.written_json import MOST_FAULTS, Written, written_in
from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.dialects import Offer, Reply
from agenthost_sdk.messages import Message

#: Ends the model's turn: what stands behind it is the host's to write.
RESPONSE = "<|Response|>"

_LABELS = Labels(
    {
        "thought": ("thought", "thoughts", "reasoning"),
        "actions": ("actions", "action", "tool calls"),
        "input": ("action input", "tool input"),
        "response": ("response", "responses", "observation", "observations", "tool result"),
        "answer": ("answer", "final answer"),
    },
    last="answer",
    with_json=("actions",),
)

#: Where the array of actions begins.
_ARRAY = re.compile(r"actions?[*_]{0,3}\s*[:：][*_]{0,3}\s*(?=[\[{`])", re.IGNORECASE)

#: How many of them are looked at before a stop text.
_MOST_LABELS = 8

#: The keys of an object that may hold it.
_ARRAY_KEYS = ("actions", "toolcalls")

_FORMAT = f"""\
You can act through tools. To act, reply in this form and nothing else:

Thought: what to do next, and why
Actions: a JSON array of actions; those in one array run side by side

Each action has a "tag" (a name of your own, unique in the array), a "name", a "path" and an
"input" as the JSON Schema below demands. End your reply after the array. You are then given what
came of it after {RESPONSE}, one result for each tag. Never write {RESPONSE} yourself. Where a
result says what was wrong, set it right and act again.

When you know enough, reply in this form:

Thought: why this is the answer
Answer: the answer"""


class ActionsJson(TextDialect):
    """For models without function calling: actions as a JSON array behind `Actions:`.

    A reply with no label at all is the answer as it stands.
    """

    name: ClassVar[str] = "actions_json"
    reminder: ClassVar[str] = (
        'Write "Actions:" and a JSON array of actions to act, or "Answer:" and the answer to end.'
    )

    def offer(self, table: NativeNames) -> Offer:
        """Return the format, the tools and the actions' JSON Schema as text; nothing natively."""
        if not len(table):
            return Offer()
        schema = f"The JSON Schema of the array:\n{array_schema(table)}"
        parts = (_FORMAT, schema, *example_rounds(self, table))
        return Offer(system="\n\n".join(parts), stop=(RESPONSE,))

    def prepared(self, text: str) -> str:
        """Return the text up to the stop text, or to the part of it that a server left."""
        text = text[: _response(text)].rstrip()
        for length in range(len(RESPONSE) - 1, 1, -1):
            text = text.removesuffix(RESPONSE[:length])
        return super().prepared(text)

    def parse(self, text: str, table: NativeNames, *, is_cut: bool) -> Parsed:
        """Return what stands behind the labels; classic's labels are understood too."""
        return parse(text, table, is_cut=is_cut)

    def answer(self, reply: Reply, actions: Sequence[ToolAction]) -> tuple[Message, ...]:
        """Return the round as it would have been written, then the results by tag."""
        shown = json.dumps([action.to_dict() for action in actions], ensure_ascii=False)
        thought = f"Thought: {reply.thought}\n" if reply.thought else ""
        results = "\n".join(f"{action.tag}: {action.output}" for action in actions)
        return (
            Message("assistant", spoken(f"{thought}Actions: {shown}")),
            Message("user", told(f"{RESPONSE}: {results}", actions)),
        )

    def conclude(self, answer: str, thought: str = "") -> Message:
        """Return the answer behind its label."""
        said = f"Thought: {thought}\n" if thought else ""
        return Message("assistant", spoken(f"{said}Answer: {answer}"))


def _response(text: str) -> int:
    """Return where the first stop text stands; one within the JSON of the actions is none."""
    found = text.find(RESPONSE)
    if found < 0 or len(text) > LENIENT_SIZE:
        return found if found >= 0 else len(text)
    for label in islice(_ARRAY.finditer(text, 0, found), _MOST_LABELS):
        end = json_end(text, label.end())
        if end > found:
            later = text.find(RESPONSE, end)
            return later if later >= 0 else len(text)
    return found


def parse(text: str, table: NativeNames, *, is_cut: bool) -> Parsed:
    """Return what a text in this dialect holds.

    Labels within a line or in a code fence, JSON without labels, and the labels of `classic`
    count only where the text says nothing otherwise.
    """
    text = unwrapped(text, _LABELS)
    found = _sections(text, is_cut=is_cut)
    if not _has_label(found):
        return _unlabelled(text, table, is_cut=is_cut)
    if any(section.kind == "input" for section in found):
        other = classic.parse(text, table, is_cut=is_cut)
        if other.runs:
            return other
    first = _parsed(found, table)
    if len(text) > LENIENT_SIZE:
        return first
    is_fenced = text.endswith("```") and not is_cut
    return first_good(
        first,
        lambda: _parsed(_sections(text, is_within=True, is_cut=is_cut), table),
        lambda: _parsed(_sections(text, in_fences=True), table) if is_fenced else None,
        lambda: bare_actions(bare_text(found), table, is_cut=is_cut) if not first.fault else None,
        lambda: classic.parse(text, table, is_cut=is_cut) if not first.fault else None,
    )


def is_labelled(text: str) -> bool:
    """Return whether a reply has a label of the model's own."""
    return _has_label(_sections(text))


def _has_label(found: Sequence[Section]) -> bool:
    return any(section.kind not in ("", "response") for section in found)


def _sections(
    text: str, *, is_within: bool = False, in_fences: bool = False, is_cut: bool = False
) -> list[Section]:
    return sections(text, _LABELS, is_within=is_within, in_fences=in_fences, is_cut=is_cut)


def _unlabelled(text: str, table: NativeNames, *, is_cut: bool) -> Parsed:
    """Read JSON, tags, or labels within a line; without any, the text is the answer."""
    bare = bare_actions(text, table, is_cut=is_cut)
    if bare is not None:
        return bare
    tries = [*hidden_replies(text, _LABELS, is_cut=is_cut)]
    parsed = next((parsed for found in tries if (parsed := _parsed(found, table)).runs), None)
    if parsed is None and tries:
        parsed = classic.parse(text, table, is_cut=is_cut)
    return parsed or Parsed(answer=text, text=text)


def _parsed(found: Sequence[Section], table: NativeNames) -> Parsed:
    arrays: list[Written] = []
    notes: tuple[str, ...] = ()
    answer, faults, read = "", 0, 0
    for section in found:
        if section.kind == "actions":
            if faults < MOST_FAULTS and read <= MOST_ACTIONS:
                arrays.append(written_in(section.text))
                faults += bool(arrays[-1].fault)
                read += len(arrays[-1].values)
        elif section.kind == "answer":
            answer = section.text.strip()
        elif section.kind == "response" and any(one.values or one.fault for one in arrays):
            notes = ("a response that the model made up was left out",)
            break
    entries = _entries(arrays)
    repairs = [*(repair for array in arrays for repair in array.repairs), *notes]
    actions = limited(entries, table, repairs)
    unread = next((array.fault for array in arrays if array.fault), "")
    fault = f"The actions are no valid JSON array: {unread}" if unread else ""
    text = "" if actions else spoken_text(found)
    return Parsed(thought_in(found, entries), actions, answer or None, fault, text)


def _entries(arrays: Sequence[Written]) -> list[Entry]:
    """Return the entries of all arrays; beside others, a fault is an entry too."""
    items = [item for array in arrays for item in array.items]
    if len(items) == 1 and isinstance(items[0], dict):  # the array may stand in an object
        arrays_within = (items[0][key] for key in items[0] if squashed(key) in _ARRAY_KEYS)
        within = next((one for one in arrays_within if isinstance(one, list)), items)
        items = within[: MOST_ACTIONS + 1]
    entries = [entry_of(item) for item in items]
    faults = [array.fault for array in arrays if array.fault]
    if entries:
        entries += [Entry(fault=f"What follows could not be read: {fault}") for fault in faults]
    return entries
