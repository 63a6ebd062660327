"""Serve an exchange on loopback, and let the driver of its protocol read it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from anthropic import Anthropic

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_plugin_openai import OpenAiChatPromptDriver
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.messages import Message, PromptStack
from support.provider_server import ProviderServer

Json = dict[str, Any]

#: How a stream is cut: into single bytes, and into pieces that end anywhere.
PIECES = (1, 7, 64)


@dataclass(frozen=True)
class Way:
    """How a driver is asked: blocking or not, and in which pieces a stream reaches it."""

    is_async: bool
    piece: int = 0

    def __str__(self) -> str:
        name = "async" if self.is_async else "blocking"
        return f"{name}-{self.piece}" if self.piece else name


def ways(row: Json) -> list[Way]:
    """Return every way to ask for an exchange."""
    pieces = PIECES if row["stream"] else (0,)
    return [Way(is_async, piece) for is_async in (False, True) for piece in pieces]


class Replay:
    """A server, and the drivers that ask it; all exchanges of a module go through one.

    Use it within its `with` block, from one thread.
    """

    def __init__(self) -> None:
        self.server = ProviderServer()
        self._runner = asyncio.Runner()
        self._driver = cache(self._made)

    def __enter__(self) -> Replay:
        self.server.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._runner.close()
        self.server.__exit__(*error)

    def read(self, row: Json, way: Way, stack: PromptStack | str = "?") -> Message:
        """Return what the driver makes of an exchange, in answer to a stack."""
        self.server.replies.append({**row, "piece": way.piece})
        driver = self._driver(row["api"], bool(row["stream"]))
        if way.is_async:
            return self._runner.run(driver.arun(stack))
        return driver.run(stack)

    def as_the_sdk_has_it(self, row: Json) -> Json:
        """Return a message of a stream as Anthropic's own package puts it together."""
        self.server.replies.append(row)
        client = Anthropic(base_url=self.server.anthropic_url, api_key="key", max_retries=0)
        asked: Json = {"model": "m", "max_tokens": 9}
        asked["messages"] = [{"role": "user", "content": "?"}]
        with client, client.beta.messages.stream(**asked) as stream:
            return stream.get_final_message().to_dict(mode="json")

    def sent(self) -> list[Json]:
        """Return the messages of the last request."""
        messages: list[Json] = self.server.requests[-1]["messages"]
        return messages

    def _made(self, api: str, stream: bool) -> BasePromptDriver:
        options: Json = {"model": "m", "api_key": "key", "stream": stream, "max_attempts": 1}
        if api == "chat":
            return OpenAiChatPromptDriver(base_url=self.server.openai_url, **options)
        return AnthropicPromptDriver(base_url=self.server.anthropic_url, **options)


def summary(message: Message) -> Json:
    """Return what the recordings say of a reply."""
    return {
        "text": message.to_text(),
        "tool_calls": [
            {"id": call.id, "name": call.native, "input": json.loads(call.arguments or "{}")}
            for call in message.calls
        ],
        "finish": message.finish_reason,
        "input_tokens": message.usage.input_tokens,
        "output_tokens": message.usage.output_tokens,
    }
