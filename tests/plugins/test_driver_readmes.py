"""The tables of fields in the READMEs of providers' plugins name each field and its default."""

from __future__ import annotations

import ast
import re
from dataclasses import MISSING, Field, fields
from typing import Any

import pytest

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_plugin_openai import OpenAiChatPromptDriver, OpenAiEmbeddingDriver
from support.readme import ROOT

PLUGINS: list[tuple[str, tuple[Any, ...]]] = [
    ("openai", (OpenAiChatPromptDriver, OpenAiEmbeddingDriver)),
    ("anthropic", (AnthropicPromptDriver,)),
]

plugins = pytest.mark.parametrize(("plugin", "drivers"), PLUGINS, ids=["openai", "anthropic"])


def text_of(plugin: str) -> str:
    readme = ROOT / "plugins" / plugin / "README.md"
    return readme.read_text(encoding="utf-8").partition("## Fields")[2].partition("\n## ")[0]


def told_defaults(plugin: str) -> dict[str, Any]:
    """Return the defaults that a README states as values; those it puts in words are left out."""
    rows = re.findall(r"^\| (`[^|]+) \| ([^|]+) \|", text_of(plugin), re.MULTILINE)
    found: dict[str, Any] = {}
    for named, stated in rows:
        names = re.findall(r"`(\w+)`", named)
        values = stated.replace("`", "").split(", ") if len(names) > 1 else [stated.strip("` ")]
        for name, value in zip(names, values, strict=False):
            try:
                found[name] = ast.literal_eval(value)
            except (SyntaxError, ValueError):
                continue
    return found


def default(field: Field[Any]) -> Any:
    return None if field.default is MISSING else field.default


@plugins
def test_every_field_is_told(plugin: str, drivers: tuple[Any, ...]) -> None:
    known = {field.name for driver in drivers for field in fields(driver) if field.init}

    assert known <= set(re.findall(r"`(\w+)`", text_of(plugin)))


@plugins
def test_the_defaults_that_are_told_are_those_of_the_fields(
    plugin: str, drivers: tuple[Any, ...]
) -> None:
    told = told_defaults(plugin)
    real = {field.name: default(field) for field in fields(drivers[0]) if field.name in told}

    assert {"stream", "max_attempts", "max_retry_seconds", "timeout"} <= told.keys()
    assert told == real
