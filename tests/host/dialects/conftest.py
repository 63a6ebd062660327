"""The table of native names that the dialects' tests read replies with, and a way to read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agenthost.dialects import BUILT_IN
from agenthost_sdk.actions import Example, NativeNames, ToolSpec
from agenthost_sdk.dialects import Reply
from agenthost_sdk.messages import Finish, Message, TextMessageContent

#: Reads a text in a dialect, named by its name; `finish` says how the reply ended.
Read = Callable[..., Reply]

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"sku": {"type": "string"}}}


@pytest.fixture
def table() -> NativeNames:
    example = Example("Any AB left?", {"sku": "AB"})
    count = ToolSpec("Stock_count", "Stock", "count", "Count units.", SCHEMA, (example,))
    reserve = ToolSpec("Stock_reserve", "Stock", "reserve", "Reserve units.", SCHEMA)
    clock = ToolSpec("Clock_now", "Clock", "now", "Tell the time.", {"type": "object"})
    return NativeNames([count, reserve, clock])


@pytest.fixture
def tools() -> NativeNames:
    """Return activities that need something: one text, two values, nothing."""
    text = {"query": {"type": "string"}}
    two = {"sku": {"type": "string"}, "units": {"type": "integer"}}
    return NativeNames(
        [
            ToolSpec("search", "search", None, "", _needing(text)),
            ToolSpec("python", "python", None, "", _needing({"code": {"type": "string"}})),
            ToolSpec("Stock_reserve", "Stock", "reserve", "", _needing(two)),
            ToolSpec("Clock_now", "Clock", "now", "", _needing({})),
        ]
    )


def _needing(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties]}


@pytest.fixture
def read(tools: NativeNames) -> Read:
    """Return a function that reads a text in a dialect."""

    def of(dialect: str, text: str, finish: Finish = "stop") -> Reply:
        message = Message("assistant", (TextMessageContent(text),), finish=finish)
        return BUILT_IN[dialect]().read(message, tools)

    return of
