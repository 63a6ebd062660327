"""Stacks, messages, and streamed replies put together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_sdk.actions import ActionArtifact, ToolAction
from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    ErrorArtifact,
    GenericArtifact,
    ImageArtifact,
    JsonArtifact,
    ListArtifact,
    TextArtifact,
)
from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    ActionCallMessageContent,
    ActionResultMessageContent,
    AudioDeltaMessageContent,
    AudioMessageContent,
    BaseMessageContent,
    DeltaContent,
    DeltaMessage,
    GenericDeltaMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    PromptStack,
    StreamedReply,
    TextDeltaMessageContent,
    TextMessageContent,
    Usage,
    contents,
)


def streamed(*pieces: DeltaContent) -> Message:
    return Message.from_deltas([DeltaMessage(piece) for piece in pieces])


def test_usage_is_summed_and_unknown_counts_as_none() -> None:
    total = Usage(10, 2) + Usage(5, None, cached_tokens=3)

    assert total == Usage(15, 2, 3, None)
    assert total.total_tokens == 17
    assert Usage().total_tokens == 0


def test_the_later_report_of_tokens_wins_field_by_field() -> None:
    deltas = [
        DeltaMessage(usage=Usage(input_tokens=100)),
        DeltaMessage(usage=Usage(output_tokens=1)),
        DeltaMessage(usage=Usage(output_tokens=2)),
    ]

    assert Message.from_deltas(deltas).usage == Usage(100, 2)


def test_the_pieces_of_a_text_are_joined() -> None:
    message = streamed(TextDeltaMessageContent("Hel"), TextDeltaMessageContent("lo"))

    assert message.content == (TextMessageContent("Hello"),)
    assert message.role == "assistant"


def test_a_reply_can_be_looked_at_before_its_end() -> None:
    reply = StreamedReply()
    reply.add(DeltaMessage(TextDeltaMessageContent("Hel")))
    half = reply.message()
    reply.add(DeltaMessage(TextDeltaMessageContent("lo"), finish="stop"))

    assert (half.to_text(), half.finish) == ("Hel", "incomplete")
    assert (reply.message().to_text(), reply.message().finish) == ("Hello", "stop")


def test_the_pieces_of_a_sound_are_joined() -> None:
    message = streamed(
        AudioDeltaMessageContent(b"RI"),
        TextDeltaMessageContent("Listen."),
        AudioDeltaMessageContent(b"FF", format="pcm"),
        AudioDeltaMessageContent(b"", index=1),
    )

    assert message.content == (
        AudioMessageContent(AudioArtifact(b"RIFF", format="pcm")),
        TextMessageContent("Listen."),
        AudioMessageContent(AudioArtifact(b"")),
    )


def test_a_last_chunk_with_tokens_alone_adds_no_block() -> None:
    message = Message.from_deltas(
        [
            DeltaMessage(),
            DeltaMessage(TextDeltaMessageContent("Hi")),
            DeltaMessage(finish="stop"),
            DeltaMessage(usage=Usage(3, 4)),
        ]
    )

    assert message == Message("assistant", (TextMessageContent("Hi"),), Usage(3, 4))


def test_a_text_and_a_call_at_one_index_stay_apart() -> None:
    message = streamed(
        TextDeltaMessageContent("Let me see.", 0), ActionCallDeltaMessageContent(0, "c0", "A_a")
    )

    assert message.content == (
        TextMessageContent("Let me see."),
        ActionCallMessageContent("c0", "A_a", ""),
    )


def test_blocks_stand_in_the_order_in_which_they_began() -> None:
    message = streamed(
        TextDeltaMessageContent("b", 7),
        TextDeltaMessageContent("a", 2),
        TextDeltaMessageContent("c", 7),
    )

    assert message.content == (TextMessageContent("bc"), TextMessageContent("a"))


def test_a_block_of_one_provider_is_kept_with_its_provider() -> None:
    message = streamed(GenericDeltaMessageContent({"type": "thinking"}, 0, "anthropic"))

    assert message.content == (GenericMessageContent({"type": "thinking"}, "anthropic"),)


def test_a_stream_that_never_said_why_it_ended_is_incomplete() -> None:
    cut = streamed(TextDeltaMessageContent("Hel"))
    whole = Message.from_deltas([DeltaMessage(finish="length")])

    assert cut.finish == "incomplete"
    assert whole.finish == "length"
    assert Message.from_deltas([]).content == ()


def test_an_empty_text_block_is_left_out() -> None:
    assert streamed(TextDeltaMessageContent("")).content == ()


@given(st.lists(st.tuples(st.integers(0, 3), st.text(max_size=5)), max_size=20))
def test_no_character_of_a_streamed_text_is_lost_or_moved(pieces: list[tuple[int, str]]) -> None:
    message = streamed(*(TextDeltaMessageContent(text, index) for index, text in pieces))

    by_block = {
        index: "".join(text for other, text in pieces if other == index) for index, _ in pieces
    }
    assert message.to_text() == "".join(by_block.values())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("hi", (TextMessageContent("hi"),)),
        (TextArtifact("hi"), (TextMessageContent("hi"),)),
        (ErrorArtifact("no"), (TextMessageContent("no"),)),
        (JsonArtifact([1]), (TextMessageContent("[1]"),)),
        (ImageArtifact(b"x"), (ImageMessageContent(ImageArtifact(b"x")),)),
        (AudioArtifact(b"x"), (AudioMessageContent(AudioArtifact(b"x")),)),
        (GenericArtifact({"a": 1}), (GenericMessageContent({"a": 1}),)),
        (
            ListArtifact([TextArtifact("a"), ListArtifact([TextArtifact("b")])]),
            (TextMessageContent("a"), TextMessageContent("b")),
        ),
        (ListArtifact([]), ()),
        (
            ActionArtifact(ToolAction("t", "A", "a", {"é": 1})),
            (ActionCallMessageContent("t", "A_a", '{"é": 1}'),),
        ),
        (
            ActionArtifact(ToolAction("t", "A", "a", output=ErrorArtifact("no"))),
            (ActionResultMessageContent("t", "A_a", ErrorArtifact("no"), failed=True),),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_each_artifact_becomes_the_blocks_that_say_it(
    value: BaseArtifact | str, expected: tuple[BaseMessageContent, ...]
) -> None:
    assert contents(value) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ((), TextArtifact("")),
        ((TextMessageContent("a"), TextMessageContent("b")), TextArtifact("ab")),
        ((ImageMessageContent(ImageArtifact(b"x")),), ImageArtifact(b"x")),
        ((GenericMessageContent(3),), GenericArtifact(3)),
        (
            (TextMessageContent("a"), ImageMessageContent(ImageArtifact(b"x"))),
            ListArtifact([TextArtifact("a"), ImageArtifact(b"x")]),
        ),
        ((ActionResultMessageContent("t", "A_a", TextArtifact("r")),), TextArtifact("r")),
    ],
    ids=["nothing", "texts", "picture", "generic", "both", "result"],
)
def test_a_message_becomes_one_artifact(content: Any, expected: BaseArtifact) -> None:
    assert Message("assistant", content).to_artifact() == expected


def test_every_block_says_itself_in_words() -> None:
    blocks = [
        TextMessageContent("a"),
        ImageMessageContent(ImageArtifact(b"x")),
        AudioMessageContent(AudioArtifact(b"x")),
        GenericMessageContent(object()),
        ActionCallMessageContent("t", "A_a", "{}"),
        ActionResultMessageContent("t", "A_a", TextArtifact("r")),
    ]

    assert [block.to_text() for block in blocks] == [
        "a",
        "image, format png, 1 bytes",
        "audio, format wav, 1 bytes",
        "",
        "A_a({})",
        "r",
    ]


def test_a_stack_keeps_its_messages_in_order_with_their_roles() -> None:
    stack = PromptStack.from_artifact("q")
    stack.add_assistant_message("a")
    stack.add_user_message(TextArtifact("again"))
    stack.add_system_message("Be brief.")
    stack.add_system_message("")
    stack.add_system_message("Be kind.")

    assert [message.role for message in stack.messages] == [
        *("user", "assistant", "user"),
        *("system", "system", "system"),
    ]
    assert stack.system_text == "Be brief.\n\nBe kind."


def test_two_stacks_share_no_messages() -> None:
    one, other = PromptStack(), PromptStack()
    one.add_user_message("q")

    assert other.messages == []
