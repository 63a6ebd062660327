"""Loops of tool calls as one writes them by hand on the bare SDK of a provider.

They do what the SDKs' own examples do: ask with all messages, read the calls, call the function,
append the results, ask again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anthropic
import openai

Json = dict[str, Any]

MODEL = "m"
MAX_TOKENS = 1024

#: The function that the model may call, in JSON Schema.
DESCRIPTION = "Count the units on hand."
PARAMETERS: Json = {
    "type": "object",
    "properties": {
        "sku": {"type": "string", "description": "Stock keeping unit."},
        "shelf": {"type": "integer", "description": "The shelf's number."},
        "reserved": {"type": "boolean", "description": "Count reserved units too."},
    },
    "required": ["sku", "shelf"],
    "additionalProperties": False,
}


def count(sku: str, shelf: int, reserved: bool = False) -> int:
    """Count the units on hand."""
    return shelf


FUNCTIONS: dict[str, Callable[..., Any]] = {"Shelf_count": count}

_OPENAI_TOOLS: Any = [
    {
        "type": "function",
        "function": {
            "name": "Shelf_count",
            "description": DESCRIPTION,
            "parameters": PARAMETERS,
        },
    }
]
_ANTHROPIC_TOOLS: Any = [
    {"name": "Shelf_count", "description": DESCRIPTION, "input_schema": PARAMETERS}
]


class BareOpenAi:
    """The loop on chat completions.

    Args:
        url: The base URL.
    """

    def __init__(self, url: str) -> None:
        self._client = openai.OpenAI(base_url=url, api_key="k", max_retries=0)
        self._async = openai.AsyncOpenAI(base_url=url, api_key="k", max_retries=0)

    def run(self, system: str, question: str, *, stream: bool) -> str:
        """Ask until there is an answer, and return it."""
        messages = self._begun(system, question)
        while True:
            calls, text = self._asked(messages, stream)
            if not calls:
                return text
            _answer_chat(messages, calls)

    async def arun(self, system: str, question: str, *, stream: bool) -> str:
        """Do what `run` does, without blocking the event loop."""
        messages = self._begun(system, question)
        while True:
            calls, text = await self._aasked(messages, stream)
            if not calls:
                return text
            _answer_chat(messages, calls)

    def close(self) -> None:
        self._client.close()

    async def aclose(self) -> None:
        await self._async.close()

    def _begun(self, system: str, question: str) -> list[Any]:
        said = [{"role": "system", "content": system}] if system else []
        return [*said, {"role": "user", "content": question}]

    def _asked(self, messages: list[Any], stream: bool) -> tuple[list[Json], str]:
        if not stream:
            return _completed(
                messages,
                self._client.chat.completions.create(
                    model=MODEL, messages=messages, tools=_OPENAI_TOOLS
                ),
            )
        chunks = self._client.chat.completions.create(
            model=MODEL,
            messages=messages,
            tools=_OPENAI_TOOLS,
            stream=True,
            stream_options={"include_usage": True},
        )
        said = _StreamedChat()
        for chunk in chunks:
            said.add(chunk)
        return said.end(messages)

    async def _aasked(self, messages: list[Any], stream: bool) -> tuple[list[Json], str]:
        if not stream:
            return _completed(
                messages,
                await self._async.chat.completions.create(
                    model=MODEL, messages=messages, tools=_OPENAI_TOOLS
                ),
            )
        chunks = await self._async.chat.completions.create(
            model=MODEL,
            messages=messages,
            tools=_OPENAI_TOOLS,
            stream=True,
            stream_options={"include_usage": True},
        )
        said = _StreamedChat()
        async for chunk in chunks:
            said.add(chunk)
        return said.end(messages)


class _StreamedChat:
    """A streamed completion, put together."""

    def __init__(self) -> None:
        self._text = ""
        self._calls: dict[int, Json] = {}

    def add(self, chunk: Any) -> None:
        if not chunk.choices:
            return
        delta = chunk.choices[0].delta
        self._text += delta.content or ""
        for piece in delta.tool_calls or []:
            if piece.index not in self._calls:
                self._calls[piece.index] = {
                    "id": piece.id,
                    "name": piece.function.name,
                    "arguments": "",
                }
            self._calls[piece.index]["arguments"] += piece.function.arguments or ""

    def end(self, messages: list[Any]) -> tuple[list[Json], str]:
        calls = list(self._calls.values())
        message: Json = {"role": "assistant", "content": self._text}
        if calls:
            message["tool_calls"] = [
                {
                    "id": call["id"],
                    "type": "function",
                    "function": {"name": call["name"], "arguments": call["arguments"]},
                }
                for call in calls
            ]
        messages.append(message)
        return calls, self._text


def _completed(messages: list[Any], completion: Any) -> tuple[list[Json], str]:
    message = completion.choices[0].message
    messages.append(message)
    calls = [
        {"id": call.id, "name": call.function.name, "arguments": call.function.arguments}
        for call in message.tool_calls or []
    ]
    return calls, message.content or ""


def _answer_chat(messages: list[Any], calls: list[Json]) -> None:
    given = [json.loads(call["arguments"]) for call in calls]
    outputs = _called((call["name"], one) for call, one in zip(calls, given, strict=True))
    for call, output in zip(calls, outputs, strict=True):
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": output})


class BareAnthropic:
    """The loop on the Messages API.

    Args:
        url: The base URL.
    """

    def __init__(self, url: str) -> None:
        self._client = anthropic.Anthropic(base_url=url, api_key="k", max_retries=0)
        self._async = anthropic.AsyncAnthropic(base_url=url, api_key="k", max_retries=0)

    def run(self, system: str, question: str, *, stream: bool) -> str:
        """Ask until there is an answer, and return it."""
        messages: list[Any] = [{"role": "user", "content": question}]
        while True:
            calls, text = self._asked(system, messages, stream)
            if not calls:
                return text
            _answer_messages(messages, calls)

    async def arun(self, system: str, question: str, *, stream: bool) -> str:
        """Do what `run` does, without blocking the event loop."""
        messages: list[Any] = [{"role": "user", "content": question}]
        while True:
            calls, text = await self._aasked(system, messages, stream)
            if not calls:
                return text
            _answer_messages(messages, calls)

    def close(self) -> None:
        self._client.close()

    async def aclose(self) -> None:
        await self._async.close()

    def _asked(
        self, system: str, messages: list[Any], stream: bool
    ) -> tuple[list[tuple[str, str, Json]], str]:
        if not stream:
            return _replied(
                messages,
                self._client.messages.create(
                    model=MODEL,
                    max_tokens=MAX_TOKENS,
                    system=system or anthropic.omit,
                    messages=messages,
                    tools=_ANTHROPIC_TOOLS,
                ),
            )
        said = _StreamedMessage()
        for event in self._client.messages.create(
            model=MODEL,
            max_tokens=MAX_TOKENS,
            system=system or anthropic.omit,
            messages=messages,
            tools=_ANTHROPIC_TOOLS,
            stream=True,
        ):
            said.add(event)
        return said.end(messages)

    async def _aasked(
        self, system: str, messages: list[Any], stream: bool
    ) -> tuple[list[tuple[str, str, Json]], str]:
        if not stream:
            return _replied(
                messages,
                await self._async.messages.create(
                    model=MODEL,
                    max_tokens=MAX_TOKENS,
                    system=system or anthropic.omit,
                    messages=messages,
                    tools=_ANTHROPIC_TOOLS,
                ),
            )
        said = _StreamedMessage()
        events = await self._async.messages.create(
            model=MODEL,
            max_tokens=MAX_TOKENS,
            system=system or anthropic.omit,
            messages=messages,
            tools=_ANTHROPIC_TOOLS,
            stream=True,
        )
        async for event in events:
            said.add(event)
        return said.end(messages)


class _StreamedMessage:
    """A streamed message, put together."""

    def __init__(self) -> None:
        self._blocks: dict[int, Json] = {}

    def add(self, event: Any) -> None:
        if event.type == "content_block_start":
            block = event.content_block
            if block.type == "text":
                self._blocks[event.index] = {"type": "text", "text": block.text}
            elif block.type == "tool_use":
                self._blocks[event.index] = {
                    "type": "tool_use",
                    "id": block.id,
                    "name": block.name,
                    "input": "",
                }
        elif event.type == "content_block_delta":
            if event.delta.type == "text_delta":
                self._blocks[event.index]["text"] += event.delta.text
            elif event.delta.type == "input_json_delta":
                self._blocks[event.index]["input"] += event.delta.partial_json

    def end(self, messages: list[Any]) -> tuple[list[tuple[str, str, Json]], str]:
        blocks = list(self._blocks.values())
        for block in blocks:
            if block["type"] == "tool_use":
                block["input"] = json.loads(block["input"] or "{}")
        messages.append({"role": "assistant", "content": blocks})
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        used = [block for block in blocks if block["type"] == "tool_use"]
        return [(block["id"], block["name"], block["input"]) for block in used], text


def _replied(messages: list[Any], message: Any) -> tuple[list[tuple[str, str, Json]], str]:
    messages.append({"role": "assistant", "content": message.content})
    used = [block for block in message.content if block.type == "tool_use"]
    text = "".join(block.text for block in message.content if block.type == "text")
    return [(block.id, block.name, block.input) for block in used], text


def _answer_messages(messages: list[Any], calls: list[tuple[str, str, Json]]) -> None:
    outputs = _called((name, given) for _, name, given in calls)
    results = [
        {"type": "tool_result", "tool_use_id": id, "content": output}
        for (id, _, _), output in zip(calls, outputs, strict=True)
    ]
    messages.append({"role": "user", "content": results})


def _called(calls: Iterable[tuple[str, Json]]) -> list[str]:
    """Return what comes of the calls; several run side by side."""
    made = list(calls)
    if len(made) == 1:
        return [_output(*made[0])]
    with ThreadPoolExecutor(len(made)) as pool:
        return list(pool.map(lambda call: _output(*call), made))


def _output(name: str, given: Json) -> str:
    return str(FUNCTIONS[name](**given))
