"""How a conversation is written: turns, calls and their results, ids, blocks of every kind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agenthost_plugin_anthropic.conversation import NO_RESULT, OPENING, MessagesWriter
from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    DocumentArtifact,
    ErrorArtifact,
    GenericArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    JsonArtifact,
    ListArtifact,
    TextArtifact,
)
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    GenericMessageContent,
    Message,
    ReasoningMessageContent,
    Role,
    TextMessageContent,
    contents,
    text_message,
)

Json = dict[str, Any]

SIGNED = {"type": "thinking", "thinking": "Look …", "signature": "c2ln", "further": [1.5, None]}
HIDDEN = {"type": "redacted_thinking", "data": "eNqs"}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"q": "x"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [{"a": None}]}


def written(*messages: Message) -> list[Json]:
    writer = MessagesWriter()
    for message in messages:
        writer.take(message)
    return [json.loads(one) for one in writer.finish()]


def said(role: Role, *blocks: BaseMessageContent | str) -> Message:
    found = (TextMessageContent(one) if isinstance(one, str) else one for one in blocks)
    return Message(role, tuple(found))


def call(id: str, arguments: str = "{}", **extra: Any) -> ActionCallMessageContent:
    return ActionCallMessageContent(id, "Stock_count", arguments, extra or None)


def result(id: str, output: BaseArtifact | str = "3", failed: bool = False) -> Any:
    value = TextArtifact(output) if isinstance(output, str) else output
    return ActionResultMessageContent(id, "Stock_count", value, failed)


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def use(id: str, **given: Any) -> Json:
    return {"type": "tool_use", "id": id, "name": "Stock_count", "input": given}


def answer(id: str, *blocks: Json | str, **further: Any) -> Json:
    found = [text(one) if isinstance(one, str) else one for one in blocks or ("3",)]
    return {"type": "tool_result", "tool_use_id": id, "content": found, **further}


def user(*blocks: Json | str) -> Json:
    found = [text(one) if isinstance(one, str) else one for one in blocks]
    return {"role": "user", "content": found}


def assistant(*blocks: Json | str) -> Json:
    return {**user(*blocks), "role": "assistant"}


def test_messages_in_a_row_of_one_role_are_one_turn() -> None:
    messages = written(
        said("user", "One"), said("user", "Two"), said("assistant", "A"), said("assistant", "B")
    )

    assert messages == [user("One", "Two"), assistant("A", "B")]


def test_results_that_come_apart_stand_together_in_the_order_of_the_calls() -> None:
    messages = written(
        said("user", "Both?"),
        said("assistant", call("a"), call("b")),
        said("user", "By the way", result("b", "18")),
        said("user", result("a", "3")),
    )

    assert messages[1:] == [
        assistant(use("a"), use("b")),
        user(answer("a"), answer("b", "18"), "By the way"),
    ]


def test_a_result_in_the_models_own_message_is_that_of_its_call() -> None:
    spoken = said("assistant", call("a"), result("a", "3", failed=True), "It is 3.")

    messages = written(said("user", "Go"), spoken, said("user", "And now?"))

    assert messages[1:] == [
        assistant(use("a")),
        user(answer("a", is_error=True)),
        assistant("It is 3."),
        user("And now?"),
    ]


def test_a_result_in_the_models_next_message_is_that_of_its_call() -> None:
    messages = written(
        said("user", "Go"),
        said("assistant", call("a")),
        said("assistant", result("a"), "It is 3."),
    )

    assert messages[1:] == [assistant(use("a")), user(answer("a")), assistant("It is 3.")]


def test_words_behind_a_result_do_not_cut_off_one_that_comes_later() -> None:
    spoken = said("assistant", "Let me look.", call("a"), result("a"), "It is 3.", call("b"))

    messages = written(said("user", "Go"), spoken, said("user", result("b", "5")))

    assert messages[1:] == [
        assistant("Let me look.", use("a"), "It is 3.", use("b")),
        user(answer("a"), answer("b", "5")),
    ]


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    messages = written(
        said("user", "Go"),
        said("assistant", call("a"), call("b")),
        said("user", result("a")),
        said("assistant", "Done."),
    )

    assert messages[1:] == [
        assistant(use("a"), use("b")),
        user(answer("a"), answer("b", NO_RESULT, is_error=True)),
        assistant("Done."),
    ]


def test_calls_at_the_end_are_answered() -> None:
    messages = written(said("user", "Go"), said("assistant", call("a")))

    assert messages[2:] == [user(answer("a", NO_RESULT, is_error=True))]


def test_a_result_without_a_call_before_it_is_left_out() -> None:
    messages = written(
        said("user", result("a"), "And now?"),
        said("assistant", call("b")),
        said("user", "Wait."),
        said("assistant", "Yes?"),
        said("user", result("b"), result("b"), "Go on."),
    )

    assert messages == [
        user("And now?"),
        assistant(use("b")),
        user(answer("b", NO_RESULT, is_error=True), "Wait."),
        assistant("Yes?"),
        user("Go on."),
    ]


def test_two_results_of_one_call_are_one() -> None:
    messages = written(
        said("user", "Go"), said("assistant", call("a")), said("user", result("a"), result("a"))
    )

    assert messages[2] == user(answer("a"))


def test_blank_texts_are_not_sent() -> None:
    messages = written(
        said("user", "Go", " \n"),
        said("assistant", "", call("a"), "\t"),
        said("user", result("a")),
    )

    assert messages == [user("Go"), assistant(use("a")), user(answer("a"))]


def test_the_last_text_of_the_assistant_has_no_white_space_at_its_end() -> None:
    assert written(said("user", "Write."), said("assistant", "The sea \n"))[1] == assistant(
        "The sea"
    )


def test_a_text_of_the_assistant_that_is_not_the_last_keeps_its_white_space() -> None:
    messages = written(said("user", "Write."), said("assistant", "The sea \n"), said("user", "?"))

    assert messages[1] == assistant("The sea \n")


def test_a_conversation_that_the_assistant_begins_gets_an_opening() -> None:
    assert written(said("assistant", "Welcome"))[0] == user(OPENING)


@pytest.mark.parametrize("said_before", [(), (said("user", " "),)], ids=["nothing", "blank"])
def test_a_conversation_without_words_is_an_opening(said_before: tuple[Message, ...]) -> None:
    assert written(said("system", "Be kind."), *said_before) == [user(OPENING)]


@pytest.mark.parametrize(
    ("ids", "sent"),
    [
        (["functions.Ls:0", "functions_Ls_0"], ["functions_Ls_0", "functions_Ls_0_2"]),
        (["", ""], ["call", "call_2"]),
        (["a", "a"], ["a", "a_2"]),
        (["ä", "ö"], ["_", "__2"]),
    ],
    ids=["illegal", "missing", "twice", "alike"],
)
def test_ids_are_made_legal_and_unique_and_pairs_agree(ids: list[str], sent: list[str]) -> None:
    messages = written(
        said("user", "Go"),
        said("assistant", *map(call, ids)),
        said("user", *[result(id, str(number)) for number, id in enumerate(ids)]),
    )

    assert messages[1:] == [
        assistant(*map(use, sent)),
        user(*[answer(id, str(number)) for number, id in enumerate(sent)]),
    ]


def test_an_id_of_an_earlier_turn_is_replaced_with_its_result() -> None:
    round_ = (said("assistant", call("a")), said("user", result("a")))

    messages = written(said("user", "1"), *round_, *round_)

    assert messages[3:] == [assistant(use("a_2")), user(answer("a_2"))]


@pytest.mark.parametrize("arguments", ["", "null", "[1]", '{"sku', '{"a": NaN}'])
def test_an_input_that_is_no_object_is_sent_as_an_empty_one(arguments: str) -> None:
    assert written(said("user", "Go"), said("assistant", call("a", arguments)))[1] == assistant(
        use("a")
    )


def test_half_a_character_is_replaced_and_two_halves_are_joined() -> None:
    messages = written(said("user", "half \ud83d, whole \ud83e\uddee"))

    assert messages == [user("half \N{REPLACEMENT CHARACTER}, whole 🧮")]


def test_a_half_character_in_an_input_is_replaced() -> None:
    messages = written(said("user", "Go"), said("assistant", call("a", r'{"x": "\ud83d"}')))

    assert messages[1] == assistant(use("a", x="\N{REPLACEMENT CHARACTER}"))


def test_a_name_that_is_not_legal_is_replaced() -> None:
    odd = ActionCallMessageContent("a", "made up!", "{}")

    sent = written(said("user", "Go"), said("assistant", odd))[1]["content"][0]["name"]

    assert sent.startswith("made_up_")


def test_the_further_fields_of_a_call_are_sent_back_and_no_other_providers() -> None:
    caller = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}
    messages = written(
        said("user", "Go"), said("assistant", call("a", caller=caller, extra_content={"x": 1}))
    )

    assert messages[1] == assistant({**use("a"), "caller": caller})


def test_thoughts_with_their_signature_are_sent_back_unchanged_in_their_place() -> None:
    messages = written(
        said("user", "Go"),
        said("assistant", thoughts(SIGNED), thoughts(HIDDEN), call("a")),
        said("user", result("a")),
        said("assistant", thoughts(SIGNED), "Three."),
        said("user", "Sure?"),
    )

    assert messages[1] == assistant(SIGNED, HIDDEN, use("a"))
    assert messages[3] == assistant(SIGNED, "Three.")


@pytest.mark.parametrize(
    "foreign",
    [
        ReasoningMessageContent("unsigned"),
        ReasoningMessageContent("another's", SIGNED, "openai"),
        ReasoningMessageContent("cut", {**SIGNED, "signature": ""}, "anthropic"),
        GenericMessageContent({"type": "item"}, "openai"),
    ],
    ids=["bare", "another's", "unsigned", "generic"],
)
def test_what_only_another_provider_knows_is_left_out(foreign: BaseMessageContent) -> None:
    messages = written(said("user", "Go"), said("assistant", foreign, "Yes"), said("user", "?"))

    assert messages[1] == assistant("Yes")


def test_no_turn_ends_in_thoughts() -> None:
    messages = written(
        said("user", "Go"),
        said("assistant", "Yes", thoughts(SIGNED), TextMessageContent(" ")),
        said("user", "?"),
        said("assistant", thoughts(SIGNED)),
        said("user", "??"),
    )

    assert messages == [user("Go"), assistant("Yes"), user("?", "??")]


def test_a_turn_with_calls_but_without_thoughts_is_known_as_such() -> None:
    def lacks_thoughts(*blocks: BaseMessageContent | str, after: str = "") -> bool:
        writer = MessagesWriter()
        for message in (
            said("user", "Go"),
            said("assistant", *blocks),
            said("user", result("a")),
            *([said("assistant", after), said("user", "?")] if after else []),
        ):
            writer.take(message)
        return writer.lacks_thoughts()

    assert lacks_thoughts(call("a"))
    assert lacks_thoughts("So …", call("a"))
    assert not lacks_thoughts(thoughts(SIGNED), call("a"))
    assert not lacks_thoughts(call("a"), after="Done.")
    assert not lacks_thoughts("So …")


def test_blocks_of_the_provider_are_sent_back_unchanged_in_their_place() -> None:
    messages = written(
        said("user", "Go"),
        said("assistant", "I search.", own(SEARCH)),
        said("assistant", own(FOUND), "Found."),
        said("user", own({"type": "container_upload", "file_id": "f"}), "And?"),
    )

    assert messages[1:] == [
        assistant("I search.", SEARCH, FOUND, "Found."),
        user({"type": "container_upload", "file_id": "f"}, "And?"),
    ]


def test_blocks_that_a_role_cannot_say_are_left_out() -> None:
    upload = own({"type": "container_upload", "file_id": "f"})

    messages = written(
        said("user", own(SEARCH), own(FOUND), "Go"), said("assistant", upload, "Yes")
    )

    assert messages == [
        user("Go"),
        assistant("Yes"),
    ]


def test_pictures_and_documents_of_the_user_are_sent_as_such() -> None:
    messages = written(
        said(
            "user",
            *contents(
                ListArtifact(
                    [
                        ImageArtifact(b"\x01", format="jpg"),
                        ImageUrlArtifact("https://example.org/a.png"),
                        ImageUrlArtifact("data:image/png;base64,AQ=="),
                        DocumentArtifact(b"%PDF", name="r.pdf"),
                        DocumentArtifact(b"Words", format="plain"),
                    ]
                )
            ),
        )
    )

    assert messages == [
        user(
            {"type": "image", "source": inline("image/jpeg", "AQ==")},
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
            {"type": "image", "source": inline("image/png", "AQ==")},
            {
                "type": "document",
                "source": inline("application/pdf", "JVBERg=="),
                "title": "r.pdf",
            },
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "Words"},
            },
        )
    ]


@pytest.mark.parametrize(
    "artifact",
    [
        AudioArtifact(b"\x01"),
        ImageArtifact(b"\x01", format="tiff"),
        ImageArtifact(b""),
        ImageUrlArtifact("file:///cat.png"),
        DocumentArtifact(b"\x01", format="rtf"),
    ],
    ids=lambda one: f"{type(one).__name__}",
)
def test_media_that_the_api_does_not_take_are_said_in_words(artifact: BaseArtifact) -> None:
    assert written(said("user", *contents(artifact))) == [user(artifact.to_text())]


def test_media_of_the_assistant_are_said_in_words() -> None:
    picture = ImageArtifact(b"\x01")

    assert written(said("user", "Go"), said("assistant", *contents(picture)))[1] == assistant(
        picture.to_text()
    )


def test_a_result_holds_pictures_documents_and_text() -> None:
    output = ListArtifact(
        [TextArtifact("Seen:"), ImageArtifact(b"\x01"), DocumentArtifact(b"Words", format="plain")]
    )
    messages = written(
        said("user", "Go"), said("assistant", call("a")), said("user", result("a", output))
    )

    kinds = [block["type"] for block in messages[2]["content"][0]["content"]]
    assert kinds == ["text", "image", "document"]


def test_a_result_that_failed_is_marked_as_an_error() -> None:
    messages = written(
        said("user", "Go"),
        said("assistant", call("a")),
        said("user", result("a", ErrorArtifact("No such item."), failed=True)),
    )

    assert messages[2] == user(answer("a", "No such item.", is_error=True))


@pytest.mark.parametrize("output", [TextArtifact(" "), ListArtifact([])], ids=["blank", "empty"])
def test_a_result_that_says_nothing_says_so(output: BaseArtifact) -> None:
    messages = written(
        said("user", "Go"), said("assistant", call("a")), said("user", result("a", output))
    )

    assert messages[2] == user(answer("a", "The tool returned nothing."))


def test_a_result_that_a_tool_made_for_the_provider_is_sent_as_it_is() -> None:
    found = {"type": "search_result", "source": "s", "title": "t", "content": [text("x")]}
    output = ListArtifact(
        [GenericArtifact(found), GenericArtifact({"type": "of another"}), JsonArtifact({"a": 1})]
    )
    messages = written(
        said("user", "Go"), said("assistant", call("a")), said("user", result("a", output))
    )

    assert messages[2] == user(answer("a", found, "{'type': 'of another'}", '{"a": 1}'))


@pytest.mark.parametrize("kind", ["image", "document", "search_result", "container_upload"])
def test_a_dictionary_that_lacks_what_its_kind_needs_is_said_in_words(kind: str) -> None:
    data = {"type": kind}
    words = GenericArtifact(data).to_text()
    half = GenericMessageContent(data)

    asked = written(said("user", half), said("assistant", call("a")))
    answered = written(
        said("assistant", call("a")), said("user", result("a", GenericArtifact(data)))
    )

    assert asked[0] == user(words)
    assert answered[-1] == user(answer("a", words))


def test_a_text_of_a_tools_that_says_nothing_is_left_out() -> None:
    blank = ListArtifact([GenericArtifact({"type": "text", "text": " "}), TextArtifact("3")])

    messages = written(said("assistant", call("a")), said("user", result("a", blank)))

    assert messages[-1] == user(answer("a", "3"))


def test_what_the_system_says_anywhere_stands_apart() -> None:
    writer = MessagesWriter()
    for message in (
        text_message("system", "Be kind."),
        said("user", "Go"),
        said("system", " ", "Be brief."),
        said("user", "?"),
    ):
        writer.take(message)

    assert [json.loads(block) for block in writer.system()] == [
        text("Be kind."),
        text("Be brief."),
    ]
    assert [json.loads(one) for one in writer.finish()] == [user("Go", "?")]


def test_a_block_of_the_provider_that_is_text_is_the_systems_too() -> None:
    writer = MessagesWriter()
    marked = {**text("Be kind."), "cache_control": {"type": "ephemeral"}}
    writer.take(said("system", own(marked), own(SEARCH)))

    assert [json.loads(block) for block in writer.system()] == [marked]


def test_a_copy_goes_on_by_itself() -> None:
    writer = MessagesWriter()
    writer.take(said("user", "Go"))
    writer.take(said("assistant", call("a")))

    copied = writer.copy()
    copied.take(said("user", result("a")))
    copied.finish()

    writer.take(said("user", result("a", "4")))
    assert json.loads(writer.finish()[2]) == user(answer("a", "4"))


def thoughts(form: Json) -> ReasoningMessageContent:
    return ReasoningMessageContent(form.get("thinking", ""), form, "anthropic")


def own(form: Json) -> GenericMessageContent:
    return GenericMessageContent(form, "anthropic")


def inline(media_type: str, data: str) -> Json:
    return {"type": "base64", "media_type": media_type, "data": data}
