"""What a request says beside its messages: limits, tools, schemas, thinking, further fields."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agenthost_plugin_anthropic.encode import Kept, RequestWriter, count_request
from agenthost_plugin_anthropic.options import Options
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    Message,
    PromptStack,
    ReasoningMessageContent,
    text_message,
)
from support.provider_rules import refusals

Json = dict[str, Any]

MODEL = "claude-haiku-5-5"
OLDER = "claude-sonnet-4-5"

SKU = {
    "type": "string",
    "description": "Stock keeping unit.",
    "maxLength": 9,
    "pattern": "^[A-Z]",
}
CLOSED = {
    "type": "object",
    "properties": {"sku": SKU, "n": {"type": "integer"}},
    "required": ["sku"],
    "additionalProperties": False,
}
SIGNED = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}


def spec(
    native: str = "Stock_count", schema: Json | None = None, words: str = "Count."
) -> ToolSpec:
    return ToolSpec(native, "Stock", native, words, schema or CLOSED)


def request(stack: PromptStack | None = None, model: str = MODEL, **options: Any) -> Json:
    asked = stack or PromptStack([text_message("user", "Hello")])
    body: Json = json.loads(
        RequestWriter().request(asked, Options(model, **options), stream=False)
    )
    assert refusals("messages", body) == []
    return body


def stack(*tools: ToolSpec, **fields: Any) -> PromptStack:
    return PromptStack([text_message("user", "Hello")], tools, **fields)


def after_a_call(*before: Any) -> list[Message]:
    return [
        text_message("user", "Go"),
        Message("assistant", (*before, ActionCallMessageContent("a", "Stock_count", "{}"))),
        Message("user", (ActionResultMessageContent("a", "Stock_count", TextArtifact("3")),)),
    ]


def test_a_bare_request_says_model_limit_and_messages() -> None:
    assert request() == {
        "model": MODEL,
        "max_tokens": 16_384,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}],
    }


def test_a_streamed_request_asks_for_a_stream() -> None:
    body = json.loads(RequestWriter().request(stack(), Options(MODEL), stream=True))

    assert body["stream"] is True


@pytest.mark.parametrize(
    ("model", "options", "limit"),
    [
        (MODEL, {"max_tokens": 7}, 7),
        ("claude-3-haiku-20240307", {}, 4_096),
        ("claude-3-5-haiku-latest", {}, 8_192),
        (OLDER, {"thinking": 10_000}, 26_384),
        (OLDER, {"thinking": 63_000}, 64_000),
        ("qwen3-8b", {}, 16_384),
    ],
)
def test_the_limit_fits_the_model_unless_it_is_stated(
    model: str, options: Json, limit: int
) -> None:
    assert request(model=model, **options)["max_tokens"] == limit


def test_the_system_stands_in_its_own_field() -> None:
    asked = PromptStack([text_message("system", "Be kind."), text_message("user", "Hello")])

    assert request(asked)["system"] == [{"type": "text", "text": "Be kind."}]


def test_texts_to_stop_at_are_sent_without_blank_ones() -> None:
    assert request(stack(stop=("Observation:", "\n")))["stop_sequences"] == ["Observation:"]


def test_a_tool_is_written_with_its_schema() -> None:
    assert request(stack(spec()))["tools"] == [
        {"name": "Stock_count", "description": "Count.", "input_schema": CLOSED}
    ]


def test_a_schema_with_alternatives_at_the_top_becomes_one_object() -> None:
    either = {"anyOf": [CLOSED, {"type": "object", "properties": {"id": {"type": "string"}}}]}

    schema = request(stack(spec(schema=either)))["tools"][0]["input_schema"]

    assert schema["type"] == "object"
    assert set(schema["properties"]) == {"sku", "n", "id"}


def test_a_strict_tool_says_what_cannot_be_guaranteed_in_words() -> None:
    [tool] = request(stack(spec()), strict=True)["tools"]

    assert tool["strict"] is True
    assert tool["input_schema"]["additionalProperties"] is False
    assert tool["input_schema"]["properties"]["sku"] == {
        "type": "string",
        "description": "Stock keeping unit. (maxLength: 9, pattern: ^[A-Z])",
    }


def test_a_schema_without_a_strict_form_is_sent_as_it_is() -> None:
    anything = {"type": "object", "additionalProperties": {"type": "integer"}}
    leads_back = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/one"}},
        "required": ["next"],
        "additionalProperties": False,
        "$defs": {
            "one": {
                "type": "object",
                "properties": {"next": {"$ref": "#/$defs/one"}},
                "required": [],
                "additionalProperties": False,
            }
        },
    }

    tools = request(stack(spec("a", anything), spec("b", leads_back)), strict=True)["tools"]

    assert ["strict" in tool for tool in tools] == [False, False]
    assert tools[0]["input_schema"] == anything


@pytest.mark.parametrize("count", [20, 21])
def test_more_strict_tools_than_the_api_takes_are_sent_as_ordinary_ones(count: int) -> None:
    plain = {"type": "object", "properties": {}, "additionalProperties": False}
    tools = [spec(f"tool_{number}", plain) for number in range(count)]

    strict = ["strict" in tool for tool in request(stack(*tools), strict=True)["tools"]]

    assert strict == [count == 20] * count


def test_too_many_alternatives_in_all_make_no_tool_strict() -> None:
    optional = {
        "type": "object",
        "properties": {f"p{number}": {"type": "string"} for number in range(9)},
        "additionalProperties": False,
    }

    one = request(stack(spec("a", optional)), strict=True)["tools"]
    two = request(stack(spec("a", optional), spec("b", optional)), strict=True)["tools"]

    assert ["strict" in tool for tool in one] == [True]
    assert ["strict" in tool for tool in two] == [False, False]


@pytest.mark.parametrize(
    ("choice", "parallel", "sent"),
    [
        ("auto", True, None),
        ("none", True, {"type": "none"}),
        ("required", True, {"type": "any"}),
        ("auto", False, {"type": "auto", "disable_parallel_tool_use": True}),
        ("required", False, {"type": "any", "disable_parallel_tool_use": True}),
        ("none", False, {"type": "none"}),
    ],
)
def test_a_choice_of_tools_is_said_in_the_apis_words(
    choice: str, parallel: bool, sent: Json | None
) -> None:
    body = request(stack(spec(), tool_choice=choice), parallel_tool_use=parallel)

    assert body.get("tool_choice") == sent


def test_without_tools_there_is_no_choice() -> None:
    assert "tool_choice" not in request(stack(tool_choice="required"), parallel_tool_use=False)


def test_a_model_that_thinks_on_a_budget_is_not_made_to_call() -> None:
    body = request(stack(spec(), tool_choice="required"), OLDER, thinking=2_000)

    assert "tool_choice" not in body


def test_calls_of_earlier_turns_have_tools_where_none_is_offered() -> None:
    body = request(PromptStack(after_a_call()))

    assert [tool["name"] for tool in body["tools"]] == ["Stock_count"]
    assert body["tool_choice"] == {"type": "none"}


def test_tools_of_the_provider_stand_behind_the_hosts() -> None:
    search = {"type": "web_search_20250305", "name": "web_search"}

    assert request(stack(spec()), server_tools=[search])["tools"][1:] == [search]
    assert request(server_tools=[search])["tools"] == [search]
    after = request(PromptStack(after_a_call()), server_tools=[search])
    assert (after["tools"], after.get("tool_choice")) == ([search], None)


@pytest.mark.parametrize(
    ("model", "thinking", "display", "sent"),
    [
        (OLDER, 2_000, None, {"type": "enabled", "budget_tokens": 2_000}),
        (MODEL, "adaptive", "summarized", {"type": "adaptive", "display": "summarized"}),
        (MODEL, "disabled", "summarized", {"type": "disabled"}),
        (MODEL, None, "summarized", None),
    ],
)
def test_how_to_think_is_said_in_the_apis_words(
    model: str, thinking: Any, display: Any, sent: Json | None
) -> None:
    body = request(model=model, thinking=thinking, thinking_display=display)

    assert body.get("thinking") == sent


def test_a_budget_is_left_out_where_the_thoughts_before_the_calls_are_missing() -> None:
    signed = ReasoningMessageContent("Hm.", SIGNED, "anthropic")
    asked = PromptStack(after_a_call(), (spec(),))
    thought = PromptStack(after_a_call(signed), (spec(),))

    assert "thinking" not in request(asked, OLDER, thinking=2_000)
    assert "thinking" in request(thought, OLDER, thinking=2_000)


def test_effort_and_schema_share_a_field() -> None:
    body = request(stack(output_schema=CLOSED), effort="low")

    form = body["output_config"]["format"]
    assert body["output_config"]["effort"] == "low"
    assert form["type"] == "json_schema"
    assert form["schema"]["required"] == ["sku", "n"]


def test_an_answer_that_cannot_be_guaranteed_is_asked_for_in_words() -> None:
    counts = {"type": "object", "additionalProperties": {"type": "integer"}}

    body = request(stack(output_schema=counts))

    assert "output_config" not in body
    assert '"additionalProperties"' in body["system"][0]["text"]


def test_an_answer_that_is_no_object_is_put_into_one() -> None:
    schema = request(stack(output_schema={"type": "integer", "minimum": 3}))["output_config"][
        "format"
    ]["schema"]

    assert schema["properties"]["value"] == {"type": "integer", "description": "(minimum: 3)"}


def test_the_provider_may_be_told_to_keep_what_it_read() -> None:
    assert request(cache=True)["cache_control"] == {"type": "ephemeral"}


def test_further_fields_win() -> None:
    assert request(extra={"max_tokens": 3, "metadata": {"user_id": "u"}}) == {
        **request(),
        "max_tokens": 3,
        "metadata": {"user_id": "u"},
    }


def test_a_further_field_of_none_leaves_a_field_away() -> None:
    body = request(stack(spec(), tool_choice="required"), extra={"tools": None})

    assert "tools" not in body
    assert "tool_choice" not in body


def test_what_is_the_same_every_round_is_made_once() -> None:
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key

    kept = Kept(make)
    found = [kept.of(key) for key in ("a", "a", "b", "b", "a")]

    assert found == ["a", "a", "b", "b", "a"]
    assert made == ["a", "b", "a"]


def test_a_count_is_asked_for_with_model_system_and_messages() -> None:
    asked = [text_message("system", "Be kind."), text_message("user", "Hello")]

    assert json.loads(count_request(asked, MODEL)) == {
        "model": MODEL,
        "system": [{"type": "text", "text": "Be kind."}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}],
    }
