"""The operators: exact wherever the result has an exact form, and within bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from agenthost_plugin_calculator import inexact
from agenthost_plugin_calculator.bounds import DIGITS, digits_of_power, fits
from agenthost_plugin_calculator.inexact import Inexact
from agenthost_sdk.errors import ToolError

#: What every step takes and gives.
Number = Fraction | Inexact

#: The largest root that is tried for an exact result, as in 8 ** (1 / 3).
_LARGEST_ROOT = 1_000


def add(left: Number, right: Number) -> Number:
    """Return a sum."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return _kept(left + right)
    return Inexact.of(left) + Inexact.of(right)


def subtract(left: Number, right: Number) -> Number:
    """Return a difference."""
    return add(left, -right)


def multiply(left: Number, right: Number) -> Number:
    """Return a product."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return _kept(left * right)
    return Inexact.of(left) * Inexact.of(right)


def divide(left: Number, right: Number) -> Number:
    """Return a quotient."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        _check_divisor(right, "/")
        return _kept(left / right)
    return Inexact.of(left) / Inexact.of(right)


def floor_divide(left: Number, right: Number) -> Number:
    """Return a quotient rounded down."""
    _check_divisor(right, "//")
    return floor(divide(left, right))


def modulo(left: Number, right: Number) -> Number:
    """Return the remainder of `floor_divide`; it has the sign of the divisor."""
    _check_divisor(right, "%")
    return subtract(left, multiply(right, floor(divide(left, right))))


def power(base: Number, exponent: Number) -> Number:
    """Return a power; exact for whole exponents and for roots that come out even."""
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return _whole_power(base, exponent.numerator)
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        root = exact_root(base, exponent.denominator)
        if root is not None:
            return _whole_power(root, exponent.numerator)
    return _any_power(Inexact.of(base), Inexact.of(exponent))


def floor(number: Number) -> Fraction:
    """Return the next integer below."""
    return Fraction(math.floor(number)) if isinstance(number, Fraction) else number.floor()


def exact_root(number: Fraction, degree: int) -> Fraction | None:
    """Return a root of a number from 0 up, or None if it is no fraction."""
    if number < 0 or degree > _LARGEST_ROOT:
        return None
    above = _integer_root(number.numerator, degree)
    below = _integer_root(number.denominator, degree)
    return None if above is None or below is None else Fraction(above, below)


def is_negative(number: Number) -> bool:
    """Whether a number is certainly below 0."""
    return number < 0 if isinstance(number, Fraction) else number.value < -number.error


def is_zero(number: Number) -> bool:
    """Whether a number is 0, as far as can be told."""
    return number == 0 if isinstance(number, Fraction) else number.is_zero


def _kept(number: Fraction) -> Number:
    """Return a number that has too many digits to be carried exactly as an inexact one."""
    return number if fits(number) else Inexact.of(number)


def _check_divisor(divisor: Number, sign: str) -> None:
    if is_zero(divisor):
        raise ToolError(f"Division by zero: what stands after {sign} is 0.")


def _whole_power(base: Number, exponent: int) -> Number:
    if is_zero(base) and exponent < 0:
        raise ToolError(f"Division by zero: 0 has no power of {exponent}.")
    if isinstance(base, Fraction) and digits_of_power(base, exponent) <= DIGITS:
        return base**exponent
    return _whole_power_inexact(Inexact.of(base), exponent)


def _whole_power_inexact(base: Inexact, exponent: int) -> Number:
    if base.is_zero:
        return Fraction(1) if exponent == 0 else base
    size = inexact.power(abs(base), Inexact.of(Fraction(exponent)))
    return -size if base.value < 0 and exponent % 2 else size


def _any_power(base: Inexact, exponent: Inexact) -> Number:
    if is_negative(base):
        raise ToolError(
            "A power of a negative number needs a whole exponent: others have no real value."
        )
    if not base.is_zero:
        return inexact.power(base, exponent)
    if is_negative(exponent):
        raise ToolError("Division by zero: 0 has no negative power.")
    return Fraction(0)


def _integer_root(number: int, degree: int) -> int | None:
    """Return a whole root by Newton's method, or None if there is none."""
    if number < 2:
        return number
    guess = 1 << -(-number.bit_length() // degree)
    while True:
        step = ((degree - 1) * guess + number // guess ** (degree - 1)) // degree
        if step >= guess:
            return guess if guess**degree == number else None
        guess = step


#: What stands between two numbers.
OPERATORS: dict[str, Callable[[Number, Number], Number]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "of": multiply,
    "/": divide,
    "//": floor_divide,
    "%": modulo,
    "mod": modulo,
    "**": power,
}
