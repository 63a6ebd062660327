"""What the drivers read out of real answers, and of samples of our own, is what they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.errors import (
    DriverAuthenticationError,
    DriverError,
    DriverNotFoundError,
    DriverRateLimitError,
    DriverRequestError,
    DriverServerError,
)
from agenthost_sdk.messages import (
    ActionResultMessageContent,
    Message,
    PromptStack,
    TextMessageContent,
)
from traffic.recordings import folder, rows
from traffic.replay import Replay, Way, summary, ways
from traffic.samples import samples

Json = dict[str, Any]

ALL = [*samples(), *rows()]
REPLIES = [row for row in ALL if "error" not in row["expected"]]
ERRORS = [row for row in ALL if "error" in row["expected"]]

#: The error of a status, or of the code or type of an error that comes within a stream.
KINDS: dict[Any, type[DriverError]] = {
    400: DriverRequestError,
    401: DriverAuthenticationError,
    403: DriverAuthenticationError,
    404: DriverNotFoundError,
    413: DriverRequestError,
    422: DriverRequestError,
    429: DriverRateLimitError,
    500: DriverServerError,
    503: DriverServerError,
    529: DriverServerError,
    "overloaded_error": DriverServerError,
}

#: The blocks of Anthropic's that must come back as they were sent.
KEPT = ("thinking", "server_tool_use", "mcp_tool_use", "_tool_result")


def exchanges(found: Iterable[Json]) -> list[Any]:
    return [pytest.param(row, way, id=f"{row['id']}-{way}") for row in found for way in ways(row)]


@pytest.fixture(scope="module")
def replay() -> Iterator[Replay]:
    with Replay() as replay:
        yield replay


def test_the_recordings_are_read() -> None:
    if not folder().is_dir():
        pytest.skip(f"no recordings are in {folder()}")

    assert {row["api"] for row in rows()} == {"chat", "messages"}


@pytest.mark.parametrize(("row", "way"), exchanges(REPLIES))
def test_a_reply_is_read_as_it_is(replay: Replay, row: Json, way: Way) -> None:
    assert summary(replay.read(row, way)) == row["expected"]


@pytest.mark.parametrize(("row", "way"), exchanges(ERRORS))
def test_an_error_is_of_its_class_and_says_what_the_provider_said(
    replay: Replay, row: Json, way: Way
) -> None:
    error, status = row["expected"]["error"], row["status"]
    kind = KINDS[status if status != 200 else error.get("code") or error["type"]]

    with pytest.raises(DriverError) as caught:
        replay.read(row, way)

    assert type(caught.value) is kind
    assert error["message"] in str(caught.value)
    if status == 200:  # the error came within the stream, and may bring a status as its code
        assert caught.value.status in (None, status, error.get("code"))
    else:
        assert caught.value.status == status
        assert caught.value.request_id


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in REPLIES])
def test_what_was_read_is_sent_back_so_that_the_provider_takes_it(
    replay: Replay, row: Json
) -> None:
    reply = replay.read(row, Way(is_async=False))

    done = replay.read(ending(row), Way(is_async=False), going_on(reply))

    assert done.to_text() == "Done."
    assert replay.server.refused == []


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row["id"]) for row in REPLIES if row["api"] == "messages"]
)
def test_thoughts_and_server_tools_are_sent_back_as_they_came(replay: Replay, row: Json) -> None:
    came = row.get("response") or replay.as_the_sdk_has_it(row)
    reply = replay.read(row, Way(is_async=False))

    replay.read(ending(row), Way(is_async=False), going_on(reply))

    sent = [message for message in replay.sent() if message["role"] == "assistant"]
    assert kept(sent) == kept([came])


def going_on(reply: Message) -> PromptStack:
    """Return a stack in which each call of the reply has its result, and the user says more."""
    results = [
        ActionResultMessageContent(call.id, call.native, TextArtifact("4 degrees"))
        for call in reply.calls
    ]
    asked = Message("user", (TextMessageContent("?"),))
    return PromptStack([asked, reply, Message("user", (*results, TextMessageContent("Go on.")))])


def ending(row: Json) -> Json:
    """Return the reply of a model that is done, in the protocol of an exchange."""
    return {"api": row["api"], "stream": False, "text": "Done."}


def kept(messages: list[Json]) -> list[Json]:
    """Return the blocks that must come back as they were sent."""
    blocks = [block for message in messages for block in message["content"]]
    return [block for block in blocks if block["type"].endswith(KEPT)]
