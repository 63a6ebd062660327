"""A shop, for workflows: what it can do, and a workflow of some of it."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from agenthost import FromInput, FromStep, Workflow, WorkflowStep
from agenthost_sdk import BaseTool, activity


class Shop(BaseTool):
    """Look things up, and sell them."""

    @activity(read_only=True)
    def count(self, sku: str, reserved: bool = False) -> int:
        """Count the units on hand.

        Args:
            sku: Stock keeping unit.
            reserved: Count reserved units too.
        """
        return 100 if reserved else len(sku)

    @activity(read_only=True)
    def tell(self, sku: str) -> str:
        """Tell all of an article, as JSON text.

        Args:
            sku: Stock keeping unit.
        """
        return f'{{"sku": "{sku}", "prices": [3, 4]}}'

    @activity(read_only=True)
    async def price(self, units: int, each: float = 2.0) -> dict[str, float]:
        """Work out a price.

        Args:
            units: How many.
            each: What one costs.
        """
        await asyncio.sleep(0)
        return {"total": units * each}

    @activity(destructive=True)
    def sell(self, sku: str, units: int) -> str:
        """Sell.

        Args:
            sku: Stock keeping unit.
            units: How many.
        """
        return f"{units} of {sku} sold"

    @activity(read_only=True)
    def fail(self, words: str) -> str:
        """Fail.

        Args:
            words: What to say.
        """
        raise ValueError(words)

    @activity(read_only=True, timeout=0.05)
    def hang(self) -> str:
        """Wait too long."""
        threading.Event().wait(20)
        return "late"


SHOP = Shop()


def made(*steps: WorkflowStep, **options: Any) -> Workflow:
    """Return a workflow of these steps, which takes an article."""
    options.setdefault("inputs", {"sku": str})
    return Workflow("Sale", "Sell what is there.", steps, **options)


COUNT = WorkflowStep(SHOP, "count", {"sku": FromInput("sku")})


SELL = WorkflowStep(SHOP, "sell", {"sku": FromInput("sku"), "units": FromStep("count")})


PRICE = WorkflowStep(SHOP, "price", {"units": FromStep("count")})
