"""Say why a provider would refuse a request, after the providers' public API references."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ROLES = {"system", "developer", "user", "assistant", "tool"}
_NOT_AT_THE_TOP = {"oneOf", "anyOf", "allOf", "enum", "not"}


def chat_refusals(body: Json) -> Iterator[str]:
    """Yield each reason why chat completions would answer 400."""
    if not body.get("model"):
        yield "model is missing"
    yield from _of_tools(body)
    yield from _of_options(body)
    yield from _of_messages(body.get("messages") or [])


def _of_tools(body: Json) -> Iterator[str]:
    if "tools" not in body:
        for option in ("tool_choice", "parallel_tool_calls"):
            if option in body:
                yield f"{option} without tools"
        return
    functions = [tool["function"] for tool in body["tools"]]
    names = [function["name"] for function in functions]
    if not 1 <= len(names) <= 128:
        yield f"tools: {len(names)} of them"
    if len(names) != len(set(names)):
        yield "tools: a name occurs twice"
    for function in functions:
        yield from _of_function(function)


def _of_function(function: Json) -> Iterator[str]:
    name, parameters = function["name"], function.get("parameters", {"type": "object"})
    if not _NAME.fullmatch(name):
        yield f"tools: {name!r} is no legal name"
    if parameters.get("type") != "object":
        yield f"tools: the parameters of {name} are no object"
    if bad := _NOT_AT_THE_TOP & parameters.keys():
        yield f"tools: the parameters of {name} have {sorted(bad)} at the top"
    if function.get("strict"):
        yield from _of_strict(parameters, name)


def _of_strict(schema: Any, where: str) -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from _of_strict(item, where)
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties", {})
    if schema.get("type") == "object" or properties:
        if schema.get("additionalProperties") is not False:
            yield f"strict {where}: an object is open"
        if optional := properties.keys() - set(schema.get("required", [])):
            yield f"strict {where}: {sorted(optional)} may be absent"
    for key, part in schema.items():
        if key not in {"enum", "const", "default", "examples"}:
            yield from _of_strict(part, f"{where}.{key}")


def _of_options(body: Json) -> Iterator[str]:
    if "stream_options" in body and not body.get("stream"):
        yield "stream_options without stream"
    if "stop" in body and not 1 <= len(body["stop"]) <= 4:
        yield f"stop: {len(body['stop'])} sequences"
    form = body.get("response_format", {}).get("json_schema")
    if form is not None:
        if not _NAME.fullmatch(form.get("name", "")):
            yield f"response_format: {form.get('name')!r} is no legal name"
        if form.get("strict"):
            yield from _of_strict(form["schema"], "response_format")


def _of_messages(messages: list[Json]) -> Iterator[str]:
    if not messages:
        yield "messages: there are none"
    unanswered: list[str] = []
    used: set[str] = set()
    for number, message in enumerate(messages):
        where, role = f"messages[{number}]", message.get("role")
        if role not in _ROLES:
            yield f"{where}: {role!r} is no role"
        if role == "tool":
            if message["tool_call_id"] not in unanswered:
                yield f"{where}: answers no call of the message before"
            else:
                unanswered.remove(message["tool_call_id"])
        elif unanswered:
            yield f"{where}: comes before the answers to {unanswered}"
            unanswered = []
        yield from (f"{where}: {fault}" for fault in _of_content(message))
        for call in message.get("tool_calls", []):
            yield from (f"{where}: {fault}" for fault in _of_call(call, used))
            unanswered.append(call["id"])
            used.add(call["id"])
    if unanswered:
        yield f"messages: nothing answers {unanswered}"


def _of_content(message: Json) -> Iterator[str]:
    content = message.get("content")
    if "tool_calls" in message and not message["tool_calls"]:
        yield "tool_calls is empty"
    if content is None and not message.get("tool_calls"):
        yield "content is null"
    if content in ("", []) and message["role"] != "tool":
        yield "content is empty"
    for part in content if isinstance(content, list) else []:
        if part["type"] == "text" and not part["text"]:
            yield "a text part is empty"
        if part["type"] == "image_url" and message["role"] != "user":
            yield "a picture that is not the user's"


def _of_call(call: Json, used: set[str]) -> Iterator[str]:
    if not call["id"] or len(call["id"]) > 40:
        yield f"the id {call['id']!r} is empty or too long"
    if call["id"] in used:
        yield f"the id {call['id']!r} was used before"
    function = call["function"]
    if not _NAME.fullmatch(function["name"]):
        yield f"a call of {function['name']!r}, which is no legal name"
    try:
        readable = isinstance(json.loads(function["arguments"]), dict)
    except ValueError:
        readable = False
    if not readable:
        yield f"the arguments {function['arguments']!r} are no JSON object"
