"""A loop of calls as one writes it by hand on Anthropic's SDK, after its examples."""

from __future__ import annotations

import json
from typing import Any

import anthropic

from support.bare_loops import DESCRIPTION, MAX_TOKENS, MODEL, NAME, PARAMETERS, Json, outputs

_TOOLS: Any = [{"name": NAME, "description": DESCRIPTION, "input_schema": PARAMETERS}]


class BareAnthropic:
    """The loop on the Messages API.

    Args:
        url: The base URL.
        stream: Whether the replies come in pieces.
    """

    def __init__(self, url: str, *, stream: bool) -> None:
        self._client = anthropic.Anthropic(base_url=url, api_key="k", max_retries=0)
        self._async = anthropic.AsyncAnthropic(base_url=url, api_key="k", max_retries=0)
        self._stream = stream

    def run(self, question: str) -> str:
        """Return the answer."""
        messages: list[Any] = [{"role": "user", "content": question}]
        while True:
            content = self._streamed(messages) if self._stream else self._asked(messages)
            if not _answered(messages, content):
                return _text(content)

    async def arun(self, question: str) -> str:
        """Return the answer, without blocking the event loop."""
        messages: list[Any] = [{"role": "user", "content": question}]
        while True:
            asked = self._astreamed(messages) if self._stream else self._aasked(messages)
            content = await asked
            if not _answered(messages, content):
                return _text(content)

    def close(self) -> None:
        """Give up the connections of `run`."""
        self._client.close()

    async def aclose(self) -> None:
        """Give up the connections of `arun`."""
        await self._async.close()

    def _asked(self, messages: list[Any]) -> list[Any]:
        reply = self._client.messages.create(
            model=MODEL, max_tokens=MAX_TOKENS, messages=messages, tools=_TOOLS
        )
        return list(reply.content)

    async def _aasked(self, messages: list[Any]) -> list[Any]:
        reply = await self._async.messages.create(
            model=MODEL, max_tokens=MAX_TOKENS, messages=messages, tools=_TOOLS
        )
        return list(reply.content)

    def _streamed(self, messages: list[Any]) -> list[Any]:
        said = _Streamed()
        for event in self._client.messages.create(
            model=MODEL, max_tokens=MAX_TOKENS, messages=messages, tools=_TOOLS, stream=True
        ):
            said.add(event)
        return said.blocks

    async def _astreamed(self, messages: list[Any]) -> list[Any]:
        said = _Streamed()
        async for event in await self._async.messages.create(
            model=MODEL, max_tokens=MAX_TOKENS, messages=messages, tools=_TOOLS, stream=True
        ):
            said.add(event)
        return said.blocks


class _Streamed:
    """The blocks of a streamed reply, put together."""

    def __init__(self) -> None:
        self.blocks: list[Any] = []
        self._json = ""

    def add(self, event: Any) -> None:
        if event.type == "content_block_start":
            self.blocks.append(event.content_block)
            self._json = ""
        elif event.type == "content_block_delta":
            if event.delta.type == "text_delta":
                self.blocks[-1].text += event.delta.text
            elif event.delta.type == "input_json_delta":
                self._json += event.delta.partial_json
        elif event.type == "content_block_stop" and self.blocks[-1].type == "tool_use":
            self.blocks[-1].input = json.loads(self._json or "{}")


def _answered(messages: list[Any], content: list[Any]) -> bool:
    """Append a reply and the results of its calls; return whether there are any."""
    messages.append({"role": "assistant", "content": content})
    called = [block for block in content if block.type == "tool_use"]
    if not called:
        return False
    found = outputs([(block.name, block.input) for block in called])
    results: list[Json] = [
        {"type": "tool_result", "tool_use_id": block.id, "content": output}
        for block, output in zip(called, found, strict=True)
    ]
    messages.append({"role": "user", "content": results})
    return True


def _text(content: list[Any]) -> str:
    return "".join(block.text for block in content if block.type == "text")
