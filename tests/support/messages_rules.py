"""Say why Anthropic would refuse a request for a message, after its public API reference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from support.messages_order import order_refusals
from support.schema_rules import open_objects

Json = dict[str, Any]

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_NOT_AT_THE_TOP = {"oneOf", "anyOf", "allOf"}
_CHOICES = ("auto", "any", "tool", "none")
_LEAST_BUDGET = 1024


def refusals(body: Json, *, is_count: bool = False) -> Iterator[str]:
    """Yield each reason why the Messages API would answer 400.

    Args:
        body: The request.
        is_count: Whether it asks how many tokens it has, and not for a reply.
    """
    if not body.get("model"):
        yield "model is missing"
    if not is_count:
        yield from _of_length(body)
    yield from _of_system(body.get("system") or "")
    yield from _of_tools(body)
    yield from _of_options(body)
    yield from _of_thinking(body.get("thinking") or {}, body)
    yield from order_refusals(body.get("messages") or [])


def _of_length(body: Json) -> Iterator[str]:
    most = body.get("max_tokens")
    if type(most) is not int or most < 1:
        yield f"max_tokens: {most!r} is no whole number from 1"


def _of_system(system: str | list[Json]) -> Iterator[str]:
    for block in system if isinstance(system, list) else ():
        if block["type"] != "text":
            yield f"system: a block of the kind {block['type']!r}"
        elif not block.get("text", "").strip():
            yield "system: a text block is empty"


def _of_tools(body: Json) -> Iterator[str]:
    tools = body.get("tools") or []
    if not tools and body.get("tool_choice") is not None:
        yield "tool_choice without tools"
    for tool in tools:
        if tool.get("type") in (None, "custom") and "input_schema" in tool:
            yield from _of_tool(tool)
    names = [tool["name"] for tool in tools if "name" in tool]
    if len(names) != len(set(names)):
        yield "tools: a name occurs twice"
    yield from _of_choice(body.get("tool_choice"), names)


def _of_tool(tool: Json) -> Iterator[str]:
    name, schema = tool["name"], tool["input_schema"]
    if not _NAME.fullmatch(name):
        yield f"tools: {name!r} is no legal name"
    if schema.get("type") != "object":
        yield f"tools: the input_schema of {name} is no object"
    if bad := _NOT_AT_THE_TOP & schema.keys():
        yield f"tools: the input_schema of {name} has {sorted(bad)} at the top"
    if tool.get("strict"):
        yield from open_objects(schema, f"tools.{name}")


def _of_choice(choice: Json | None, names: list[str]) -> Iterator[str]:
    if choice is None:
        return
    if choice["type"] not in _CHOICES:
        yield f"tool_choice: {choice['type']!r}"
    if choice["type"] == "tool" and choice["name"] not in names:
        yield f"tool_choice: {choice['name']!r} is not among the tools"


def _of_options(body: Json) -> Iterator[str]:
    if not 0 <= (body.get("temperature") or 0) <= 1:
        yield f"temperature: {body['temperature']}"
    for text in body.get("stop_sequences") or ():
        if not text.strip():
            yield f"stop_sequences: {text!r} is white space"
    form = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    if form.get("type") == "json_schema":
        yield from open_objects(form["schema"], "output_config.format")


def _of_thinking(thinking: Json, body: Json) -> Iterator[str]:
    if thinking.get("type") != "enabled":
        return
    if (body.get("tool_choice") or {}).get("type") in ("any", "tool"):
        yield "tool_choice: a call cannot be forced while the model thinks"
    if body.get("temperature") not in (None, 1):
        yield f"temperature: {body['temperature']} while the model thinks"
    budget = thinking["budget_tokens"]
    if not _LEAST_BUDGET <= budget < body.get("max_tokens", budget + 1):
        yield f"thinking: a budget of {budget} tokens of {body.get('max_tokens')}"
    yield from _of_last_turn(body.get("messages") or [])


def _of_last_turn(messages: list[Json]) -> Iterator[str]:
    """Where the model goes on after its calls, it wants the thoughts that led to them."""
    spoken = [message for message in messages if message["role"] == "assistant"]
    blocks = spoken[-1]["content"] if spoken else []
    kinds = [block["type"] for block in blocks if isinstance(block, dict)]
    if "tool_use" in kinds and not kinds[0].endswith("thinking"):
        yield "messages: the last assistant message has calls, and no thinking before them"
