"""A prompt that failed is tried again where that may help, and the listeners hear of it."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.errors import (
    DriverAuthenticationError,
    DriverConnectionError,
    DriverError,
    DriverNotFoundError,
    DriverRateLimitError,
    DriverRequestError,
    DriverServerError,
    DriverTimeoutError,
)
from agenthost_sdk.events import BaseEvent, FinishPromptEvent, RestartPromptEvent
from agenthost_sdk.failures import driver_error, retry_after
from agenthost_sdk.keys import keep_secret
from agenthost_sdk.messages import (
    DeltaMessage,
    Message,
    PromptStack,
    TextDeltaMessageContent,
    Usage,
    text_message,
)
from agenthost_sdk.retrying import _wait
from agenthost_sdk.testing import ScriptedDriver

Reply = str | Message | BaseException


class Refused(Exception):
    """What a provider's package raises: a status, a body, a response with headers."""

    def __init__(self, status_code: int, body: Any = None, **headers: str) -> None:
        super().__init__(f"Error code: {status_code}")
        self.status_code = status_code
        self.body = body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.response = type("Response", (), {"headers": named})()


def scripted(*replies: Reply, **fields: Any) -> ScriptedDriver:
    return ScriptedDriver(list(replies), **{"max_attempts": 2, "min_retry_delay": 0.0} | fields)


def asked(driver: BasePromptDriver, is_async: bool, events: list[BaseEvent]) -> Message:
    if is_async:
        return asyncio.run(driver.arun("q", events.append))
    return driver.run("q", events.append)


@pytest.mark.parametrize(
    "failure",
    [
        ConnectionResetError("reset"),
        TimeoutError("late"),
        DriverConnectionError("gone"),
        *(Refused(status) for status in (408, 409, 429, 500, 502, 503, 504, 529)),
    ],
    ids=str,
)
def test_what_may_pass_is_tried_again_and_told(failure: Exception, is_async: bool) -> None:
    events: list[BaseEvent] = []

    reply = asked(scripted(failure, "Here."), is_async, events)

    assert reply.to_text() == "Here."
    [restart] = [event for event in events if isinstance(event, RestartPromptEvent)]
    assert restart.attempt == 2
    assert restart.error
    [finish] = [event for event in events if isinstance(event, FinishPromptEvent)]
    assert finish.attempt == 2
    assert finish.error is None


@pytest.mark.parametrize(
    "failure",
    [
        *(Refused(status) for status in (400, 401, 403, 404, 413, 422)),
        ValueError("a bug"),
        KeyError("a bug"),
        DriverError("no"),
    ],
    ids=str,
)
def test_what_will_not_pass_is_raised_at_once(failure: Exception, is_async: bool) -> None:
    driver = scripted(failure, "never asked")

    with pytest.raises((DriverError, ValueError, KeyError)):
        asked(driver, is_async, [])

    assert len(driver.stacks) == 1


def test_the_last_failure_is_raised_when_all_attempts_are_used_up(is_async: bool) -> None:
    driver = scripted(*[Refused(500, {"message": f"no {n}"}) for n in (1, 2, 3)], max_attempts=3)

    with pytest.raises(DriverServerError, match="no 3"):
        asked(driver, is_async, [])

    assert len(driver.stacks) == 3


def test_ignored_types_are_not_tried_again_and_neither_is_what_they_cause() -> None:
    named = scripted(DriverRateLimitError("slow"), "x", ignored_exception_types=(DriverError,))
    caused = scripted(TimeoutError("late"), "x", ignored_exception_types=(TimeoutError,))

    for driver in (named, caused):
        with pytest.raises(DriverError):
            driver.run("q")
        assert len(driver.stacks) == 1


def test_a_wait_past_the_deadline_is_not_begun(is_async: bool) -> None:
    failure = Refused(429, retry_after="3600")
    driver = scripted(failure, "never asked", max_retry_seconds=60.0)

    with pytest.raises(DriverRateLimitError) as caught:
        asked(driver, is_async, [])

    assert caught.value.retry_after == 3600.0
    assert len(driver.stacks) == 1


class State:
    """What tenacity tells of an attempt that failed."""

    def __init__(self, number: int, error: Exception) -> None:
        self.attempt_number = number
        self.outcome = type("Outcome", (), {"exception": lambda self: error})()


def test_waits_double_up_to_the_longest_and_are_spread_a_little() -> None:
    driver = scripted("x", min_retry_delay=2.0, max_retry_delay=10.0)
    failure = DriverServerError("no")

    for number, least in ((1, 2.0), (2, 4.0), (3, 8.0), (4, 10.0), (9, 10.0), (9_999, 10.0)):
        waits = [_wait(driver, State(number, failure)) for _ in range(50)]  # type: ignore[arg-type]
        assert least <= min(waits) <= max(waits) <= least * 1.25
        assert len(set(waits)) > 1


def test_no_wait_is_shorter_than_none() -> None:
    driver = scripted("x", min_retry_delay=-3.0, max_retry_delay=-1.0)

    assert _wait(driver, State(1, DriverServerError("no"))) == 0.0  # type: ignore[arg-type]


def test_the_time_that_a_provider_asks_for_is_kept() -> None:
    driver = scripted("x", min_retry_delay=0.0)
    failure = DriverRateLimitError("slow", retry_after=7.0)

    assert 7.0 <= _wait(driver, State(1, failure)) <= 7.0 * 1.25  # type: ignore[arg-type]


@dataclass(kw_only=True, eq=False)
class Breaking(BasePromptDriver):
    """Break off in mid stream as often as it is told, then speak to the end."""

    provider = "breaking"
    model: str = "breaking-1"
    stream: bool = True
    min_retry_delay: float = 0.0
    breaks: int = 1
    #: How it breaks off, where not by just ending.
    lost: DriverError | None = None
    asked: list[PromptStack] = field(default_factory=list)

    def try_run(self, stack: PromptStack) -> Message:
        raise NotImplementedError

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        self.asked.append(stack)
        yield DeltaMessage(TextDeltaMessageContent("Half"), Usage(5, 1))
        if len(self.asked) <= self.breaks:
            if self.lost is not None:
                raise self.lost
            yield DeltaMessage(finish="incomplete")
        else:
            yield DeltaMessage(TextDeltaMessageContent(" and half."), finish="stop")


def test_a_stream_that_breaks_off_starts_again(is_async: bool) -> None:
    events: list[BaseEvent] = []
    reply = asked(Breaking(), is_async, events)

    assert reply.to_text() == "Half and half."
    restarts = [event for event in events if isinstance(event, RestartPromptEvent)]
    assert [(one.attempt, one.error) for one in restarts] == [(2, "The reply broke off.")]


def test_a_stream_that_always_breaks_off_stands_as_far_as_it_came(is_async: bool) -> None:
    driver = Breaking(breaks=9, max_attempts=3)

    reply = asked(driver, is_async, [])

    assert (reply.to_text(), reply.finish) == ("Half", "incomplete")
    assert len(driver.asked) == 3


@pytest.mark.parametrize("lost", [None, DriverServerError("Overloaded.")], ids=str)
def test_the_finish_counts_the_tokens_of_what_broke_off_too(
    lost: DriverError | None, is_async: bool
) -> None:
    events: list[BaseEvent] = []
    reply = asked(Breaking(breaks=2, max_attempts=3, lost=lost), is_async, events)

    assert reply.usage == Usage(5, 1)
    assert isinstance(events[-1], FinishPromptEvent)
    assert events[-1].usage == Usage(15, 3)


@dataclass(kw_only=True, eq=False)
class Pausing(Breaking):
    """Pause in mid reply as often as it is told."""

    def try_run(self, stack: PromptStack) -> Message:
        self.asked.append(stack)
        is_over = len(self.asked) > self.breaks
        return Message(
            "assistant",
            text_message("assistant", f"part {len(self.asked)};").content,
            finish="stop" if is_over else "pause",
        )

    async def atry_stream(self, stack: PromptStack) -> AsyncIterator[DeltaMessage]:
        yield DeltaMessage(TextDeltaMessageContent(self.try_run(stack).to_text()), finish="stop")


def test_a_reply_that_its_provider_paused_is_gone_on_with(is_async: bool) -> None:
    driver = Pausing(stream=False, breaks=2)

    reply = asked(driver, is_async, [])

    assert (reply.to_text(), reply.finish) == ("part 1;part 2;part 3;", "stop")
    last = [message.to_text() for message in driver.asked[-1].messages]
    assert last == ["q", "part 1;part 2;"]


def test_a_reply_that_is_paused_without_end_is_a_failure() -> None:
    with pytest.raises(DriverError, match="paused its reply 16 times"):
        Pausing(stream=False, breaks=10**6).run("q")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, DriverRequestError),
        (401, DriverAuthenticationError),
        (403, DriverAuthenticationError),
        (404, DriverNotFoundError),
        (408, DriverTimeoutError),
        (413, DriverRequestError),
        (429, DriverRateLimitError),
        (500, DriverServerError),
        (529, DriverServerError),
    ],
)
def test_the_status_decides_the_class(status: int, kind: type[DriverError]) -> None:
    error = driver_error(Refused(status, {"error": {"message": "Because."}}), provider="p")

    assert type(error) is kind
    assert error.status == status
    assert "p: Because." in str(error)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("overloaded_error", DriverServerError),
        ("rate_limit_error", DriverRateLimitError),
        ("invalid_request_error", DriverRequestError),
        ("authentication_error", DriverAuthenticationError),
        ("billing_error", DriverRequestError),
        ("not_found_error", DriverNotFoundError),
        ("timeout_error", DriverTimeoutError),
        ("something_new", DriverServerError),
    ],
)
def test_in_mid_stream_the_word_in_the_body_decides(word: str, kind: type[DriverError]) -> None:
    error = RuntimeError("stream")
    error.body = {"type": "error", "error": {"type": word, "message": "Oh."}}  # type: ignore[attr-defined]

    assert type(driver_error(error)) is kind


def test_an_error_names_the_request_and_what_to_check() -> None:
    refused = Refused(401, {"error": {"message": "Bad key."}}, x_request_id="req_7")

    error = driver_error(refused, provider="openai", model="m", key_name="OPENAI_API_KEY")

    words = "openai:m: Bad key. Check the key in OPENAI_API_KEY. (status 401, request req_7)"
    assert str(error) == words


def test_a_wait_is_read_in_milliseconds_seconds_or_as_a_date() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)

    assert retry_after({"retry-after-ms": "1500", "retry-after": "9"}) == 1.5
    assert retry_after({"retry-after": "9"}) == 9.0
    assert 90 < (retry_after({"retry-after": soon}) or 0) <= 100
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
    for odd in ("soon", "-1", "nan", "inf", ""):
        assert retry_after({"retry-after": odd}) is None


def test_the_traceback_of_a_failure_holds_no_key() -> None:
    keep_secret("key-of-the-test")
    refused = Refused(401, {"message": "no"})
    refused.args = ("Error code: 401 - key-of-the-test",)
    refused.__context__ = RuntimeError("with key-of-the-test")

    try:
        raise driver_error(refused) from refused
    except DriverError as error:
        told = "".join(traceback.format_exception(error))

    assert "Error code: 401 - [redacted]" in told
    assert "with [redacted]" in told
    assert "key-of-the-test" not in told
