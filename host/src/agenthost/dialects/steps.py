"""Put the sections of a classic reply together: each action with its input, thoughts, the end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from agenthost.dialects.entries import (
    MOST_ACTIONS,
    TOO_MANY,
    actions_of,
    entry_of,
    refused,
    unknown,
)
from agenthost.dialects.objects import end_text, is_end, is_none, whole_reply
from agenthost.dialects.plain_input import required_of, with_text
from agenthost.dialects.reading import unread
from agenthost.dialects.sections import Section
from agenthost.dialects.text_reply import Parsed, spoken_text
from agenthost.dialects.written_json import written_in
from agenthost_sdk import json_text
from agenthost_sdk.actions import NativeNames, ToolAction, ToolSpec
from agenthost_sdk.errors import NotFoundError

_JSON = re.compile(r"(?:`{1,3}(?:json)?\s*)?(?=[\[{]\s*[\[{\"'“])", re.IGNORECASE)

#: A name with its input in brackets: `Search[river]`, `search("river")`.
_NAMED = re.compile(r"[^\n\[\](){}]{1,80}(?=[\[(])")
_BRACKET = {"[": re.compile(r"[\[\]]"), "(": re.compile(r"[()]")}

#: An action that asks for the end, at the end of an answer.
_ENDING = re.compile(
    r"^[ \t]*Action[ \d]*:[ \t]*(?P<name>Finish|Final Answer)[ \t]*\n"
    r"[ \t]*Action Input[ \d]*:(?P<input>.*)\Z",
    re.MULTILINE | re.DOTALL,
)

#: A word that may be a name, and how long a line may be that has a name among its words.
_WORD, _LINE = re.compile(r"[\w-]+"), 120

#: What models put round a name.
_ROUND = " \t\r`*\"'“”.,;:[]<>"

_BROKE_OFF = "the reply broke off before its end: send less at a time"


@dataclass
class Step:
    """An action as it was written: what stands behind its label, and its input in pieces."""

    head: str
    inputs: list[str] = field(default_factory=list)
    is_last: bool = False
    #: Whether the input has another label than the one that models are told, and is no JSON.
    is_vague: bool = False

    @property
    def input(self) -> str | None:
        """The input, label-like lines in it and all; None without a label for it."""
        return "".join(self.inputs) if self.inputs else None


@dataclass
class Steps:
    """The sections of a reply, put together."""

    before: str = ""
    thoughts: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    #: An input that has no action before it.
    lone: str | None = None
    answer: str | None = None
    #: What was left out behind the actions.
    notes: tuple[str, ...] = ()

    @property
    def thought(self) -> str:
        """What was said before the actions, labelled or not."""
        said = "\n".join(thought for thought in self.thoughts if thought)
        return said or self.before


@dataclass(frozen=True)
class Call:
    """A name and its input, as text."""

    name: str
    input: str | None = None
    #: Whether its end was seen, or is known to be missing.
    is_whole: bool = False
    is_open: bool = False


class StepReader:
    """Reads the sections of replies over one table."""

    def __init__(self, table: NativeNames, *, is_cut: bool) -> None:
        self._table = table
        self._is_cut = is_cut
        self._known: dict[str, bool] = {}

    def read(self, found: Sequence[Section]) -> Parsed:
        """Return the actions, the answer or the fault that the sections come to."""
        steps = put_together(found)
        self._fold(steps)
        actions: list[ToolAction] = []
        for step in steps.steps[: MOST_ACTIONS + 1]:
            actions += self._actions(step, steps, len(actions) + 1)
        if len(actions) > MOST_ACTIONS:
            rest = refused(ToolAction(str(MOST_ACTIONS + 1), "unknown"), TOO_MANY, "too-many")
            actions[MOST_ACTIONS:] = [rest]
        fault = "" if actions or steps.answer else _fault(steps)
        answer = steps.answer.strip() if steps.answer and steps.answer.strip() else None
        text = "" if actions else spoken_text(found)
        return Parsed(steps.thought, tuple(actions), answer, fault, text)

    def _fold(self, steps: Steps) -> None:
        """Take what only looks like an action, beside a real one, for a part of the thought."""
        if len(steps.steps) < 2:
            return
        looks = [
            (step, not step.is_vague if step.inputs else self._is_real(step))
            for step in steps.steps
        ]
        real = [step for step, is_real in looks if is_real]
        if real and len(real) < len(looks):
            steps.thoughts += [step.head.strip() for step, is_real in looks if not is_real]
            steps.steps = real

    def _knows(self, name: str) -> bool:
        """Return whether a name is on offer; a reply often has the same one many times."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._table.knows(name)
        return known

    def _is_real(self, step: Step) -> bool:
        if _JSON.match(step.head.strip()):
            return True
        name = self._call(step).name
        is_word = bool(name) and len(name.split()) == 1
        return is_word or self._knows(name) or is_end(name, self._table)

    def _actions(self, step: Step, steps: Steps, number: int) -> list[ToolAction]:
        """Return the action of a step, or those that stand as JSON in it; tags are numbers."""
        head = step.head.strip()
        if not step.inputs and _JSON.match(head):
            return [
                replace(action, tag=str(place), repairs=(*action.repairs, *steps.notes))
                for place, action in enumerate(self._written(head, steps), number)
            ]
        is_cut = self._is_cut and step.is_last
        spec = self._table.specs.get(head)
        given = "".join(step.inputs) if step.inputs else None
        if spec is not None and given is not None and not is_cut and "$" not in given:
            value = json_text.sound_object(given.strip())
            if value is not None:  # the way of nearly all actions
                return [ToolAction(str(number), spec.name, spec.path, value, repairs=steps.notes)]
        if spec is not None:
            action = ToolAction(str(number), spec.name, spec.path, repairs=steps.notes)
            return [_with_input(action, spec, Call(head, given), is_cut)]
        call = self._call(step)
        if is_end(call.name, self._table):
            steps.answer = _end(call.input) if steps.answer is None else steps.answer
            return []
        if is_none(call.name) and not self._knows(call.name):
            return []
        return [self._called(call, str(number), steps.notes, is_cut)]

    def _written(self, head: str, steps: Steps) -> Iterator[ToolAction]:
        """Yield the actions that stand as JSON behind the label."""
        written = written_in(head)
        for item in written.items:
            whole = whole_reply(item, self._table) if isinstance(item, dict) else None
            if whole is not None and whole.is_ended:
                steps.answer = steps.answer or whole.answer
            elif whole is not None and whole.entries:
                yield from actions_of(whole.entries, self._table, written.repairs)
            else:
                yield from actions_of([entry_of(item)], self._table, written.repairs)
        if written.fault:
            words = f"This action could not be read: {written.fault}"
            yield refused(ToolAction("", "unknown"), words, "invalid-json")

    def _call(self, step: Step) -> Call:
        """Return the name and the input of a step, whichever way they were written."""
        head, given = step.head.strip(), step.input
        line, _, rest = head.partition("\n")
        name = line.strip(_ROUND)
        if given is not None:
            return Call(self._named_in(line) or name, given)
        if self._knows(name):
            return Call(name, rest if _JSON.match(rest.strip()) else None)
        before, colon, after = line.partition(":")
        if colon and self._knows(before.strip(_ROUND)):
            return Call(before.strip(_ROUND), after)
        named = _NAMED.match(head)
        inner = named[0].strip(_ROUND) if named is not None else ""
        if named is not None and self._is_named(inner, head[named.end()]):
            is_cut = self._is_cut and step.is_last
            return _bracketed(inner, head, named.end(), is_cut=is_cut)
        return Call(name)

    def _named_in(self, line: str) -> str:
        """Return the one name on offer that stands among other words of a line."""
        if self._knows(line.strip(_ROUND)) or len(line) > _LINE:
            return ""
        named = {word for word in _WORD.findall(line) if word in self._table.specs}
        return named.pop() if len(named) == 1 else ""

    def _is_named(self, name: str, bracket: str) -> bool:
        is_word = bracket == "[" and not re.search(r"\s", name)
        return bool(name) and (is_word or self._knows(name) or is_end(name, self._table))

    def _called(self, call: Call, tag: str, notes: tuple[str, ...], is_cut: bool) -> ToolAction:
        """Return the action with its activity and its input, or with what is wrong with them."""
        if not call.name:
            words = '"Action:" names no tool. Write the name of one tool behind it.'
            return refused(ToolAction(tag, "unknown"), words, "invalid-action")
        try:
            meant = self._table.meant(call.name)
        except NotFoundError as error:
            return unknown(tag, call.name, None, error)
        spec = meant.spec
        notes = (meant.repair, *notes) if meant.repair else notes
        return _with_input(
            ToolAction(tag, spec.name, spec.path, repairs=notes), spec, call, is_cut
        )


def _with_input(action: ToolAction, spec: ToolSpec, call: Call, is_cut: bool) -> ToolAction:
    if call.is_open:
        return unread(action, call.input or "", "its bracket is never closed")
    if call.input is not None and call.input.strip():
        return with_text(action, spec, call.input, is_cut=is_cut, is_delimited=call.is_whole)
    if is_cut:
        return unread(action, "", _BROKE_OFF)
    required = ", ".join(required_of(spec))
    if required:
        words = f"{action.native} was not run: its Action Input is missing."
        return refused(action, f"{words} It needs {required}.", "missing-input")
    return action


def put_together(found: Sequence[Section]) -> Steps:
    """Return the sections as steps, up to the first observation behind an action."""
    steps = Steps(found[0].text.strip() if found else "")
    before = 0  # how many thoughts precede the last action: what follows it was thought too soon
    for section in found[1:]:
        if section.kind == "thought":
            steps.thoughts.append(section.text.strip())
        elif section.kind == "action":
            steps.steps.append(Step(section.text))
            before = len(steps.thoughts)
        elif section.kind == "input":
            _take_input(steps, section)
            before = len(steps.thoughts)
        elif section.kind == "answer":
            _take_answer(steps, section.text)
        elif steps.steps:
            steps.notes = ("an observation that the model made up was left out",)
            break
    else:
        if steps.steps and found[-1].kind in ("action", "input"):
            steps.steps[-1].is_last = True
    if steps.steps:
        steps.thoughts = steps.thoughts[:before]
    if steps.lone is not None:
        lacking = next((step for step in steps.steps if not step.inputs), None)
        if lacking is not None:
            lacking.inputs, steps.lone = [steps.lone], None
    return steps


def _take_input(steps: Steps, section: Section) -> None:
    if not steps.steps:
        steps.lone = section.text if steps.lone is None else steps.lone
        return
    step = steps.steps[-1]
    inputs = step.inputs
    if not inputs:
        is_told = "input" in section.label.lower()
        step.is_vague = not is_told and not section.text.lstrip().startswith(("{", "`"))
    else:  # a second one is a line of the first that looks like a label
        inputs.append(section.label)
    inputs.append(section.text)


def _take_answer(steps: Steps, text: str) -> None:
    """Take an answer; one that ends in an action which asks for the end has that action too."""
    end = _ENDING.search(text) if not steps.steps else None
    if end is not None and text.count("```", 0, end.start()) % 2:
        end = None  # it stands in a fence, and is shown
    steps.answer = text[: end.start()] if end is not None else text
    if end is not None:
        steps.steps.append(Step(end["name"], [end["input"]]))


def _bracketed(name: str, head: str, start: int, *, is_cut: bool) -> Call:
    """Return the call whose brackets open at `start`; without an end, it is not whole."""
    opening = head[start]
    is_whole = opening == "["
    depth = 0
    for bracket in _BRACKET[opening].finditer(head, start):
        depth += 1 if bracket[0] == opening else -1
        if depth == 0:
            return Call(name, head[start + 1 : bracket.start()], is_whole=is_whole)
    line_end = head.find("\n", start)
    line = head[start + 1 : line_end if line_end >= 0 else len(head)].rstrip()
    if line.endswith(_PAIRS[opening]) and not is_cut:
        return Call(name, line[:-1], is_whole=is_whole)
    return Call(name, head[start + 1 :], is_open=True)


_PAIRS = {"[": "]", "(": ")"}


def _end(text: str | None) -> str:
    """Return the answer that stands as the input of the last action."""
    bare = (text or "").strip()
    if bare.startswith("{"):
        try:
            return end_text(json_text.read_json(bare, "object").value)
        except json_text.UnreadableJson:
            return bare
    return bare


def _fault(steps: Steps) -> str:
    if steps.lone is not None:
        return '"Action:" with the name of a tool is missing before "Action Input:".'
    return ""
