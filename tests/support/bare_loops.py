"""What the loops written by hand on the bare SDKs have in common: the function to call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

Json = dict[str, Any]

#: What the server is asked for, and how long its replies may be.
MODEL = "m"
MAX_TOKENS = 1024

#: The function that the model may call.
NAME = "Shelf_count"
DESCRIPTION = "Count the units on hand."
PARAMETERS: Json = {
    "type": "object",
    "properties": {
        "sku": {"type": "string", "description": "Stock keeping unit."},
        "shelf": {"type": "integer", "description": "The shelf's number."},
        "reserved": {
            "type": "boolean",
            "description": "Count reserved units too.",
            "default": False,
        },
    },
    "required": ["sku", "shelf"],
    "additionalProperties": False,
}


class Loop(Protocol):
    """A question, put again with the results of the calls until the model answers."""

    def run(self, question: str) -> str:
        """Return the answer."""

    async def arun(self, question: str) -> str:
        """Return the answer, without blocking the event loop."""


def count(sku: str, shelf: int, reserved: bool = False) -> int:
    """Count the units on hand."""
    return shelf


FUNCTIONS: dict[str, Callable[..., Any]] = {NAME: count}


def outputs(calls: Sequence[tuple[str, Json]]) -> list[str]:
    """Return what comes of the calls, each a name and its arguments; several run side by side."""
    if len(calls) == 1:
        return [_output(*calls[0])]
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(lambda call: _output(*call), calls))


def _output(name: str, given: Json) -> str:
    return str(FUNCTIONS[name](**given))
