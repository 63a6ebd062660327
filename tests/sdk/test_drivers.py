"""The template round a provider's two methods."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import pytest

from agenthost_sdk.artifacts import ImageArtifact, TextArtifact
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.errors import DriverError, NoDriverError
from agenthost_sdk.events import (
    ActionChunkEvent,
    BaseEvent,
    FinishPromptEvent,
    StartPromptEvent,
    TextChunkEvent,
)
from agenthost_sdk.messages import (
    DeltaMessage,
    Message,
    PromptStack,
    TextDeltaMessageContent,
    TextMessageContent,
    Usage,
)
from agenthost_sdk.testing import ScriptedDriver, calls

REPLY = Message(
    "assistant",
    (TextMessageContent("Hello there"), *calls(("A_a", {"x": 1})).content),
    Usage(7, 3),
    "actions",
)


@dataclass(kw_only=True, eq=False)
class CutDriver(BasePromptDriver):
    """Fail in the middle of a stream."""

    provider = "cut"
    model: str = "cut-1"
    closed: list[str] = field(default_factory=list)

    def try_run(self, stack: PromptStack) -> Message:
        raise DriverError("no line", provider=self.provider)

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        try:
            yield DeltaMessage(TextDeltaMessageContent("Hel"))
            raise DriverError("lost", provider=self.provider)
        finally:
            self.closed.append("stream")


@dataclass(kw_only=True, eq=False)
class AsyncDriver(CutDriver):
    """Answer natively in async code."""

    async def atry_run(self, stack: PromptStack) -> Message:
        await asyncio.sleep(0)
        return Message("assistant", (TextMessageContent("async"),))

    async def atry_stream(self, stack: PromptStack) -> AsyncIterator[DeltaMessage]:
        for text in ("as", "ync"):
            await asyncio.sleep(0)
            yield DeltaMessage(TextDeltaMessageContent(text))
        yield DeltaMessage(finish="stop")


def names(events: list[BaseEvent]) -> list[str]:
    return [event.type for event in events]


def ask(driver: BasePromptDriver, is_async: bool, events: list[BaseEvent]) -> Message:
    if is_async:
        return asyncio.run(driver.arun("q", events.append))
    return driver.run("q", events.append)


def test_a_reply_in_one_piece_has_a_start_and_a_finish(is_async: bool) -> None:
    events: list[BaseEvent] = []

    message = ask(ScriptedDriver([REPLY]), is_async, events)

    assert message == REPLY
    assert names(events) == ["StartPromptEvent", "FinishPromptEvent"]


def test_a_streamed_reply_is_told_piece_by_piece_and_put_together(is_async: bool) -> None:
    events: list[BaseEvent] = []

    message = ask(ScriptedDriver([REPLY], stream=True, piece=4), is_async, events)

    texts = [event.token for event in events if isinstance(event, TextChunkEvent)]
    inputs = [event.partial_input for event in events if isinstance(event, ActionChunkEvent)]
    assert message == REPLY
    assert texts == ["Hell", "o th", "ere"]
    assert inputs == ["", '{"x"', ": 1}"]


def test_the_events_carry_the_stack_the_message_and_its_tokens(is_async: bool) -> None:
    events: list[BaseEvent] = []

    ask(ScriptedDriver([REPLY]), is_async, events)

    start, finish = events
    assert isinstance(start, StartPromptEvent)
    assert start.stack.messages[0].to_text() == "q"
    assert (start.provider, start.model) == ("scripted", "scripted-1")
    assert isinstance(finish, FinishPromptEvent)
    assert finish.message == REPLY
    assert finish.usage == Usage(7, 3)
    assert finish.error is None


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_failed_prompt_has_its_finish_too(is_async: bool, stream: bool) -> None:
    events: list[BaseEvent] = []
    driver = CutDriver(stream=stream)

    with pytest.raises(DriverError, match="lost" if stream else "no line"):
        ask(driver, is_async, events)

    finish = events[-1]
    assert isinstance(finish, FinishPromptEvent)
    assert finish.message is None
    assert "DriverError: cut: " in (finish.error or "")


def test_a_listener_that_raises_ends_the_call_and_closes_the_stream() -> None:
    driver = CutDriver(stream=True)

    def cancelled(event: BaseEvent) -> None:
        if isinstance(event, TextChunkEvent):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        driver.run("q", cancelled)

    assert driver.closed == ["stream"]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_provider_may_write_its_own_async_methods(stream: bool) -> None:
    message = asyncio.run(AsyncDriver(stream=stream).arun("q"))

    assert message.to_text() == "async"


@pytest.mark.parametrize(
    "prompt",
    ["q", TextArtifact("q"), PromptStack.from_artifact("q")],
    ids=["text", "artifact", "stack"],
)
def test_a_driver_takes_a_text_an_artifact_or_a_stack(
    prompt: str | TextArtifact | PromptStack,
) -> None:
    driver = ScriptedDriver(["ok"])

    driver.run(prompt)

    assert driver.stacks == [PromptStack.from_artifact("q")]


def test_a_picture_can_be_asked_about() -> None:
    driver = ScriptedDriver(["a cat"])

    driver.run(ImageArtifact(b"x"))

    assert driver.stacks[0].messages[0].content[0].to_text() == "image, format png, 1 bytes"


def test_the_switches_have_the_ancestors_defaults() -> None:
    driver = CutDriver()

    assert not driver.stream
    assert not driver.use_native_tools
    assert driver.structured_output_strategy == "rule"
    assert driver.extra_params == {}


def test_two_drivers_share_no_extra_params_and_compare_by_identity() -> None:
    one, other = CutDriver(), CutDriver()
    one.extra_params["seed"] = 1

    assert other.extra_params == {}
    assert one != other
    assert len({one, other}) == 2


def test_a_driver_without_its_two_methods_cannot_be_made() -> None:
    class HalfDriver(BasePromptDriver):
        def try_run(self, stack: PromptStack) -> Message:
            return REPLY

    with pytest.raises(TypeError, match="try_stream"):
        HalfDriver(model="x")  # type: ignore[abstract]


def test_a_set_of_drivers_makes_each_once_and_on_first_use() -> None:
    made: list[ScriptedDriver] = []

    class Config(DriversConfig):
        def make_prompt_driver(self) -> BasePromptDriver:
            made.append(ScriptedDriver(["x"]))
            return made[-1]

    config = Config()

    assert made == []
    assert config.prompt_driver is config.prompt_driver
    assert len(made) == 1


def test_a_set_takes_another_driver_and_an_empty_one_says_so() -> None:
    config, driver = DriversConfig(), ScriptedDriver(["x"])

    with pytest.raises(NoDriverError, match="DriversConfig has no prompt driver"):
        _ = config.prompt_driver
    config.prompt_driver = driver

    assert config.prompt_driver is driver


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("error", [ConnectionResetError("reset"), TimeoutError("too late")])
def test_a_connection_that_breaks_is_a_failure_of_the_driver(error: OSError, stream: bool) -> None:
    events: list[BaseEvent] = []
    driver = ScriptedDriver([error, error], stream=stream)

    with pytest.raises(DriverError, match="scripted:scripted-1") as blocking:
        driver.run("?", events.append)
    with pytest.raises(DriverError) as awaited:
        asyncio.run(driver.arun("?"))

    assert blocking.value.__cause__ is awaited.value.__cause__ is error
    [finish] = [event for event in events if isinstance(event, FinishPromptEvent)]
    assert str(error) in (finish.error or "")
