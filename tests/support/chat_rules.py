"""Say why OpenAI would refuse a request for a chat completion, after its public API reference."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from support.schema_rules import (
    NOT_IN_STRICT,
    forbidden_keywords,
    open_objects,
    optional_properties,
)

Json = dict[str, Any]

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_PICTURE = re.compile(r"https?://.|data:image/(png|jpe?g|gif|webp);base64,.")
_REASONING_MODEL = re.compile(r"o\d|gpt-[5-9]")
_NOT_AT_THE_TOP = {"oneOf", "anyOf", "allOf", "enum", "not"}
_NOT_OF_REASONING_MODELS = ("max_tokens", "stop", "logit_bias")

#: The kinds of parts that a message may have, by who speaks; None leaves them open.
_PARTS: dict[str, set[str] | None] = {
    "system": {"text"},
    "developer": {"text"},
    "user": None,
    "assistant": {"text", "refusal"},
    "tool": {"text"},
}


def refusals(body: Json) -> Iterator[str]:
    """Yield each reason why chat completions would answer 400."""
    if not body.get("model"):
        yield "model is missing"
    yield from _of_tools(body)
    yield from _of_options(body)
    yield from _of_response_format(body.get("response_format") or {})
    yield from _of_messages(body.get("messages") or [])


def _of_tools(body: Json) -> Iterator[str]:
    if body.get("tools") is None:
        for option in ("tool_choice", "parallel_tool_calls"):
            if body.get(option) is not None:
                yield f"{option} without tools"
        return
    functions = [tool["function"] for tool in body["tools"] if tool["type"] == "function"]
    names = [function["name"] for function in functions]
    if not 1 <= len(body["tools"]) <= 128:
        yield f"tools: {len(names)} of them"
    if len(names) != len(set(names)):
        yield "tools: a name occurs twice"
    for function in functions:
        yield from _of_function(function)
    yield from _of_choice(body.get("tool_choice"), names)


def _of_function(function: Json) -> Iterator[str]:
    name, parameters = function["name"], function.get("parameters", {"type": "object"})
    if not _NAME.fullmatch(name):
        yield f"tools: {name!r} is no legal name"
    if parameters.get("type") != "object":
        yield f"tools: the parameters of {name} are no object"
    if bad := _NOT_AT_THE_TOP & parameters.keys():
        yield f"tools: the parameters of {name} have {sorted(bad)} at the top"
    if function.get("strict"):
        yield from _of_strict(parameters, f"tools.{name}")


def _of_strict(schema: Any, where: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        yield f"{where}: a strict form without a schema"
    yield from open_objects(schema, where)
    yield from optional_properties(schema, where)
    yield from forbidden_keywords(schema, where, NOT_IN_STRICT)


def _of_choice(choice: Any, names: list[str]) -> Iterator[str]:
    if isinstance(choice, str) and choice not in ("auto", "none", "required"):
        yield f"tool_choice: {choice!r}"
    if isinstance(choice, dict) and choice["type"] == "function":
        wanted = choice["function"]["name"]
        if wanted not in names:
            yield f"tool_choice: {wanted!r} is not among the tools"


def _of_options(body: Json) -> Iterator[str]:
    if body.get("stream_options") is not None and not body.get("stream"):
        yield "stream_options without stream"
    stop = body.get("stop")
    if isinstance(stop, list) and not 1 <= len(stop) <= 4:
        yield f"stop: {len(stop)} sequences"
    for name in ("max_tokens", "max_completion_tokens"):
        if body.get(name) is not None and body[name] < 1:
            yield f"{name}: {body[name]}"
    if not 0 <= (body.get("temperature") or 0) <= 2:
        yield f"temperature: {body['temperature']}"
    if _REASONING_MODEL.match(body.get("model") or ""):
        for name in _NOT_OF_REASONING_MODELS:
            if body.get(name) is not None:
                yield f"{name}: not with {body['model']}"


def _of_response_format(form: Json) -> Iterator[str]:
    if form.get("type") != "json_schema":
        return
    described = form["json_schema"]
    if not _NAME.fullmatch(described.get("name", "")):
        yield f"response_format: {described.get('name')!r} is no legal name"
    if described.get("strict"):
        yield from _of_strict(described.get("schema"), "response_format")


def _of_messages(messages: list[Json]) -> Iterator[str]:
    if not messages:
        yield "messages: there are none"
    unanswered: list[str] = []
    used: set[str] = set()
    for number, message in enumerate(messages):
        where, role = f"messages[{number}]", message.get("role")
        if role not in _PARTS:
            yield f"{where}: {role!r} is no role"
            continue
        if role == "tool":
            if message["tool_call_id"] not in unanswered:
                yield f"{where}: answers no call of the message before"
            else:
                unanswered.remove(message["tool_call_id"])
        elif unanswered:
            yield f"{where}: comes before the answers to {unanswered}"
            unanswered = []
        yield from (f"{where}: {fault}" for fault in _of_content(message))
        for call in message.get("tool_calls") or ():
            yield from (f"{where}: {fault}" for fault in _of_call(call, used))
            unanswered.append(call["id"])
            used.add(call["id"])
    if unanswered:
        yield f"messages: nothing answers {unanswered}"


def _of_content(message: Json) -> Iterator[str]:
    content, role = message.get("content"), message["role"]
    if "tool_calls" in message and not message["tool_calls"]:
        yield "tool_calls is empty"
    if "tool_calls" in message and role != "assistant":
        yield f"tool_calls of a message of the {role}"
    others = (message.get(name) for name in ("tool_calls", "refusal", "audio", "function_call"))
    if content is None and not (role == "assistant" and any(others)):
        yield "content is null"
    if content in ("", []) and role != "tool":
        yield "content is empty"
    for part in content if isinstance(content, list) else []:
        yield from _of_part(part, role)


def _of_part(part: Json, role: str) -> Iterator[str]:
    kind, kinds = part["type"], _PARTS[role]
    if kinds is not None and kind not in kinds:
        yield f"a part of the kind {kind!r} in a message of the {role}"
    if kind == "text" and not part["text"]:
        yield "a text part is empty"
    if kind == "image_url" and not _PICTURE.match(part["image_url"]["url"]):
        yield f"{part['image_url']['url']:.40} leads to no picture"
    if kind == "input_audio" and part["input_audio"]["format"] not in ("wav", "mp3"):
        yield f"sound in the format {part['input_audio']['format']!r}"


def _of_call(call: Json, used: set[str]) -> Iterator[str]:
    if not call["id"] or len(call["id"]) > 40:
        yield f"the id {call['id']!r} is empty or too long"
    if call["id"] in used:
        yield f"the id {call['id']!r} was used before"
    function = call["function"]
    if not _NAME.fullmatch(function["name"]):
        yield f"a call of {function['name']!r}, which is no legal name"
    if not is_object(function["arguments"]):
        yield f"the arguments {function['arguments']!r} are no JSON object"


def is_object(text: str) -> bool:
    """Return whether a text is a JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
