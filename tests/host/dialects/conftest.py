"""The table of native names that the dialects' tests read replies with."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost_sdk.actions import Example, NativeNames, ToolSpec

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"sku": {"type": "string"}}}


@pytest.fixture
def table() -> NativeNames:
    example = Example("Any AB left?", {"sku": "AB"})
    count = ToolSpec("Stock_count", "Stock", "count", "Count units.", SCHEMA, (example,))
    reserve = ToolSpec("Stock_reserve", "Stock", "reserve", "Reserve units.", SCHEMA)
    clock = ToolSpec("Clock_now", "Clock", "now", "Tell the time.", {"type": "object"})
    return NativeNames([count, reserve, clock])
