"""Numbers that have no exact form, such as roots and logarithms, with what is uncertain of them.

Each carries a bound of its error, so that a result is shown with no digit that is not certain,
and what is zero but for rounding (`sin(pi)`) is zero.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
    getcontext,
    localcontext,
)
from fractions import Fraction

from agenthost_plugin_calculator.bounds import ANGLE_DIGITS, check_decimal, check_digits
from agenthost_sdk.errors import ToolError

#: How many digits are carried; far more than are shown.
PRECISION = 80

#: The context in which a whole calculation runs.
CONTEXT = Context(
    prec=PRECISION,
    Emax=MAX_EMAX,
    Emin=MIN_EMIN,
    traps=[InvalidOperation, DivisionByZero, Overflow],
)

#: The relative error of one step: some units of the last digit.
STEP = Decimal(10) ** (3 - PRECISION)

_HALF = Decimal("0.5")
_LN_10 = Decimal(10).ln(Context(prec=30))


@dataclass(frozen=True)
class Inexact:
    """A number known to within `error`; its arithmetic needs `CONTEXT`."""

    value: Decimal
    error: Decimal

    @classmethod
    def of(cls, number: Fraction | Inexact) -> Inexact:
        """Return a number as an inexact one."""
        if isinstance(number, Inexact):
            return number
        return _rounded(Decimal(number.numerator) / Decimal(number.denominator), Decimal(0))

    @property
    def is_zero(self) -> bool:
        """Whether it cannot be told from zero."""
        return abs(self.value) <= self.error

    def __neg__(self) -> Inexact:
        return Inexact(-self.value, self.error)

    def __abs__(self) -> Inexact:
        return Inexact(abs(self.value), self.error)

    def __add__(self, other: Inexact) -> Inexact:
        return _rounded(self.value + other.value, self.error + other.error)

    def __sub__(self, other: Inexact) -> Inexact:
        return self + -other

    def __mul__(self, other: Inexact) -> Inexact:
        error = abs(self.value) * other.error + (abs(other.value) + other.error) * self.error
        return _rounded(self.value * other.value, error)

    def __truediv__(self, other: Inexact) -> Inexact:
        if other.is_zero:
            raise ToolError("Division by zero: what stands after the sign of division is 0.")
        quotient = self.value / other.value
        error = self.error + abs(quotient) * other.error
        return _rounded(quotient, error / (abs(other.value) - other.error))

    def floor(self) -> Fraction:
        """Return the next integer below; what is an integer but for rounding stays it."""
        if self.error > _HALF:
            raise ToolError("A number is too large for its digits after the point to be told.")
        nearest = self.value.to_integral_value()
        if abs(self.value - nearest) > self.error:
            nearest = self.value.to_integral_value("ROUND_FLOOR")
        return Fraction(nearest)


def sqrt(number: Inexact) -> Inexact:
    """Return the square root."""
    if number.is_zero:
        return Inexact(Decimal(0), number.error.sqrt())
    root = number.value.sqrt()
    return _rounded(root, number.error / root)


def exp(number: Inexact) -> Inexact:
    """Return e to the power of a number."""
    check_digits(float(abs(number.value) / _LN_10), "A power")
    value = number.value.exp()
    return _rounded(value, value * number.error * 2)


def ln(number: Inexact) -> Inexact:
    """Return the natural logarithm; the caller has made sure of a number above 0."""
    error = number.error / number.value * 2
    return _rounded(number.value.ln(), error)


def power(base: Inexact, exponent: Inexact) -> Inexact:
    """Return a power of a base above 0."""
    return exp(ln(base) * exponent)


def sin(angle: Inexact) -> Inexact:
    """Return the sine of an angle in radians."""
    return _periodic(angle, _sine_series)


def cos(angle: Inexact) -> Inexact:
    """Return the cosine of an angle in radians."""
    return _periodic(angle, _cosine_series)


def pi() -> Inexact:
    """Return the ratio of a circle's circumference to its diameter."""
    return _rounded(+_pi(), Decimal(0))


def e() -> Inexact:
    """Return the base of the natural logarithm."""
    return _rounded(Decimal(1).exp(), Decimal(0))


def _rounded(value: Decimal, error: Decimal) -> Inexact:
    """Return a number that was rounded to the context's precision in its last step."""
    check_decimal(value, "The result")
    return Inexact(value, error + abs(value) * STEP)


def _periodic(angle: Inexact, series: Callable[[Decimal], Decimal]) -> Inexact:
    if angle.value and angle.value.adjusted() > ANGLE_DIGITS:
        raise ToolError(f"sin, cos and tan take numbers up to 10^{ANGLE_DIGITS} only.")
    with localcontext(prec=2 * PRECISION + ANGLE_DIGITS):
        turn = 2 * _pi()
        reduced = angle.value - (angle.value / turn).to_integral_value() * turn
    value = series(reduced)
    return _rounded(value, angle.error + Decimal(10) ** (-2 * PRECISION))


def _sine_series(angle: Decimal) -> Decimal:
    return _alternating(angle, angle, 1)


def _cosine_series(angle: Decimal) -> Decimal:
    return _alternating(Decimal(1), angle, 0)


def _alternating(first: Decimal, angle: Decimal, exponent: int) -> Decimal:
    """Sum a Taylor series that starts with `first` until nothing changes any more."""
    with localcontext(prec=2 * PRECISION):
        total, term, square = first, first, angle * angle
        while True:
            exponent += 2
            term *= -square / (exponent * (exponent - 1))
            if total + term == total:
                break
            total += term
    return +total


@functools.cache
def _pi() -> Decimal:
    """Return pi by Machin's formula, to more digits than any reduction of an angle needs."""
    digits = 2 * PRECISION + ANGLE_DIGITS + 10
    one = 10**digits
    scaled = 4 * (4 * _arctan_of_inverse(5, one) - _arctan_of_inverse(239, one))
    with localcontext(getcontext(), prec=digits + 10):
        return Decimal(scaled).scaleb(-digits)


def _arctan_of_inverse(number: int, one: int) -> int:
    """Return arctan(1 / number) in units of 1 / one."""
    term = total = one // number
    divisor, sign = 1, 1
    while term:
        term //= number * number
        divisor, sign = divisor + 2, -sign
        total += sign * (term // divisor)
    return total
