"""What a stack becomes on its way to chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from agenthost_plugin_openai import conversation
from agenthost_plugin_openai.conversation import Conversation
from agenthost_plugin_openai.encode import Encoder
from agenthost_plugin_openai.profiles import PROFILES, UNKNOWN, Profile
from agenthost_plugin_openai.tools import WrittenForms
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    DocumentArtifact,
    ErrorArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    InfoArtifact,
    ListArtifact,
    TextArtifact,
)
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    AudioMessageContent,
    BaseMessageContent,
    DocumentMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    PromptStack,
    ReasoningMessageContent,
    TextMessageContent,
)
from support.provider_rules import chat_refusals

Json = dict[str, Any]

COUNT = ToolSpec(
    native="Stock_count",
    name="Stock",
    path="count",
    description="Count the units on hand.",
    schema={"type": "object", "properties": {"sku": {"type": "string"}}},
)


def text(words: str) -> TextMessageContent:
    return TextMessageContent(words)


def asked(id: str, arguments: str = "{}", native: str = "Stock_count") -> ActionCallMessageContent:
    return ActionCallMessageContent(id, native, arguments)


def came(id: str, output: BaseArtifact | None = None) -> ActionResultMessageContent:
    return ActionResultMessageContent(id, "Stock_count", output or TextArtifact("4"))


def assistant(*blocks: BaseMessageContent) -> Message:
    return Message("assistant", blocks)


def user(*blocks: BaseMessageContent) -> Message:
    return Message("user", blocks)


def rules(words: str) -> Message:
    return Message("system", (text(words),))


def sent_as(stacked: Iterable[Message], profile: Profile = UNKNOWN) -> list[Json]:
    """Return the messages of a request."""
    writer = Conversation(profile, profile.system_role)
    for message in stacked:
        writer.take(message)
    written: list[Json] = json.loads(writer.messages())
    return written


def request(
    stack: PromptStack,
    *,
    model: str = "gpt-4.1-mini",
    strict: bool = False,
    stream: bool = False,
    profile: Profile = UNKNOWN,
    **options: Any,
) -> Json:
    body: Json = json.loads(
        Encoder(profile, model, strict).request(stack, stream=stream, **options)
    )
    return body


def test_text_travels_as_text_under_its_role() -> None:
    stack = PromptStack()
    stack.add_system_message("Be brief.")
    stack.add_user_message("Hello?")
    stack.add_assistant_message("Hello.")

    assert sent_as(stack.messages) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello?"},
        {"role": "assistant", "content": "Hello."},
    ]


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


def test_each_call_is_answered_right_after_it_before_any_other_word() -> None:
    sent = sent_as(
        [
            assistant(text("Looking."), asked("a", '{"sku": "x"}'), asked("b")),
            user(text("Hurry!"), came("b", ErrorArtifact("No such item.")), came("a")),
        ]
    )

    assert sent[0]["content"] == "Looking."
    assert [call["id"] for call in sent[0]["tool_calls"]] == ["a", "b"]
    assert sent[1:] == [
        {"role": "tool", "tool_call_id": "a", "content": "4"},
        {"role": "tool", "tool_call_id": "b", "content": "No such item."},
        {"role": "user", "content": "Hurry!"},
    ]


def test_the_content_of_a_message_with_calls_alone_is_null() -> None:
    sent = sent_as([assistant(asked("a")), user(came("a"))])

    assert sent[0]["content"] is None


def test_a_result_in_a_later_message_of_the_user_is_found() -> None:
    sent = sent_as([assistant(asked("a"), asked("b")), user(came("b")), user(came("a"))])

    assert [message.get("tool_call_id") for message in sent] == [None, "a", "b"]


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    sent = sent_as([assistant(asked("a"), asked("b")), user(came("a"), text("Next?"))])

    assert sent[2] == {"role": "tool", "tool_call_id": "b", "content": conversation.NO_RESULT}
    assert sent[3] == {"role": "user", "content": "Next?"}


def test_a_result_without_a_call_is_left_out() -> None:
    assert sent_as([user(came("a"), text("And now?"))]) == [
        {"role": "user", "content": "And now?"}
    ]


@pytest.mark.parametrize("id", ["a", "", "x" * 41])
def test_ids_that_cannot_be_sent_are_replaced_for_call_and_result_alike(id: str) -> None:
    sent = sent_as(
        [
            assistant(asked(id), asked(id)),
            user(came(id, TextArtifact("one")), came(id, TextArtifact("two"))),
            assistant(asked(id)),
            user(came(id, TextArtifact("three"))),
        ]
    )

    called = [call["id"] for message in sent for call in message.get("tool_calls", [])]
    answers = {m["tool_call_id"]: m["content"] for m in sent if m["role"] == "tool"}
    assert len(set(called)) == 3
    assert [answers[id] for id in called] == ["one", "two", "three"]


@pytest.mark.parametrize("arguments", ['{"path": "a', "", "null", "[1]", '"x"'])
def test_arguments_that_cannot_be_read_are_replayed_as_an_empty_object(arguments: str) -> None:
    sent = sent_as([assistant(asked("a", arguments)), user(came("a"))])

    assert sent[0]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_a_name_that_the_model_made_up_is_replayed_in_a_legal_form() -> None:
    sent = sent_as([assistant(asked("a", native="shop.count now")), user(came("a"))])

    name = sent[0]["tool_calls"][0]["function"]["name"]
    assert name.startswith("shop_count_now_")


def test_empty_messages_are_not_sent() -> None:
    empty = (Message("system", (text(""),)), user(), assistant(text("")), user(text("Hello?")))

    assert sent_as(empty) == [{"role": "user", "content": "Hello?"}]


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


def test_blocks_of_another_provider_stay_behind() -> None:
    own, foreign = {"type": "file", "file": {"file_id": "f"}}, {"type": "thinking"}

    sent = sent_as(
        [user(GenericMessageContent(own, "openai"), GenericMessageContent(foreign, "other"))]
    )

    assert sent == [{"role": "user", "content": [own]}]


def test_tools_are_offered_as_functions() -> None:
    body = request(PromptStack([user(text("?"))], tools=(COUNT,), tool_choice="required"))

    function = body["tools"][0]["function"]
    assert (function["name"], function["description"]) == ("Stock_count", COUNT.description)
    assert function["parameters"]["properties"] == {"sku": {"type": "string"}}
    assert body["tool_choice"] == "required"


def test_a_schema_is_strict_where_the_server_keeps_to_it_and_it_can_be_met() -> None:
    closed = replace(COUNT, schema={**COUNT.schema, "additionalProperties": False})
    open_ = replace(COUNT, native="Open", schema={"type": "object"})
    stack = PromptStack([user(text("?"))], tools=(closed, open_))

    strict, lax = (request(stack, strict=strict)["tools"] for strict in (True, False))

    assert strict[0]["function"]["strict"] is True
    assert strict[0]["function"]["parameters"]["required"] == ["sku"]
    assert "strict" not in strict[1]["function"]
    assert all("strict" not in offered["function"] for offered in lax)
    assert lax[0]["function"]["parameters"] == closed.schema


def test_a_schema_of_alternatives_is_offered_as_one_object() -> None:
    ways = [{"type": "object", "properties": {name: {"type": "string"}}} for name in ("a", "b")]
    stack = PromptStack([user(text("?"))], tools=(replace(COUNT, schema={"anyOf": ways}),))

    parameters = request(stack)["tools"][0]["function"]["parameters"]

    assert parameters["type"] == "object"
    assert parameters["properties"].keys() == {"a", "b"}
    assert list(chat_refusals(request(stack))) == []


def test_tools_are_written_once_for_all_rounds() -> None:
    forms, tools, schema = WrittenForms(strict=False), (COUNT,), {"type": "object"}

    first = forms.tools(tools), forms.response_format(schema)

    assert forms.tools(tools) is first[0]
    assert forms.response_format(schema) is first[1]
    assert forms.tools((COUNT,)) is not first[0]


def test_what_belongs_to_tools_is_sent_with_tools_only() -> None:
    stack = PromptStack([user(text("?"))], tool_choice="none")
    options = {"parallel_tool_calls": False, "tool_choice": "auto", "seed": 7}

    without = request(stack, extra=options)
    stack.tools = (COUNT,)

    assert without == {"model": "gpt-4.1-mini", "messages": without["messages"], "seed": 7}
    assert request(stack, extra=options)["parallel_tool_calls"] is False


def test_a_stream_reports_its_usage() -> None:
    body = request(PromptStack([user(text("?"))]), stream=True)

    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}


def test_options_are_sent_only_where_they_are_set() -> None:
    plain = request(PromptStack([user(text("?"))]))
    full = request(
        PromptStack([user(text("?"))], stop=("1", "2", "3", "4", "5")),
        temperature=0.0,
        max_tokens=9,
    )

    assert plain.keys() == {"model", "messages"}
    assert full["temperature"] == 0.0
    assert full["max_tokens"] == 9
    assert full["stop"] == ["1", "2", "3", "4"]


def test_a_wanted_schema_becomes_the_form_of_the_answer() -> None:
    schema = {"title": "Stock level!", "type": "object", "properties": {"n": {"type": "integer"}}}

    form = request(PromptStack([user(text("?"))], output_schema=schema))["response_format"]

    assert form["type"] == "json_schema"
    assert form["json_schema"]["schema"]["properties"] == {"n": {"type": "integer"}}


@pytest.mark.parametrize("model", ["o4-mini", "gpt-5.4-mini", "gpt-6-luna", "openai/gpt-6-luna"])
def test_reasoning_models_are_spared_the_stops_that_they_refuse(model: str) -> None:
    stack = PromptStack([user(text("?"))], stop=("Observation:",))

    assert "stop" not in request(stack, model=model)
    assert "stop" in request(stack, model="gpt-oss-20b")


@pytest.mark.parametrize("model", ["gpt-5.6-luna", "gpt-6-luna"])
def test_models_that_take_tools_only_without_reasoning_are_told_not_to(model: str) -> None:
    stack = PromptStack([user(text("?"))])

    plain = request(stack, model=model)
    stack.tools = (COUNT,)

    assert "reasoning_effort" not in plain
    assert request(stack, model=model)["reasoning_effort"] == "none"
    assert request(stack, model=model, extra={"reasoning_effort": "low"})["reasoning_effort"] == (
        "low"
    )
    assert "reasoning_effort" not in request(stack, model="gpt-5.4-mini")


def test_rules_that_come_while_results_are_awaited_are_said_behind_them() -> None:
    sent = sent_as([assistant(asked("a")), rules("Be brief."), user(came("a")), rules("Please.")])

    assert [message["role"] for message in sent] == ["assistant", "tool", "system", "system"]


def test_models_that_know_no_rules_are_told_them_by_the_user() -> None:
    stack = PromptStack([rules("Be brief."), user(text("Hello?"))])

    body = request(stack, model="o1-mini")

    assert [message["role"] for message in body["messages"]] == ["user", "user"]
    assert request(stack)["messages"][0]["role"] == "system"


def test_rules_have_the_role_that_the_profile_says() -> None:
    profile = replace(UNKNOWN, system_role="developer")

    assert sent_as([rules("Be brief.")], profile)[0]["role"] == "developer"


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
        (ImageMessageContent(ImageUrlArtifact("file:///cat.png")), "file:///cat.png"),
        (
            AudioMessageContent(AudioArtifact(b"OggS", format="ogg")),
            "audio, format ogg, 4 bytes",
        ),
    ],
    ids=["picture", "address", "sound"],
)
def test_what_the_provider_takes_in_no_form_is_said_in_words(
    block: BaseMessageContent, words: str
) -> None:
    assert sent_as([user(block)]) == [{"role": "user", "content": words}]


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


def thought(words: str, **held: Any) -> ReasoningMessageContent:
    return ReasoningMessageContent(words, held or None, "openai" if held else "")


DETAILS = [{"type": "reasoning.encrypted", "data": "x"}]
THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}


@pytest.mark.parametrize(
    ("server", "block", "sent"),
    [
        ("deepseek", thought("Hm.", reasoning_content="Hm."), {"reasoning_content": "Hm."}),
        ("deepseek", thought("Hm."), {"reasoning_content": "Hm."}),
        ("deepseek", ReasoningMessageContent("Hm.", {}, "anthropic"), {"reasoning_content": ""}),
        ("deepseek", text("Hm."), {"reasoning_content": "", "content": "Hm."}),
        ("zai", thought("Hm.", reasoning_content="Hm."), {"reasoning_content": "Hm."}),
        ("zai", thought("Hm."), {}),
        ("ollama", thought("Hm.", reasoning="Hm."), {"reasoning": "Hm."}),
        ("vllm", thought("Hm.", reasoning_content="Hm."), {"reasoning_content": "Hm."}),
        (
            "openrouter",
            thought("Hm.", reasoning="Hm.", reasoning_details=DETAILS),
            {"reasoning_details": DETAILS},
        ),
        ("openrouter", thought("Hm.", reasoning="Hm."), {"reasoning": "Hm."}),
        ("mistral", thought("Hm.", **THINKING), {"content": [THINKING]}),
        ("groq", thought("Hm.", reasoning="Hm."), {}),
        ("openai", thought("Hm.", reasoning_content="Hm."), {}),
        (
            "gemini",
            GenericMessageContent({"extra_content": {"google": 1}}, "openai"),
            {"extra_content": {"google": 1}},
        ),
        ("openai", GenericMessageContent({"extra_content": {"google": 1}}, "openai"), {}),
    ],
)  # fmt: skip
def test_each_server_gets_back_of_a_turn_with_calls_what_it_wants(
    server: str, block: BaseMessageContent, sent: Json
) -> None:
    first, *_ = sent_as([assistant(block, asked("a")), user(came("a"))], PROFILES[server])

    calls = first.pop("tool_calls")
    assert [call["function"]["name"] for call in calls] == ["Stock_count"]
    assert first == {"role": "assistant", "content": None, **sent}


def test_thoughts_of_an_answer_go_back_only_where_they_are_wanted() -> None:
    answer = assistant(thought("Hm.", reasoning_content="Hm."), text("Yes."))
    plain = {"role": "assistant", "content": "Yes."}

    assert sent_as([answer], PROFILES["deepseek"]) == [plain]
    assert sent_as([answer], PROFILES["zai"]) == [{**plain, "reasoning_content": "Hm."}]


def test_documents_that_were_read_need_not_be_read_again() -> None:
    file, source = {"type": "file", "file": {"hash": "h"}}, {"type": "url_citation"}
    read = GenericMessageContent({"annotations": [source, file]}, "openai")

    sent = sent_as([assistant(text("So."), read)], PROFILES["openrouter"])

    assert sent[0]["annotations"] == [file]


def test_what_a_provider_added_to_a_call_goes_back_to_it_alone() -> None:
    extra = {"extra_content": {"google": {"thought_signature": "s"}}, "caller": "x"}
    call = ActionCallMessageContent("a", "F", "{}", extra)

    to_gemini = sent_as([assistant(call)], PROFILES["gemini"])[0]["tool_calls"][0]
    to_openai = sent_as([assistant(call)], PROFILES["openai"])[0]["tool_calls"][0]

    assert to_gemini["extra_content"] == extra["extra_content"]
    assert to_gemini.keys() - to_openai.keys() == {"extra_content"}


def test_history_that_another_provider_made_is_accepted() -> None:
    signed = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    searched = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}

    sent = sent_as(
        [
            assistant(
                ReasoningMessageContent("Hm.", signed, "anthropic"),
                text("Let me"),
                GenericMessageContent(searched, "anthropic"),
                text(" look."),
                asked("toolu_01"),
            ),
            user(ActionResultMessageContent("toolu_01", "Stock_count", TextArtifact("4"), True)),
        ]
    )

    assert sent[0]["content"] == "Let me look."
    assert sent[0].keys() == {"role", "content", "tool_calls"}
    assert sent[1] == {"role": "tool", "tool_call_id": "toolu_01", "content": "4"}


def test_mistral_gets_short_ids_and_a_word_of_the_model_before_the_users() -> None:
    calls = [asked("call_abc"), asked("abcdefghi"), asked("call_abc")]

    sent = sent_as(
        [assistant(*calls), user(came("call_abc"), came("abcdefghi"), text("And?"))],
        PROFILES["mistral"],
    )

    ids = [call["id"] for call in sent[0]["tool_calls"]]
    assert ids[1] == "abcdefghi"
    assert all(len(id) == 9 and id.isalnum() for id in ids)
    assert len(set(ids)) == 3
    assert [message.get("tool_call_id") for message in sent[1:4]] == ids
    assert [message["role"] for message in sent[4:]] == ["assistant", "user"]


def test_an_id_that_comes_in_every_round_is_another_one_each_time() -> None:
    rounds = [message for _ in range(50) for message in (assistant(asked("a")), user(came("a")))]

    sent = sent_as(rounds)

    ids = [call["id"] for message in sent for call in message.get("tool_calls", ())]
    assert ids[:3] == ["a", "a_2", "a_3"]
    assert len(set(ids)) == 50
    assert [message["tool_call_id"] for message in sent if message["role"] == "tool"] == ids


@pytest.mark.parametrize(
    ("given", "sent"),
    [("half \ud83d", "half \ufffd"), ("\ud83e\uddee", "🧮"), ("🧮", "🧮"), ("\0", "\0")],
)
def test_half_a_character_breaks_no_request(given: str, sent: str) -> None:
    stack = PromptStack([user(text(given))], tools=(replace(COUNT, description=given),))

    body = request(stack)

    assert body["messages"][0]["content"] == sent
    assert body["tools"][0]["function"]["description"] == sent


def test_further_fields_win_over_all_but_the_stream() -> None:
    stack = PromptStack([user(text("?"))], tools=(COUNT,), stop=("x",))
    extra = {
        "messages": [{"role": "user", "content": "mine"}],
        "tools": [{"type": "web_search"}],
        "model": "other",
        "stop": None,
        "stream": True,
    }

    assert request(stack, extra=extra, temperature=1.0) == {
        "model": "other",
        "temperature": 1.0,
        "messages": extra["messages"],
        "tools": extra["tools"],
    }


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ("openai", {"max_completion_tokens": 9, "stop": 4, "stream_options": True}),
        ("mistral", {"max_tokens": 9, "stop": 4, "stream_options": False}),
        ("zai", {"max_tokens": 9, "stop": 1, "stream_options": True}),
        ("xai", {"max_completion_tokens": 9, "stop": 0, "stream_options": True}),
    ],
)
def test_each_server_is_asked_in_its_own_words(server: str, expected: Json) -> None:
    stack = PromptStack([user(text("?"))], stop=("1", "2", "3", "4", "5"))

    body = request(stack, profile=PROFILES[server], max_tokens=9, stream=True)

    assert len(body.get("stop", ())) == expected.pop("stop")
    assert ("stream_options" in body) is expected.pop("stream_options")
    assert expected.items() <= body.items()


def test_a_message_is_written_once_for_all_rounds() -> None:
    looked_at: list[str] = []

    class Counting(str):
        def __bool__(self) -> bool:
            looked_at.append(self)
            return len(self) > 0

    encoder = Encoder(UNKNOWN, "m", strict=False)
    messages = [user(text(Counting(f"message {number}"))) for number in range(40)]
    for most in range(1, 41):
        encoder.request(PromptStack(messages[:most]), stream=False)

    assert looked_at == [f"message {number}" for number in range(40)]


def test_a_request_does_not_change_what_the_next_one_holds() -> None:
    encoder = Encoder(UNKNOWN, "m", strict=False)
    begun = [user(text("?")), assistant(asked("a"), asked("b")), user(came("a"))]
    whole = [*begun, user(came("b")), assistant(text("Done."))]

    first = json.loads(encoder.request(PromptStack(begun), stream=False))["messages"]
    second = json.loads(encoder.request(PromptStack(whole), stream=False))["messages"]

    assert first[-1]["content"] == conversation.NO_RESULT
    assert second == sent_as(whole)
    assert second[-2] == {"role": "tool", "tool_call_id": "b", "content": "4"}
