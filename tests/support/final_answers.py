"""What the tests of final answers share: a type, a tool beside it, the reply that answers."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from agenthost_sdk import BaseTool, Message, activity

OUTPUT = ("StructuredOutputTool", "provide_output")


class Person(BaseModel):
    """A person."""

    name: str
    age: int


class Stock(BaseTool):
    """Look up stock."""

    @activity(read_only=True)
    def count(self, sku: str) -> int:
        """Count the units on hand.

        Args:
            sku: Stock keeping unit.
        """
        return len(sku)


def final(voice: Any, strategy: str, value: Any) -> Message:
    """Return a reply that gives the answer as the strategy has it."""
    if strategy == "tool":
        reply: Message = voice.act((*OUTPUT, value))
    else:
        reply = voice.answer(json.dumps(value))
    return reply
