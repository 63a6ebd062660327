"""What is read out of replies beside words and calls: thoughts, pictures, sound, sources."""

from __future__ import annotations

import pytest

from agenthost_sdk.artifacts import AudioArtifact, ImageArtifact, ImageUrlArtifact
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    AudioMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    ReasoningMessageContent,
    TextMessageContent,
)
from support.provider_server import chunk
from support.read_replies import Json, function, in_pieces, streamed, whole

DETAILS = [
    {"type": "reasoning.text", "text": "So", "index": 0, "format": None},
    {"type": "reasoning.text", "text": " it is.", "index": 0, "signature": "s"},
    {"type": "reasoning.encrypted", "data": "x", "index": 1},
]
JOINED = [
    {"type": "reasoning.text", "text": "So it is.", "index": 0, "format": None, "signature": "s"},
    DETAILS[2],
]


@pytest.mark.parametrize(
    ("said", "thoughts"),
    [
        (
            {"reasoning_content": "So."},
            ReasoningMessageContent("So.", {"reasoning_content": "So."}, "openai"),
        ),
        ({"reasoning": "So."}, ReasoningMessageContent("So.", {"reasoning": "So."}, "openai")),
        (
            {"reasoning": "So it is.", "reasoning_details": JOINED},
            ReasoningMessageContent(
                "So it is.", {"reasoning": "So it is.", "reasoning_details": JOINED}, "openai"
            ),
        ),
        (
            {"reasoning_details": JOINED},
            ReasoningMessageContent("So it is.", {"reasoning_details": JOINED}, "openai"),
        ),
    ],
    ids=["reasoning_content", "reasoning", "both", "details"],
)
def test_thoughts_stand_before_the_words_with_what_goes_back(
    said: Json, thoughts: ReasoningMessageContent
) -> None:
    expected = (thoughts, TextMessageContent("Yes."))

    assert whole({**said, "content": "Yes."}).content == expected
    assert in_pieces({**said, "content": "Yes."}).content == expected


def test_the_pieces_of_thoughts_are_joined_detail_by_detail() -> None:
    sent = [chunk({"content": "", "reasoning_details": [one]}) for one in DETAILS]

    message = streamed(*sent, chunk({"content": "Yes."}), chunk({}, "stop"))

    assert message.reasoning == "So it is."
    assert message == whole({"reasoning_details": JOINED, "content": "Yes."})


def test_thoughts_that_are_parts_of_the_content_keep_their_place() -> None:
    def thinking(words: str) -> Json:
        return {"type": "thinking", "thinking": [{"type": "text", "text": words}]}

    def said(words: str) -> Json:
        return {"type": "text", "text": words}

    message = whole({"content": [thinking("Hm, 12."), said("Twelve."), thinking("?"), said("!")]})
    pieces = [[thinking("Hm,")], [thinking(" 12.")], [said("Twel"), said("ve.")]]
    pieces += [[thinking("?"), said("!")]]

    assert message.content == (
        ReasoningMessageContent("Hm, 12.", thinking("Hm, 12."), "openai"),
        TextMessageContent("Twelve."),
        ReasoningMessageContent("?", thinking("?"), "openai"),
        TextMessageContent("!"),
    )
    assert streamed(*[chunk({"content": one}) for one in pieces], chunk({}, "stop")) == message


def test_pictures_of_a_reply_are_read() -> None:
    images = [
        {"type": "image_url", "image_url": {"url": "data:image/webp;base64,iVBORw=="}},
        {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,é"}},
    ]

    message = whole({"content": "A cat.", "images": images})

    assert message.content == (
        TextMessageContent("A cat."),
        ImageMessageContent(ImageArtifact(b"\x89PNG", format="webp")),
        ImageMessageContent(ImageUrlArtifact("https://example.org/cat.png")),
    )
    assert in_pieces({"content": "A cat.", "images": images}) == message


def test_sound_of_a_reply_is_read_with_what_was_said_and_its_id() -> None:
    audio = {"id": "audio_1", "data": "UklGRg==", "expires_at": 7, "transcript": "Hello."}
    halves = [
        {"id": "audio_1", "transcript": "Hel"},
        {"data": "Ukk="},
        {"transcript": "lo."},
        {"data": "RkY="},
        {"expires_at": 7},
    ]

    message = whole({"content": None, "audio": audio})

    assert message.content == (
        TextMessageContent("Hello."),
        AudioMessageContent(AudioArtifact(b"RIFF", format="wav")),
        GenericMessageContent({"audio": {"id": "audio_1", "expires_at": 7}}, "openai"),
    )
    assert streamed(*[chunk({"audio": one}) for one in halves], chunk({}, "stop")) == message


def test_empty_fields_of_a_message_are_nothing() -> None:
    empty: Json = {
        "content": "4",
        "refusal": "",
        "audio": {"id": "", "data": "", "expires_at": 0, "transcript": ""},
        "function_call": {"name": "", "arguments": ""},
        "tool_calls": None,
        "annotations": None,
        "reasoning": None,
        "images": [],
    }

    assert whole(empty, "").content == (TextMessageContent("4"),)
    assert in_pieces(empty).content == (TextMessageContent("4"),)


def test_a_call_in_the_old_form_is_a_call() -> None:
    said = {"content": None, "function_call": {"name": "F", "arguments": "{}"}}

    message = whole(said, "function_call")

    assert (message.calls, message.finish) == (
        [ActionCallMessageContent("", "F", "{}")],
        "actions",
    )
    assert in_pieces(said, "function_call") == message


def test_what_a_provider_adds_to_its_calls_is_kept_with_them() -> None:
    extra = {"extra_content": {"google": {"thought_signature": "s"}}}
    call = {**function("F", "{}", id="a"), **extra}

    message = whole({"tool_calls": [call]})

    assert message.calls == [ActionCallMessageContent("a", "F", "{}", extra)]
    assert streamed(chunk({"tool_calls": [{**call, "index": 0}]}), chunk({}, "stop")) == message


def test_sources_and_signatures_beside_the_words_are_kept() -> None:
    source = {"type": "url_citation", "url_citation": {"url": "https://example.org"}}
    said = {"content": "So.", "annotations": [source], "extra_content": {"google": {"a": 1}}}
    kept = {"annotations": [source], "extra_content": {"google": {"a": 1}}}

    message = whole(said)

    assert message.content[1:] == (GenericMessageContent(kept, "openai"),)
    assert in_pieces(said) == message
    assert message.to_text() == "So."
