"""What a stack becomes on its way to chat completions."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthost_plugin_openai import encode
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
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
    BaseMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    PromptStack,
    TextMessageContent,
    contents,
)
from support.provider_rules import chat_refusals
from support.reference import is_there, reference

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


def request(stack: PromptStack, **options: Any) -> Json:
    return encode.request(stack, **{"model": "gpt-4.1-mini", "stream": False, **options})


def test_text_travels_as_text_under_its_role() -> None:
    stack = PromptStack()
    stack.add_system_message("Be brief.")
    stack.add_user_message("Hello?")
    stack.add_assistant_message("Hello.")

    assert encode.messages(stack.messages) == [
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

    assert encode.messages(stack.messages)[0]["content"] == [
        {"type": "text", "text": "What is it?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
        {"type": "image_url", "image_url": {"url": "https://example.org/cat.jpg"}},
        {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
    ]


def test_each_call_is_answered_right_after_it_before_any_other_word() -> None:
    sent = encode.messages(
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
    sent = encode.messages([assistant(asked("a")), user(came("a"))])

    assert sent[0]["content"] is None


def test_a_result_in_a_later_message_of_the_user_is_found() -> None:
    sent = encode.messages([assistant(asked("a"), asked("b")), user(came("b")), user(came("a"))])

    assert [message.get("tool_call_id") for message in sent] == [None, "a", "b"]


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    sent = encode.messages([assistant(asked("a"), asked("b")), user(came("a"), text("Next?"))])

    assert sent[2] == {"role": "tool", "tool_call_id": "b", "content": encode.NO_RESULT}
    assert sent[3] == {"role": "user", "content": "Next?"}


def test_a_result_without_a_call_is_left_out() -> None:
    assert encode.messages([user(came("a"), text("And now?"))]) == [
        {"role": "user", "content": "And now?"}
    ]


@pytest.mark.parametrize("id", ["a", "", "x" * 41])
def test_ids_that_cannot_be_sent_are_replaced_for_call_and_result_alike(id: str) -> None:
    sent = encode.messages(
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
    sent = encode.messages([assistant(asked("a", arguments)), user(came("a"))])

    assert sent[0]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_a_name_that_the_model_made_up_is_replayed_in_a_legal_form() -> None:
    sent = encode.messages([assistant(asked("a", native="shop.count now")), user(came("a"))])

    name = sent[0]["tool_calls"][0]["function"]["name"]
    assert name.startswith("shop_count_now_")


def test_empty_messages_are_not_sent() -> None:
    empty = (Message("system", (text(""),)), user(), assistant(text("")), user(text("Hello?")))

    assert encode.messages(empty) == [{"role": "user", "content": "Hello?"}]


def test_a_picture_in_a_result_follows_as_the_users() -> None:
    output = ListArtifact([TextArtifact("A cat."), ImageArtifact(b"\x89PNG")])

    sent = encode.messages(
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

    sent = encode.messages(
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
    forms, tools = encode.ToolForms(), (COUNT,)

    first = forms.of(tools, False)

    assert forms.of(tools, False) is first
    assert forms.of(tools, True) is not first


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
        limit={"max_tokens": 9},
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


_ids = st.sampled_from(["a", "b", "c", "", "x" * 50])
_texts = st.sampled_from(["", "words", "\n", "ünïcode 🧮"])
_arguments = st.sampled_from(["{}", '{"sku": "x"}', "", "null", '{"sku'])
_outputs = st.one_of(
    _texts.map(TextArtifact),
    _texts.map(ErrorArtifact),
    st.just(ImageArtifact(b"\x89PNG")),
    st.just(ListArtifact([])),
)
_blocks = st.one_of(
    _texts.map(TextMessageContent),
    st.builds(ActionCallMessageContent, _ids, st.sampled_from(["F", "a b", ""]), _arguments),
    st.builds(ActionResultMessageContent, _ids, st.just("F"), _outputs),
    st.just(ImageMessageContent(ImageArtifact(b"\x89PNG"))),
    st.just(GenericMessageContent({"type": "thinking"}, "other")),
    st.just(contents("more")[0]),
)
_messages = st.builds(
    Message,
    st.sampled_from(["system", "user", "assistant"]),
    st.lists(_blocks, max_size=5).map(tuple),
)


REFUSALS = [chat_refusals]
if is_there():
    REFUSALS.append(lambda body: reference("rules").check("chat", body))


@settings(deadline=None)
@given(st.lists(_messages, max_size=8), st.booleans(), st.sampled_from(["auto", "none"]))
def test_no_stack_becomes_a_request_that_the_provider_refuses(
    messages: list[Message], with_tools: bool, choice: Any
) -> None:
    stack = PromptStack([*messages, user(text("?"))], (COUNT,) if with_tools else ())
    stack.tool_choice = choice

    body = json.loads(json.dumps(request(stack, stream=True)))

    assert [reason for refusals in REFUSALS for reason in refusals(body)] == []
