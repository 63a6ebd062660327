"""Conversations that were had with one provider go on with the same, and with the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agenthost_sdk.messages import Message, TextMessageContent
from support.wire_stacks import stack_of
from traffic.recordings import rows
from traffic.replay import Replay, Way
from traffic.samples import CHAT_REQUEST, MESSAGES_REQUEST

Json = dict[str, Any]


def conversations() -> Iterator[Any]:
    """Yield each conversation that the recordings hold, once."""
    yield pytest.param("chat", CHAT_REQUEST["messages"], id="chat-sample")
    yield pytest.param("messages", MESSAGES_REQUEST["messages"], id="messages-sample")
    seen: list[Json] = []
    for row in rows():
        messages = row["request"]["messages"]
        if messages not in seen:
            seen.append(messages)
            yield pytest.param(row["api"], messages, id=row["id"])


@pytest.fixture(scope="module")
def replay() -> Iterator[Replay]:
    with Replay() as replay:
        yield replay


@pytest.mark.parametrize("to", ["chat", "messages"])
@pytest.mark.parametrize(("api", "messages"), list(conversations()))
def test_a_conversation_goes_on_with_either_provider(
    replay: Replay, api: str, messages: list[Json], to: str
) -> None:
    stack = stack_of(api, messages)
    stack.messages.append(Message("user", (TextMessageContent("And then?"),)))

    done = replay.read({"api": to, "stream": False, "text": "Done."}, Way(False), stack)

    assert done.to_text() == "Done."
    assert replay.server.refused == []
    assert asked_last(replay.sent()[-1]) == "And then?"


def asked_last(message: Json) -> str:
    """Return the last text of a message."""
    content = message["content"]
    return str(content if isinstance(content, str) else content[-1]["text"])
