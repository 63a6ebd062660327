"""Post bodies that were made beforehand through a provider's SDK: the least a driver can cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anthropic
import openai
from anthropic.types import Message, RawMessageStreamEvent
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from support.driven_loops import Way

_OPENAI: tuple[str, Any, Any] = "/chat/completions", ChatCompletion, ChatCompletionChunk
_ANTHROPIC: tuple[str, Any, Any] = "/v1/messages", Message, RawMessageStreamEvent


class ReadyBodies:
    """Posts the bodies of a run one after the other, and has the replies read by the SDK.

    Args:
        way: How the provider is asked.
        url: The base URL.
        bodies: What is posted.
    """

    def __init__(self, way: Way, url: str, bodies: Sequence[bytes]) -> None:
        given: dict[str, Any] = {"base_url": url, "api_key": "k", "max_retries": 0}
        self._client: Any
        self._async: Any
        if way.api == "openai":
            self._client, self._async = openai.OpenAI(**given), openai.AsyncOpenAI(**given)
            package: Any = openai
            path, whole, piece = _OPENAI
        else:
            self._client = anthropic.Anthropic(**given)
            self._async = anthropic.AsyncAnthropic(**given)
            package = anthropic
            path, whole, piece = _ANTHROPIC
        self._path = path
        self._stream = way.stream
        self._whole = {"cast_to": whole}
        self._pieces = {"cast_to": piece, "stream": True, "stream_cls": package.Stream[piece]}
        self._apieces = self._pieces | {"stream_cls": package.AsyncStream[piece]}
        self._bodies = bodies

    def run(self, question: str) -> str:
        """Post all of them."""
        for body in self._bodies:
            if self._stream:
                for _ in self._client.post(self._path, content=body, **self._pieces):
                    pass
            else:
                self._client.post(self._path, content=body, **self._whole)
        return ""

    async def arun(self, question: str) -> str:
        """Post all of them, without blocking the event loop."""
        for body in self._bodies:
            if self._stream:
                pieces = await self._async.post(self._path, content=body, **self._apieces)
                async for _ in pieces:
                    pass
            else:
                await self._async.post(self._path, content=body, **self._whole)
        return ""

    def close(self) -> None:
        """Give up the connections of `run`."""
        self._client.close()

    async def aclose(self) -> None:
        """Give up the connections of `arun`."""
        await self._async.close()
