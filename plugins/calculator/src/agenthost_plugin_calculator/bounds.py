"""Keep every step of a calculation small enough to finish at once."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from agenthost_sdk.errors import ToolError

#: The longest expression, in characters.
LENGTH = 1_000

#: The deepest nesting of parentheses, functions, signs and powers.
DEPTH = 50

#: The most digits of a number on the way; Python turns no int of 4,300 digits into text.
DIGITS = 4_000

#: The largest number that sin, cos and tan take, as a power of ten.
ANGLE_DIGITS = 100


def check_length(expression: str) -> None:
    """Refuse an expression that is longer than any calculation needs."""
    if len(expression) > LENGTH:
        raise ToolError(
            f"The expression has {len(expression):,} characters; at most {LENGTH:,} are allowed."
            " Work it out in parts."
        )


def check_depth(depth: int) -> None:
    """Refuse nesting that would exhaust the stack."""
    if depth > DEPTH:
        raise ToolError(f"The expression is nested more than {DEPTH} deep. Work it out in parts.")


def fits(number: Fraction) -> bool:
    """Whether a number is small enough to be carried exactly."""
    return max(_digits(number.numerator), _digits(number.denominator)) <= DIGITS


def check_digits(digits: float, doing: str) -> None:
    """Refuse a number of so many digits; `doing` says what led to it."""
    if digits > DIGITS:
        raise ToolError(
            f"{doing} is too large or too close to 0: the limit is numbers of {DIGITS:,} digits."
        )


def check_decimal(number: Decimal, doing: str) -> Decimal:
    """Return an inexact number, or refuse it for its size."""
    if number:
        check_digits(abs(number.adjusted()), doing)
    return number


def digits_of_power(base: Fraction, exponent: int) -> float:
    """Estimate how many digits a power has, without working it out."""
    if base in (0, 1, -1):
        return 1
    return abs(exponent) * math.log10(max(abs(base.numerator), base.denominator))


def digits_of_factorial(number: int) -> float:
    """Estimate how many digits a factorial has, without working it out."""
    if number > 10 * DIGITS:
        return math.inf
    return math.lgamma(number + 1) / math.log(10)


def _digits(number: int) -> float:
    """Return the number of decimal digits, or one more."""
    return number.bit_length() * math.log10(2)
