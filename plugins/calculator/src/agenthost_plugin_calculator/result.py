"""Turn a value into the number that is shown, with no digit that is not certain."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal, DivisionByZero, InvalidOperation
from decimal import Inexact as Rounded
from fractions import Fraction

from agenthost_plugin_calculator.inexact import CONTEXT, Inexact
from agenthost_plugin_calculator.operators import Number
from agenthost_sdk.errors import ToolError

#: A finite decimal of up to this many significant digits is shown whole.
EXACT_DIGITS = 50

#: Everything else is rounded to this many significant digits.
ROUNDED_DIGITS = 20


def result(number: Number) -> int | Decimal:
    """Return an integer where the value is one, else a decimal.

    Raises:
        ToolError: So much cancelled out that no digit is certain.
    """
    if isinstance(number, Inexact):
        return _of_inexact(number)
    if number.denominator == 1:
        return number.numerator
    return _of_fraction(number)


def _of_fraction(number: Fraction) -> int | Decimal:
    above, below = Decimal(number.numerator), Decimal(number.denominator)
    try:
        return _context(EXACT_DIGITS, exact=True).divide(above, below)
    except Rounded:
        return _plain(_context(ROUNDED_DIGITS).divide(above, below))


def _of_inexact(number: Inexact) -> int | Decimal:
    if number.is_zero and number.error.adjusted() < -ROUNDED_DIGITS:
        return 0
    certain = number.value.adjusted() - number.error.adjusted() - 1
    if number.is_zero or certain < 1:
        raise ToolError("The result cannot be told: nearly equal numbers cancel each other out.")
    return _plain(_context(min(certain, ROUNDED_DIGITS)).plus(number.value))


def _plain(rounded: Decimal) -> int | Decimal:
    """Return a rounded number without trailing zeros; as an integer if all its digits count."""
    if rounded == rounded.to_integral_value() and rounded.adjusted() < ROUNDED_DIGITS:
        return int(rounded)
    return rounded.normalize(CONTEXT)


def _context(digits: int, *, exact: bool = False) -> Context:
    traps = [InvalidOperation, DivisionByZero, *([Rounded] if exact else [])]
    return Context(digits, ROUND_HALF_EVEN, CONTEXT.Emin, CONTEXT.Emax, traps=traps)
