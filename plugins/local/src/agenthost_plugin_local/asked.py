"""Answer with a model that is able to choose tools by itself, held to their schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agenthost_plugin_local import conversation, replies
from agenthost_plugin_local.engine import Engine
from agenthost_plugin_local.narrowing import compact
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.messages import DeltaMessage, PromptStack

_RULES = "You are a helpful assistant. Answer briefly."
_TOOLS = """You can use tools. Reply with one JSON object and nothing else:
{{"tool": NAME, "input": INPUT}} to use a tool, {{"tool": "none"}} when no tool is of use.

{tools}"""
_RESULT = (
    "Answer the question in one sentence with the result of the tool. Do not call a tool again."
)
_CALL_TOKENS = 512
#: So many examples of each activity are shown.
_EXAMPLES = 2


@dataclass(frozen=True)
class Asked:
    """The manner of answering for a model that can be asked which tool it wants."""

    engine: Engine

    def reply(self, stack: PromptStack, request: Mapping[str, Any]) -> Iterator[DeltaMessage]:
        """Yield the reply: the answer to results, a call, or plain talk."""
        if conversation.results(stack) or not stack.tools or stack.tool_choice == "none":
            return self._talk(stack, request)
        return self._call_or_talk(stack, request)

    def _call_or_talk(
        self, stack: PromptStack, request: Mapping[str, Any]
    ) -> Iterator[DeltaMessage]:
        may_decline = stack.tool_choice != "required"
        turns = conversation.as_chat(stack, _RULES)
        turns[0]["content"] += "\n\n" + _TOOLS.format(tools=_listed(stack.tools))
        pieces = self.engine.chat(
            turns,
            max_tokens=_CALL_TOKENS,
            response_format=_format(_calls(stack.tools, may_decline)),
        )
        text, usage = replies.joined(pieces)
        native, given = _read(text)
        if native in {spec.native for spec in stack.tools}:
            yield from replies.call(native, given, usage)
        else:
            yield from self._talk(stack, request)

    def _talk(self, stack: PromptStack, request: Mapping[str, Any]) -> Iterator[DeltaMessage]:
        turns = conversation.as_chat(stack, _RULES)
        if conversation.results(stack):
            turns[0]["content"] += "\n" + _RESULT
        return replies.streamed(self.engine.chat(turns, **request))


def _format(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"schema": compact(schema)}}


def _calls(specs: Iterable[ToolSpec], may_decline: bool) -> dict[str, Any]:
    """Return the schema of a call of any of the activities."""
    calls = [_object(tool={"const": spec.native}, input=dict(spec.schema)) for spec in specs]
    if may_decline:
        calls.append(_object(tool={"const": "none"}))
    return {"anyOf": calls}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _listed(specs: Iterable[ToolSpec]) -> str:
    return "\n\n".join(_described(spec) for spec in specs)


def _described(spec: ToolSpec) -> str:
    fields = json.dumps(spec.schema.get("properties", {}), ensure_ascii=False)
    shown = [
        f'"{example.question}" -> {json.dumps(dict(example.input), ensure_ascii=False)}'
        for example in spec.examples[:_EXAMPLES]
    ]
    return "\n".join([f"{spec.native}: {spec.description}", f"Input: {fields}", *shown])


def _read(text: str) -> tuple[str, dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError:
        return "none", {}
    given = value.get("input", {}) if isinstance(value, dict) else {}
    native = value.get("tool", "none") if isinstance(value, dict) else "none"
    return str(native), given if isinstance(given, dict) else {}
