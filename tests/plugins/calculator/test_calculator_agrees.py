"""The calculator agrees with fractions, with floats, and with itself."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthost_plugin_calculator.evaluation import evaluate
from agenthost_plugin_calculator.result import result
from agenthost_plugin_calculator.tool import Calculator
from agenthost_sdk import JsonArtifact, ToolAction
from agenthost_sdk.errors import ToolError

DIVISIONS = {"/", "//", "mod"}

#: An expression and what it is worth; None where something is divided by zero.
Worth = tuple[str, Fraction | None]


def combined(parts: tuple[Worth, str, Worth]) -> Worth:
    (left, worth), sign, (right, other) = parts
    text = f"({left} {sign} {right})"
    if worth is None or other is None or (sign in DIVISIONS and other == 0):
        return text, None
    if sign == "+":
        return text, worth + other
    if sign == "-":
        return text, worth - other
    if sign == "*":
        return text, worth * other
    if sign == "/":
        return text, worth / other
    return text, Fraction(worth // other) if sign == "//" else worth % other


numbers: st.SearchStrategy[Worth] = st.decimals(
    min_value=0, max_value=10**6, places=3, allow_nan=False, allow_infinity=False
).map(lambda number: (str(number), Fraction(number)))

expressions = st.recursive(
    numbers,
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "mod"]), inner).map(
        combined
    ),
    max_leaves=12,
)


@given(expressions)
@settings(deadline=None)
def test_the_four_operations_agree_with_fractions(case: Worth) -> None:
    expression, worth = case

    if worth is None:
        with pytest.raises(ToolError, match="Division by zero"):
            evaluate(expression)
    else:
        assert evaluate(expression) == worth


@given(st.fractions(-(10**19), 10**19, max_denominator=10**9))
@settings(deadline=None)
def test_what_is_shown_is_exact_or_right_to_twenty_digits(number: Fraction) -> None:
    shown = result(number)

    assert isinstance(shown, int) == (Fraction(shown).denominator == 1)
    assert abs(Fraction(shown) - number) <= abs(number) * Fraction(1, 10**19)


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6))
@settings(deadline=None)
def test_sine_cosine_and_roots_agree_with_floats(above: int, below: int) -> None:
    number = Fraction(above, below)
    text = f"({above}/{below})"

    assert float(result(evaluate(f"sin{text}"))) == pytest.approx(math.sin(number), abs=1e-9)
    assert float(result(evaluate(f"cos{text}"))) == pytest.approx(math.cos(number), abs=1e-9)
    assert float(result(evaluate(f"sqrt(abs{text})"))) == pytest.approx(abs(number) ** 0.5)


@given(st.integers(2, 10**30), st.integers(1, 20))
@settings(deadline=None)
def test_a_power_and_its_root_cancel_out(base: int, exponent: int) -> None:
    assert result(evaluate(f"({base} ** {exponent}) ** (1 / {exponent})")) == base


@given(st.decimals(min_value=Decimal("0.001"), max_value=10**9, places=3))
@settings(deadline=None)
def test_logarithm_and_exponential_cancel_out(number: Decimal) -> None:
    assert result(evaluate(f"exp(ln({number}))")) == number


@given(st.text(alphabet="0123456789+-*/%^().,!√π eE°xof sqrtmaxlnpi", max_size=60))
@settings(deadline=None, max_examples=300)
def test_every_text_gives_a_number_or_words(text: str) -> None:
    output = Calculator().run(ToolAction("1", "Calculator", "evaluate", {"expression": text}))

    assert isinstance(output, JsonArtifact) or getattr(output, "code", "") == "tool-error"
