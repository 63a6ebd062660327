"""The dialect `actions_json`: Thought, Actions as a JSON array, Answer, in plain text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, count
from typing import Any, ClassVar

from agenthost.dialects.reading import read_input
from agenthost_sdk.actions import NativeNames, ToolAction, ToolSpec
from agenthost_sdk.artifacts import ErrorArtifact, TextArtifact
from agenthost_sdk.dialects import BaseDialect, Offer, Reply
from agenthost_sdk.errors import NotFoundError
from agenthost_sdk.messages import Message, TextMessageContent

#: Ends the model's turn: what stands behind it is the host's to write.
RESPONSE = "<|Response|>"

_LABEL = re.compile(
    r"^[ \t]*(?:\*\*)?(Thought|Actions|Answer)(?:\*\*)?[ \t]*[:：](?:\*\*)?[ \t]*", re.MULTILINE
)

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


class ActionsJson(BaseDialect):
    """For models without function calling: actions as a JSON array behind `Actions:`.

    A reply with no label at all is the answer as it stands.
    """

    name: ClassVar[str] = "actions_json"

    def offer(self, table: NativeNames) -> Offer:
        """Return the format, the tools and the actions' JSON Schema as text; nothing natively."""
        if not len(table):
            return Offer()
        schema = json.dumps(_actions_schema(table), ensure_ascii=False, separators=(",", ":"))
        parts = [_FORMAT, f"The JSON Schema of the array:\n{schema}", *_few_shot(table)]
        return Offer(system="\n\n".join(parts), stop=(RESPONSE,))

    def read(self, message: Message, table: NativeNames) -> Reply:
        """Return the actions of a reply; without any, the answer; else what is wrong with it."""
        text = message.to_text().split(RESPONSE)[0].strip()
        if not text:
            return Reply(problem=f"The reply was empty. {_REMINDER}")
        sections = list(_sections(text))
        answer = "".join(body for label, body in sections if label == "Answer").strip()
        if not len(table):
            return Reply(answer=TextArtifact(answer or text))
        thought = "\n".join(body for label, body in sections if label == "Thought").strip()
        found, fault = _decoded([body for label, body in sections if label == "Actions"])
        if found:
            return Reply(thought, tuple(_actions(found, table)))
        if message.finish == "incomplete":
            return Reply(thought, problem="The reply broke off. Write it again, whole.")
        if answer or not sections:
            return Reply(thought, answer=TextArtifact(answer or text))
        fault = fault or "The reply has neither actions nor an answer."
        return Reply(thought, problem=f"{fault} {_REMINDER}")

    def answer(self, reply: Reply, actions: Sequence[ToolAction]) -> tuple[Message, ...]:
        """Return the round as it would have been written, then the results by tag."""
        shown = json.dumps([action.to_dict() for action in actions], ensure_ascii=False)
        thought = f"Thought: {reply.thought}\n" if reply.thought else ""
        results = "\n".join(f"{action.tag}: {action.output}" for action in actions)
        return (
            _said("assistant", f"{thought}Actions: {shown}"),
            _said("user", f"{RESPONSE}: {results}"),
        )


_REMINDER = (
    'Write "Actions:" and a JSON array of actions to act, or "Answer:" and the answer to end.'
)


def _said(role: Any, text: str) -> Message:
    return Message(role, (TextMessageContent(text),))


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield each label with what follows it; an answer goes to the end, labels in it and all."""
    label = _LABEL.search(text)
    while label:
        following = None if label[1] == "Answer" else _following(text, label)
        yield label[1], text[label.end() : following.start() if following else len(text)]
        label = following


def _following(text: str, label: re.Match[str]) -> re.Match[str] | None:
    """Return the next label; one that stands in a text of the actions' JSON is none."""
    following = _LABEL.search(text, label.end())
    opening = _OPENING.search(text, label.end(), following.start() if following else len(text))
    if following and opening and label[1] == "Actions":
        with suppress(ValueError, RecursionError):
            return _LABEL.search(text, _DECODER.raw_decode(text, opening.start())[1])
    return following


def _decoded(arrays: Sequence[str]) -> tuple[list[Any], str]:
    """Return the items of all arrays, and what is wrong where one cannot be read.

    A single object counts as an array of one; words before either and after it are passed over.
    """
    items: list[Any] = []
    fault = ""
    for body in arrays:
        start = _OPENING.search(body)
        try:
            decoded = _DECODER.raw_decode(body, start.start())[0] if start else []
        except (ValueError, RecursionError) as error:
            fault = f"The actions are no valid JSON array ({error})."
            continue
        items += decoded if isinstance(decoded, list) else [decoded]
    return items, fault


_OPENING = re.compile(r"[\[{]")

#: How much of something that is no action the model is shown again.
_SHOWN = 80

_DECODER = json.JSONDecoder(strict=False)


def _actions(items: Sequence[Any], table: NativeNames) -> Iterator[ToolAction]:
    written = [_tag(item) for item in items]
    given: set[str] = set()
    for place, (item, tag) in enumerate(zip(items, written, strict=True), 1):
        unique = tag
        if not tag or tag in given:
            unique = _unused(tag or f"action_{place}", {*written, *given})
        action = _action(item, unique, table)
        if tag in given:
            words = f"The tag {tag!r} stands twice in one array; tags must be unique."
            action = _refused(action, words, "duplicate-tag")
        given.add(unique)
        yield action


def _tag(item: Any) -> str:
    tag = item.get("tag") if isinstance(item, dict) else None
    return "" if tag is None else str(tag)


def _unused(tag: str, taken: set[str]) -> str:
    numbered = (f"{tag}_{number}" for number in count(2))
    return next(name for name in chain([tag], numbered) if name not in taken)


def _action(item: Any, tag: str, table: NativeNames) -> ToolAction:
    if not isinstance(item, dict):
        words = f"An action must be a JSON object, not {json.dumps(item)[:_SHOWN]}."
        return _refused(ToolAction(tag, "unknown"), words, "invalid-action")
    name, path = item.get("name"), item.get("path")
    if not isinstance(name, str) or not name:
        words = f'The action {tag!r} has no "name". Names: {", ".join(table.specs)}.'
        return _refused(ToolAction(tag, "unknown"), words, "invalid-action")
    try:
        spec = table.find(name, path if isinstance(path, str) else None)
    except NotFoundError as error:
        unknown = ToolAction(tag, name, path if isinstance(path, str) else None)
        return _refused(unknown, str(error), "not-found")
    return _with_input(ToolAction(tag, spec.name, spec.path), item.get("input"))


def _with_input(action: ToolAction, given: Any) -> ToolAction:
    if isinstance(given, dict):
        return ToolAction(action.tag, action.name, action.path, given)
    return read_input(action, given if isinstance(given, str) else json.dumps(given))


def _refused(action: ToolAction, words: str, code: str) -> ToolAction:
    return action.with_output(ErrorArtifact(words, code=code))


def _actions_schema(table: NativeNames) -> dict[str, Any]:
    definitions: dict[str, Any] = {}
    branches = [_branch(spec, definitions) for spec in table.specs.values()]
    schema = {"type": "array", "minItems": 1, "items": {"anyOf": branches}}
    return {**schema, "$defs": definitions} if definitions else schema


def _branch(spec: ToolSpec, definitions: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {"tag": {"type": "string"}, "name": {"const": spec.name}}
    if spec.path is not None:
        properties["path"] = {"const": spec.path}
    properties["input"] = _input(spec, definitions)
    return {
        "type": "object",
        "description": spec.description,
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def _input(spec: ToolSpec, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the input's schema; one with references becomes a definition of the array's."""
    place = f"#/$defs/{spec.native}"
    moved: dict[str, Any] = _moved(dict(spec.schema), place)
    if moved == spec.schema:
        return moved
    definitions[spec.native] = moved
    return {"$ref": place}


def _moved(part: Any, place: str) -> Any:
    """Return a schema with its references leading to where it now stands."""
    if isinstance(part, list):
        return [_moved(item, place) for item in part]
    if not isinstance(part, dict):
        return part
    moved = {key: _moved(value, place) for key, value in part.items()}
    reference = moved.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        moved["$ref"] = place + reference[1:]
    return moved


def _few_shot(table: NativeNames) -> Iterator[str]:
    """Show one whole round, made of the first activity that has an example."""
    for spec in table.specs.values():
        if spec.examples:
            example = spec.examples[0]
            action = ToolAction("1", spec.name, spec.path, example.input)
            shown = json.dumps([action.to_dict()], ensure_ascii=False)
            yield (
                f"An example, for the question {example.question!r}:\n\n"
                f"Thought: {spec.name} can tell.\nActions: {shown}"
            )
            return
