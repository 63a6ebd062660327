"""Server-sent events that hold no chunk are passed over, and so is a byte order mark."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from agenthost_plugin_openai import OpenAiChatPromptDriver
from agenthost_sdk.messages import Message
from support.provider_server import chunk, sse

Streamed = Callable[[OpenAiChatPromptDriver], Message]

HELLO = sse([chunk({"role": "assistant", "content": "Hello."})], done=False)
END = sse([chunk({}, "stop")])


@pytest.fixture(params=["blocking", "async"])
def streamed(request: pytest.FixtureRequest) -> Streamed:
    """Ask a driver for a streamed reply, in each of the two ways."""

    def ask(driver: OpenAiChatPromptDriver) -> Message:
        if request.param == "async":
            return asyncio.run(driver.arun("Hello?"))
        return driver.run("Hello?")

    return ask


@pytest.mark.parametrize(
    "stream",
    [
        f"retry: 3000\n\n{HELLO}{END}",
        f"id: 7\n\n{HELLO}{END}",
        f"event: ping\n\n{HELLO}{END}",
        f"{HELLO}data:\n\n{END}",
        f"{HELLO}data\n\n{END}",
        f"{HELLO}event: ping\ndata:\n\n{END}",
        f"id: 7\n{HELLO}: keep-alive\n\n{END}",
        f": keep-alive\n\n{HELLO}\n\n\n{END}",
        f"\ufeff{HELLO}{END}",
        f"\ufeffretry: 3000\r\n\r\n{HELLO}{END}",
    ],
    ids=repr,
)
@pytest.mark.parametrize("piece", [0, 1], ids=["whole", "byte by byte"])
def test_what_holds_no_chunk_is_passed_over(
    serve: Any, streamed: Streamed, stream: str, piece: int
) -> None:
    server = serve({"status": 200, "expected": {}, "sse": stream}, piece=piece)

    reply = streamed(OpenAiChatPromptDriver(base_url=server.openai_url, api_key="k", stream=True))

    assert (reply.to_text(), reply.finish) == ("Hello.", "stop")


def test_a_byte_order_mark_within_a_reply_is_kept(serve: Any, streamed: Streamed) -> None:
    chunks = [chunk({"content": text}) for text in ("a", "\ufeffb")]
    stream = sse([*chunks, chunk({}, "stop")])
    server = serve({"status": 200, "expected": {}, "sse": stream})

    reply = streamed(OpenAiChatPromptDriver(base_url=server.openai_url, api_key="k", stream=True))

    assert reply.to_text() == "a\ufeffb"
