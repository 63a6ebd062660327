"""What is known of the models, and what the driver says where one lacks something."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from anthropic.types import Model

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_plugin_anthropic.models import DEFAULT_MODEL, abilities, version_of
from agenthost_plugin_anthropic.options import Options
from agenthost_sdk.errors import DriverRequestError
from agenthost_sdk.messages import PromptStack, text_message

KNOWN = get_args(get_args(Model)[0])


@pytest.mark.parametrize(
    ("model", "version"),
    [
        ("claude-haiku-5-5", (5, 5)),
        ("claude-sonnet-5", (5, 0)),
        ("claude-sonnet-4-5-20250929", (4, 5)),
        ("claude-sonnet-4-20250514", (4, 0)),
        ("claude-opus-4-1-20250805", (4, 1)),
        ("claude-3-5-haiku-latest", (3, 5)),
        ("claude-3-opus-20240229", (3, 0)),
        ("anthropic/claude-opus-4.7", (4, 7)),
        ("eu.anthropic.claude-haiku-4-5-20251001-v1:0", (4, 5)),
        ("claude-mythos-preview", None),
        ("qwen3-8b", None),
    ],
)
def test_the_version_is_read_from_a_models_name(
    model: str, version: tuple[int, int] | None
) -> None:
    assert version_of(model) == version


def test_the_default_model_is_one_that_the_sdk_lists() -> None:
    assert DEFAULT_MODEL in KNOWN


@pytest.mark.parametrize("model", KNOWN)
def test_each_model_that_the_sdk_lists_can_be_held_to_a_schema(model: str) -> None:
    assert abilities(model).structured


@pytest.mark.parametrize(
    ("model", "options", "words"),
    [
        ("claude-haiku-5-5", {"temperature": 0.0}, "takes no temperature"),
        ("claude-opus-4-7", {"extra": {"top_p": 0.5}}, "takes no temperature"),
        ("claude-sonnet-5", {"thinking": 2_000}, "Set thinking='adaptive'"),
        ("claude-sonnet-4-5", {"thinking": "adaptive"}, "Set thinking to a number"),
        ("claude-haiku-4-5", {"effort": "low"}, "takes no effort"),
        ("claude-sonnet-4-5", {"thinking": 100}, "1024 tokens at least"),
        ("claude-sonnet-4-5", {"thinking": 2_000, "max_tokens": 2_000}, "fewer than max_tokens"),
        ("claude-sonnet-4-5", {"thinking": 2_000, "temperature": 0.5}, "Leave out temperature"),
    ],
)
def test_what_a_model_does_not_take_is_said_with_what_to_do(
    model: str, options: dict[str, Any], words: str
) -> None:
    assert re.search(words, Options(model, **options).fault())


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("claude-sonnet-4-5", {"temperature": 0.0, "thinking": None}),
        ("claude-opus-4-6", {"thinking": 2_000}),
        ("claude-opus-4-6", {"thinking": "adaptive", "effort": "max"}),
        ("claude-opus-4-5", {"effort": "low"}),
        ("claude-haiku-5-5", {"thinking": "disabled"}),
        ("claude-3-opus-20240229", {"thinking": "disabled"}),
        ("qwen3-8b", {"temperature": 0.5}),
        ("qwen3-8b", {"thinking": 2_000}),
    ],
)
def test_what_a_model_takes_is_sent(model: str, options: dict[str, Any]) -> None:
    assert Options(model, **options).fault() == ""


def test_a_fault_is_raised_before_anything_is_sent() -> None:
    driver = AnthropicPromptDriver(base_url="http://127.0.0.1:9", temperature=0.5)

    with pytest.raises(DriverRequestError, match="anthropic:claude-haiku-5-5: claude-haiku-5-5"):
        driver.run("Hello?")


def test_a_model_that_cannot_be_held_to_a_schema_is_named_with_the_other_ways() -> None:
    driver = AnthropicPromptDriver(base_url="http://127.0.0.1:9", model="claude-opus-4-1")
    stack = PromptStack([text_message("user", "Hello")], output_schema={"type": "integer"})

    with pytest.raises(DriverRequestError, match="Set structured_output_strategy to 'tool'"):
        driver.run(stack)


@pytest.mark.parametrize("field", ["extra_params", "server_tools"])
def test_what_json_has_no_word_for_is_refused_with_its_field(field: str) -> None:
    odd = {"x": object()}
    fields: dict[str, Any] = {field: odd if field == "extra_params" else [odd]}
    driver = AnthropicPromptDriver(base_url="http://127.0.0.1:9", **fields)

    with pytest.raises(DriverRequestError, match=field):
        driver.run("Hello?")
