"""The driver that replies from a script."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_sdk.artifacts import AudioArtifact, ImageArtifact
from agenthost_sdk.errors import DefinitionError, DriverError
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    AudioMessageContent,
    BaseMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    PromptStack,
    ReasoningMessageContent,
    TextMessageContent,
    Usage,
)
from agenthost_sdk.testing import ScriptedDriver, ScriptEndedError, calls

blocks = st.one_of(
    st.text(min_size=1).map(TextMessageContent),
    st.tuples(st.text(min_size=1), st.text() | st.dictionaries(st.text(), st.integers())).map(
        lambda call: calls(call).content[0]
    ),
    st.dictionaries(st.text(), st.integers()).map(GenericMessageContent),
    st.binary().map(lambda data: AudioMessageContent(AudioArtifact(data, format="pcm"))),
)


def test_replies_come_in_the_order_of_the_script() -> None:
    asked = calls(("A_a", {"x": 1}))
    driver = ScriptedDriver(["one", asked, lambda stack: stack.messages[-1].to_text() + "!"])

    replies = [driver.run(question) for question in ("a", "b", "c")]

    assert [reply.to_text() for reply in replies] == ["one", "", "c!"]
    assert replies[1] is asked
    assert replies[0].finish == "stop"


def test_calls_have_ids_of_their_own_and_arguments_as_json() -> None:
    message = calls(("A_a", {"é": 1}), ("A_b", "{broken"), text="I see.")

    one, other = message.calls
    assert one.id != other.id
    assert calls(("A_a", {})).calls[0].id not in {one.id, other.id}
    assert one.arguments == '{"é": 1}'
    assert other.arguments == "{broken"
    assert message.to_text() == "I see."
    assert message.finish == "actions"


def test_an_exception_of_the_script_is_raised() -> None:
    driver = ScriptedDriver([DriverError("overloaded"), lambda _: ValueError("a bug"), "ok"])

    with pytest.raises(DriverError, match="overloaded"):
        driver.run("q")
    with pytest.raises(ValueError, match="a bug"):
        driver.run("q")
    assert driver.run("q").to_text() == "ok"


def test_a_script_that_has_ended_says_what_was_asked_last() -> None:
    driver = ScriptedDriver(["only"])
    driver.run("first")

    with pytest.raises(ScriptEndedError) as raised:
        driver.run("second")

    assert str(raised.value) == (
        "scripted:scripted-1: the script (replies: 1) has ended, and one more was asked for."
        " Asked last (user): 'second'."
        " Add a reply, pass repeat=True, or find out why the loop goes on."
    )
    assert isinstance(raised.value, DriverError)
    assert isinstance(raised.value, AssertionError)


def test_a_repeated_script_starts_over_with_fresh_ids() -> None:
    driver = ScriptedDriver([calls(("A_a", {}), text="t"), "b"], repeat=True)

    replies = [driver.run("q") for _ in range(4)]

    assert [reply.to_text() for reply in replies] == ["t", "b", "t", "b"]
    assert replies[0].calls[0].id != replies[2].calls[0].id
    with pytest.raises(ScriptEndedError):
        ScriptedDriver([], repeat=True).run("q")


def test_the_stacks_are_kept_as_they_were_when_asked() -> None:
    driver, stack = ScriptedDriver(["a", "b"]), PromptStack.from_artifact("q")

    driver.run(stack)
    stack.add_assistant_message("a")
    driver.run(stack)
    driver.stacks[0].messages.clear()

    assert [len(kept.messages) for kept in driver.stacks] == [0, 2]
    assert len(stack.messages) == 2


def test_forgetting_the_stacks_does_not_turn_the_script_back() -> None:
    driver = ScriptedDriver(["a", "b"])
    driver.run("q")
    driver.stacks.clear()

    assert driver.run("q").to_text() == "b"


@given(st.lists(blocks, max_size=4), st.integers(1, 9), st.sampled_from(["stop", "length"]))
def test_a_streamed_reply_is_the_same_reply(
    content: list[BaseMessageContent], piece: int, finish: str
) -> None:
    message = Message("assistant", tuple(content), Usage(3, 4), finish)  # type: ignore[arg-type]

    streamed = ScriptedDriver([message], stream=True, piece=piece).run("q")

    assert streamed == message


def test_a_streamed_reply_comes_in_pieces() -> None:
    driver = ScriptedDriver(["Hello there"], piece=5)

    deltas = list(driver.try_stream(PromptStack()))

    assert [getattr(delta.content, "text", None) for delta in deltas] == [
        *("Hello", " ther", "e"),
        None,
    ]
    assert deltas[-1].finish == "stop"


def test_a_picture_thoughts_and_a_call_come_the_same_streamed_as_whole() -> None:
    reply = Message(
        "assistant",
        (
            ReasoningMessageContent("Hm, a picture.", {"signature": "c2ln"}, "scripted"),
            ImageMessageContent(ImageArtifact(b"x")),
            ActionCallMessageContent("c1", "Shop_count", "{}", {"signature": "dA=="}),
        ),
        finish="actions",
        finish_reason="tool_calls",
    )

    assert ScriptedDriver([reply], stream=True).run("q") == reply
    assert ScriptedDriver([reply]).run("q") == reply


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_scripted_driver_serves_async_code(stream: bool) -> None:
    driver = ScriptedDriver(["Hello there"], stream=stream)

    assert asyncio.run(driver.arun("q")).to_text() == "Hello there"


def test_sixty_four_threads_get_each_reply_once() -> None:
    driver = ScriptedDriver([str(number) for number in range(64)])
    barrier, got = threading.Barrier(64), []

    def ask() -> None:
        barrier.wait(30)
        got.append(driver.run("q").to_text())

    threads = [threading.Thread(target=ask) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(got, key=int) == [str(number) for number in range(64)]
    assert len(driver.stacks) == 64


@pytest.mark.parametrize("replies", ["Fine.", calls(("A_b", {})), 3], ids=repr)
def test_a_script_that_is_no_list_is_refused_when_the_driver_is_made(replies: Any) -> None:
    with pytest.raises(DefinitionError, match=r"it must be a list: ScriptedDriver\(\[…\]\)"):
        ScriptedDriver(replies)


def test_a_call_without_its_pair_is_refused() -> None:
    with pytest.raises(DefinitionError, match="A call is a pair of a native name and its input"):
        calls("Stock_count", {"sku": "AB"})  # type: ignore[arg-type]
