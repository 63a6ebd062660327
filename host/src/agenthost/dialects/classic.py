"""The dialect `classic`: Thought, Action, Action Input, Observation, Final Answer, as text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import ClassVar

from agenthost.dialects.leaked import bare_actions
from agenthost.dialects.rounds import example_rounds
from agenthost.dialects.sections import LENIENT_SIZE, Labels, Section, sections
from agenthost.dialects.steps import StepReader
from agenthost.dialects.text_reply import (
    Parsed,
    TextDialect,
    bare_text,
    first_good,
    hidden_replies,
    spoken,
    told,
    unwrapped,
)
from agenthost_sdk.actions import NativeNames, ToolAction, ToolSpec
from agenthost_sdk.dialects import Offer, Reply
from agenthost_sdk.messages import Message

#: Ends the model's turn: an observation is the host's to write.
STOP = "\nObservation:"

_LABELS = Labels(
    {
        "thought": ("thought", "thoughts", "reasoning"),
        "input": (
            *("action input", "action inputs", "tool input", "input", "inputs"),
            *("action arguments", "arguments", "args", "action parameters", "parameters"),
        ),
        "action": ("action", "actions", "tool", "tool name"),
        "observation": ("observation", "observations", "tool result", "tool response"),
        "answer": ("final answer", "answer", "final"),
    },
    last="answer",
    with_json=("action", "input"),
)

#: A last line that is the beginning of the stop text, where a server cut it.
_CUT_STOP = re.compile(r"\n[ \t]*Obs(?:e(?:r(?:v(?:a(?:t(?:i(?:o(?:n)?)?)?)?)?)?)?)?\s*+\Z")

_FORMAT = """\
You can act through tools. To act, reply in this form and nothing else:

Thought: what to do next, and why
Action: the name of one tool
Action Input: its input, a JSON object as the JSON Schema of the tool demands

End your reply after the input. You are then given what came of it as an Observation. Never write
an Observation yourself. To use tools side by side, write several pairs of Action and Action Input
in one reply. Where an Observation says what was wrong, set it right and act again.

When you know enough, reply in this form:

Thought: why this is the answer
Final Answer: the answer"""


class Classic(TextDialect):
    """For models that were trained on the classic format: one action, its input, an observation.

    A reply with no label at all is the answer as it stands.
    """

    name: ClassVar[str] = "classic"
    form: ClassVar[str] = _FORMAT
    reminder: ClassVar[str] = (
        'Write "Action:" with the name of a tool and "Action Input:" with its input to act,'
        ' or "Final Answer:" and the answer to end.'
    )

    def offer(self, table: NativeNames) -> Offer:
        """Return the format and the tools as text; nothing natively."""
        if not len(table):
            return Offer()
        tools = "\n".join(map(_described, table.specs.values()))
        parts = (_FORMAT, f"The tools:\n{tools}", *example_rounds(self, table))
        return Offer(system="\n\n".join(parts), stop=(STOP,))

    def prepared(self, text: str) -> str:
        """Return the text without a part of the stop text that a server left at its end."""
        return super().prepared(_CUT_STOP.sub("", text))

    def parse(self, text: str, table: NativeNames, *, is_cut: bool) -> Parsed:
        """Return what stands behind the labels."""
        return parse(text, table, is_cut=is_cut)

    def answer(self, reply: Reply, actions: Sequence[ToolAction]) -> tuple[Message, ...]:
        """Return the round as it would have been written, then an observation for each action."""
        thought = f"Thought: {reply.thought}\n" if reply.thought else ""
        asked = [
            f"Action: {action.native}\nAction Input: {_JSON.encode(dict(action.input))}"
            for action in actions
        ]
        return (
            Message("assistant", spoken(thought + "\n".join(asked))),
            Message("user", told("\n".join(_observations(actions)), actions)),
        )

    def conclude(self, answer: str, thought: str = "") -> Message:
        """Return the answer behind its label."""
        said = f"Thought: {thought}\n" if thought else ""
        return Message("assistant", spoken(f"{said}Final Answer: {answer}"))


def parse(text: str, table: NativeNames, *, is_cut: bool) -> Parsed:
    """Return what a text in this dialect holds.

    Labels within a line or in a code fence, and JSON without labels, count only where the text
    says nothing otherwise.
    """
    text = unwrapped(text, _LABELS)
    reader = StepReader(table, is_cut=is_cut)
    found = _sections(text, is_cut=is_cut)
    if not is_labelled(found):
        return _unlabelled(text, table, reader, is_cut=is_cut)
    first = reader.read(found)
    if len(text) > LENIENT_SIZE:
        return first
    is_fenced = text.endswith("```") and not is_cut
    return first_good(
        first,
        lambda: reader.read(_sections(text, is_within=True, is_cut=is_cut)),
        lambda: reader.read(_sections(text, in_fences=True)) if is_fenced else None,
        lambda: bare_actions(bare_text(found), table, is_cut=is_cut),
    )


def is_labelled(found: Sequence[Section]) -> bool:
    """Return whether a reply has a label of the model's own."""
    return any(section.kind not in ("", "observation") for section in found)


def _sections(
    text: str, *, is_within: bool = False, in_fences: bool = False, is_cut: bool = False
) -> list[Section]:
    return sections(text, _LABELS, is_within=is_within, in_fences=in_fences, is_cut=is_cut)


def _unlabelled(text: str, table: NativeNames, reader: StepReader, *, is_cut: bool) -> Parsed:
    """Read JSON, tags, or labels within a line; without any, the text is the answer."""
    bare = bare_actions(text, table, is_cut=is_cut)
    if bare is not None:
        return bare
    tries = hidden_replies(text, _LABELS, is_cut=is_cut)
    parsed = next((parsed for found in tries if (parsed := reader.read(found)).runs), None)
    return parsed or Parsed(answer=text, text=text)


def _described(spec: ToolSpec) -> str:
    schema = json.dumps(spec.schema, ensure_ascii=False, separators=(",", ":"))
    return f"{spec.native}: {spec.description} Its input: {schema}"


_JSON = json.JSONEncoder(ensure_ascii=False)


def _observations(actions: Sequence[ToolAction]) -> list[str]:
    texts = [action.output.to_text() if action.output else "" for action in actions]
    if len(texts) == 1:
        return [f"Observation: {texts[0]}"]
    return [f"Observation {number}: {text}" for number, text in enumerate(texts, 1)]
