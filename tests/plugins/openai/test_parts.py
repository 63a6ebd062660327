"""How pictures, sound and documents travel."""

from __future__ import annotations

import pytest

from agenthost_plugin_openai.profiles import PROFILES, UNKNOWN, Profile
from agenthost_sdk.artifacts import (
    AudioArtifact,
    DocumentArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    InfoArtifact,
    ListArtifact,
    TextArtifact,
)
from agenthost_sdk.messages import (
    AudioMessageContent,
    BaseMessageContent,
    DocumentMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    PromptStack,
)
from support.said import Json, asked, assistant, came, sent_as, text, user


def test_pictures_and_sound_stand_beside_the_text() -> None:
    stack = PromptStack()
    stack.add_user_message(
        ListArtifact(
            [
                TextArtifact("What is it?"),
                ImageArtifact(b"\x89PNG", format="png"),
                ImageUrlArtifact("https://example.org/cat.jpg"),
                AudioArtifact(b"RIFF", format="wav"),
            ]
        )
    )

    assert sent_as(stack.messages)[0]["content"] == [
        {"type": "text", "text": "What is it?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
        {"type": "image_url", "image_url": {"url": "https://example.org/cat.jpg"}},
        {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
    ]


def test_a_picture_in_a_result_follows_as_the_users() -> None:
    output = ListArtifact([TextArtifact("A cat."), ImageArtifact(b"\x89PNG")])

    sent = sent_as(
        [
            assistant(asked("a"), asked("b")),
            user(came("a", output), came("b", InfoArtifact("Nothing."))),
        ]
    )

    assert [message["role"] for message in sent] == ["assistant", "tool", "tool", "user"]
    assert sent[1]["content"] == "A cat."
    assert [part["type"] for part in sent[3]["content"]] == ["text", "image_url"]


@pytest.mark.parametrize(
    ("document", "profile", "part"),
    [
        (
            DocumentArtifact(b"%PDF", name="a.pdf"),
            UNKNOWN,
            {
                "type": "file",
                "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERg=="},
            },
        ),
        (
            DocumentArtifact(b"%PDF"),
            PROFILES["mistral"],
            {"type": "document_url", "document_url": "data:application/pdf;base64,JVBERg=="},
        ),
        (
            DocumentArtifact(b"%PDF", name="a.pdf"),
            PROFILES["groq"],
            {"type": "text", "text": "document 'a.pdf', format pdf, 4 bytes"},
        ),
        (
            DocumentArtifact(b"One.", format="plain"),
            UNKNOWN,
            {"type": "text", "text": "One."},
        ),
        (
            DocumentArtifact(b"PK", format="docx"),
            UNKNOWN,
            {"type": "text", "text": "document, format docx, 2 bytes"},
        ),
    ],
    ids=["file", "document_url", "in words", "text", "a kind that nobody takes"],
)
def test_documents_travel_as_the_server_takes_them(
    document: DocumentArtifact, profile: Profile, part: Json
) -> None:
    sent = sent_as([user(text("What is it?"), DocumentMessageContent(document))], profile)

    assert sent[0]["content"][1] == part


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (
            ImageMessageContent(ImageArtifact(b"<svg>", format="svg+xml")),
            "image, format svg+xml, 5 bytes",
        ),
        (ImageMessageContent(ImageArtifact(b"")), "image, format png, 0 bytes"),
        (ImageMessageContent(ImageUrlArtifact("file:///cat.png")), "file:///cat.png"),
        (
            ImageMessageContent(ImageUrlArtifact("data:image/bmp;base64,x")),
            "data:image/bmp;base64,x",
        ),
        (ImageMessageContent(ImageUrlArtifact("https://")), "https://"),
        (
            AudioMessageContent(AudioArtifact(b"OggS", format="ogg")),
            "audio, format ogg, 4 bytes",
        ),
        (AudioMessageContent(AudioArtifact(b"")), "audio, format wav, 0 bytes"),
        (DocumentMessageContent(DocumentArtifact(b"")), "document, format pdf, 0 bytes"),
        (GenericMessageContent({"type": "image_url"}), "{'type': 'image_url'}"),
    ],
    ids=[
        "picture",
        "empty picture",
        "address",
        "address of another kind",
        "half an address",
        "sound",
        "empty sound",
        "empty document",
        "half a part",
    ],
)
def test_what_the_provider_takes_in_no_form_is_said_in_words(
    block: BaseMessageContent, words: str
) -> None:
    assert sent_as([user(block)]) == [{"role": "user", "content": words}]


def test_the_scheme_of_a_pictures_address_is_written_small() -> None:
    sent = sent_as([user(ImageMessageContent(ImageUrlArtifact("HTTPS://Example.org/Cat.png")))])

    assert sent[0]["content"][0]["image_url"] == {"url": "https://Example.org/Cat.png"}


@pytest.mark.parametrize("part", [{"type": "text", "text": ""}, {"type": "text"}])
def test_a_part_that_says_nothing_is_left_out(part: Json) -> None:
    assert sent_as([user(text("Well?"), GenericMessageContent(part))])[0]["content"] == "Well?"


@pytest.mark.parametrize(("given", "sent"), [("jpg", "jpeg"), ("JPEG", "jpeg"), ("gif", "gif")])
def test_the_formats_of_pictures_have_their_proper_names(given: str, sent: str) -> None:
    picture = ImageMessageContent(ImageArtifact(b"x", format=given))

    part = sent_as([user(picture)])[0]["content"][0]

    assert part["image_url"]["url"].startswith(f"data:image/{sent};base64,")


def test_a_document_in_a_result_follows_as_the_users_and_its_text_stands_in_the_result() -> None:
    output = ListArtifact(
        [DocumentArtifact(b"One.", format="plain"), DocumentArtifact(b"%PDF", name="a.pdf")]
    )

    sent = sent_as([assistant(asked("a")), user(came("a", output), text("Well?"))])

    assert sent[1]["content"] == "One."
    assert [part["type"] for part in sent[2]["content"]] == ["text", "file", "text"]


def test_a_picture_of_the_models_is_shown_to_it_again_by_the_user() -> None:
    picture = ImageMessageContent(ImageArtifact(b"x"))

    sent = sent_as([assistant(text("A cat."), picture), user(text("Make it blue."))])
    alone = sent_as([assistant(picture), user(text("Make it blue."))])

    assert sent[0] == {"role": "assistant", "content": "A cat."}
    assert [part["type"] for part in sent[1]["content"]] == ["text", "image_url", "text"]
    assert alone[0]["content"] == "image, format png, 1 bytes"


def test_a_sound_of_the_models_is_named_by_its_id_while_the_server_has_it() -> None:
    def heard(ends: int) -> Message:
        held = {"audio": {"id": "audio_1", "expires_at": ends}}
        sound = AudioMessageContent(AudioArtifact(b"x"))
        return assistant(text("Hello."), sound, GenericMessageContent(held, "openai"))

    living, over = heard(2**40), heard(1)

    assert sent_as([living]) == [{"role": "assistant", "audio": {"id": "audio_1"}}]
    assert sent_as([over]) == [{"role": "assistant", "content": "Hello."}]
    assert sent_as([living], PROFILES["groq"])[0]["content"] == "Hello."
