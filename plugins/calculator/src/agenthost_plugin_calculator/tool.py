"""The tool that models see: one activity that works out an expression."""

from __future__ import annotations

from decimal import Decimal

from agenthost_plugin_calculator import examples
from agenthost_plugin_calculator.evaluation import evaluate
from agenthost_plugin_calculator.result import result
from agenthost_sdk import BaseTool, activity


class Calculator(BaseTool):
    """Do arithmetic exactly: sums, products, powers, per cents, roots and logarithms."""

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        examples=examples.EVALUATE,
    )
    def evaluate(self, expression: str) -> int | Decimal:
        """Work out an arithmetic expression exactly.

        Use it for every calculation, also for percentages, shares, averages and prices. A result
        that is no finite decimal is rounded to 20 significant digits.

        Args:
            expression: The calculation in numbers and signs, such as "(3 + 4) * 12.5" or
                "17% * 4200". Operators: + - * / // % ** and parentheses, also × ÷ ^ √ and ! for
                factorials. A number followed by % is per cent of 1; between two numbers % is the
                remainder. Functions: sqrt, abs, round, floor, ceil, min, max, gcd, lcm,
                factorial, log (base 10, or log(x, base)), ln, exp, sin, cos, tan (in radians,
                or sin(30°)). Constants: pi, e.
        """
        return result(evaluate(expression))
