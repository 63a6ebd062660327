"""A loop of calls as one writes it by hand on OpenAI's SDK, after its examples."""

from __future__ import annotations

import json
from typing import Any

import openai

from support.bare_loops import DESCRIPTION, MODEL, NAME, PARAMETERS, Json, outputs

_TOOLS: Any = [
    {
        "type": "function",
        "function": {"name": NAME, "description": DESCRIPTION, "parameters": PARAMETERS},
    }
]


class BareOpenAi:
    """The loop on chat completions.

    Args:
        url: The base URL.
        stream: Whether the replies come in pieces.
    """

    def __init__(self, url: str, *, stream: bool) -> None:
        self._client = openai.OpenAI(base_url=url, api_key="k", max_retries=0)
        self._async = openai.AsyncOpenAI(base_url=url, api_key="k", max_retries=0)
        self._stream = stream

    def run(self, question: str) -> str:
        """Return the answer."""
        messages: list[Any] = [{"role": "user", "content": question}]
        while True:
            message: Any = self._streamed(messages) if self._stream else self._asked(messages)
            if not _answered(messages, message):
                return str(message["content"] if self._stream else message.content)

    async def arun(self, question: str) -> str:
        """Return the answer, without blocking the event loop."""
        messages: list[Any] = [{"role": "user", "content": question}]
        while True:
            asked = self._astreamed(messages) if self._stream else self._aasked(messages)
            message: Any = await asked
            if not _answered(messages, message):
                return str(message["content"] if self._stream else message.content)

    def close(self) -> None:
        """Give up the connections of `run`."""
        self._client.close()

    async def aclose(self) -> None:
        """Give up the connections of `arun`."""
        await self._async.close()

    def _asked(self, messages: list[Any]) -> Any:
        completions = self._client.chat.completions
        reply = completions.create(model=MODEL, messages=messages, tools=_TOOLS)
        return reply.choices[0].message

    async def _aasked(self, messages: list[Any]) -> Any:
        completions = self._async.chat.completions
        reply = await completions.create(model=MODEL, messages=messages, tools=_TOOLS)
        return reply.choices[0].message

    def _streamed(self, messages: list[Any]) -> Json:
        said = _Streamed()
        for chunk in self._client.chat.completions.create(
            model=MODEL,
            messages=messages,
            tools=_TOOLS,
            stream=True,
            stream_options={"include_usage": True},
        ):
            said.add(chunk)
        return said.message()

    async def _astreamed(self, messages: list[Any]) -> Json:
        said = _Streamed()
        async for chunk in await self._async.chat.completions.create(
            model=MODEL,
            messages=messages,
            tools=_TOOLS,
            stream=True,
            stream_options={"include_usage": True},
        ):
            said.add(chunk)
        return said.message()


class _Streamed:
    """A streamed reply, put together."""

    def __init__(self) -> None:
        self._text = ""
        self._calls: dict[int, Any] = {}

    def add(self, chunk: Any) -> None:
        if not chunk.choices:
            return
        delta = chunk.choices[0].delta
        self._text += delta.content or ""
        for piece in delta.tool_calls or []:
            if piece.index not in self._calls:
                self._calls[piece.index] = piece
            else:
                self._calls[piece.index].function.arguments += piece.function.arguments

    def message(self) -> Json:
        message: Json = {"role": "assistant", "content": self._text}
        if self._calls:
            message["tool_calls"] = [_as_sent(call) for call in self._calls.values()]
        return message


def _as_sent(call: Any) -> Json:
    function = {"name": call.function.name, "arguments": call.function.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _answered(messages: list[Any], message: Any) -> bool:
    """Append a reply and the results of its calls; return whether there are any."""
    messages.append(message)
    if isinstance(message, dict):
        called = [(call["id"], call["function"]) for call in message.get("tool_calls", ())]
        asked = [(one["name"], json.loads(one["arguments"])) for _, one in called]
    else:
        called = [(call.id, call.function) for call in message.tool_calls or ()]
        asked = [(one.name, json.loads(one.arguments)) for _, one in called]
    if not called:
        return False
    for (id, _), output in zip(called, outputs(asked), strict=True):
        messages.append({"role": "tool", "tool_call_id": id, "content": output})
    return True
