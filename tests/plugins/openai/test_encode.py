"""What a stack becomes as the body of a request."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from agenthost_plugin_openai import conversation
from agenthost_plugin_openai.encode import Encoder
from agenthost_plugin_openai.profiles import PROFILES, UNKNOWN
from agenthost_plugin_openai.tools import WrittenForms
from agenthost_sdk.messages import (
    PromptStack,
)
from support.provider_rules import chat_refusals
from support.said import COUNT, Json, asked, assistant, came, request, rules, sent_as, text, user


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


def test_models_that_know_no_rules_are_told_them_by_the_user() -> None:
    stack = PromptStack([rules("Be brief."), user(text("Hello?"))])

    body = request(stack, model="o1-mini")

    assert [message["role"] for message in body["messages"]] == ["user", "user"]
    assert request(stack)["messages"][0]["role"] == "system"


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
