"""Convert a quantity and say the result in a sentence."""

from __future__ import annotations

import contextlib
import math
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from typing import TYPE_CHECKING

from agenthost_plugin_units.registry import registry
from agenthost_plugin_units.units import Unit, quantity_of, read_unit, roots_of
from agenthost_sdk.errors import ToolError

if TYPE_CHECKING:
    from pint.util import UnitsContainer

#: A result with up to this many significant digits is shown whole; others are rounded to them.
DIGITS = 10


def convert(value: float, from_unit: str, to_unit: str) -> str:
    """Return a sentence such as "26.2 miles = 42.1648128 kilometers".

    "=" stands before an exact result, "≈" before a rounded one.

    Raises:
        ToolError: A unit is unknown, or the two measure different things.
    """
    if not math.isfinite(value):
        raise ToolError(f"{value} is no number that can be converted.")
    source, target = _read_both(from_unit, to_unit)
    given = Fraction(repr(value))
    units = registry()
    result = Fraction(units.convert(given, _container(source), _container(target)))
    shown, is_exact = _shown(result)
    sign = "=" if is_exact else "≈"
    start = f"{_plain(Decimal(repr(value)))} {_named(given, source)}"
    return f"{start} {sign} {shown} {_named(result, target)}"


def _read_both(from_unit: str, to_unit: str) -> tuple[Unit, Unit]:
    """Read two units; where they do not go together, try them in small letters: KM to M."""
    source, target = read_unit(from_unit), read_unit(to_unit)
    if roots_of(source) == roots_of(target):
        return source, target
    with contextlib.suppress(ToolError):  # a symbol such as Pa has no small form
        small = read_unit(from_unit.casefold()), read_unit(to_unit.casefold())
        if roots_of(small[0]) == roots_of(small[1]):
            return small
    raise ToolError(
        f"{_measured(source)} cannot be converted to {_measured(target)}:"
        " they measure different things."
    )


def _container(unit: Unit) -> UnitsContainer:
    return registry().UnitsContainer(dict(unit.factors))


def _measured(unit: Unit) -> str:
    quantity = quantity_of(unit) or _dimensions(unit)
    return f"{unit.plural} ({quantity})"


def _dimensions(unit: Unit) -> str:
    """Return what a unit is made of, for those that no listed quantity has."""
    powers = roots_of(unit).items()
    roots = Unit(tuple((name, int(power)) for name, power in powers))
    return f"in base units: {roots.plural}" if roots.factors else "a plain number"


def _named(number: Fraction, unit: Unit) -> str:
    return unit.singular if abs(number) == 1 else unit.plural


def _shown(number: Fraction) -> tuple[str, bool]:
    """Return a number in digits, and whether they are all of it."""
    above, below = Decimal(number.numerator), Decimal(number.denominator)
    try:
        return _plain(Context(DIGITS, traps=[Inexact]).divide(above, below)), True
    except Inexact:
        return _plain(Context(DIGITS).divide(above, below)), False


def _plain(number: Decimal) -> str:
    """Return a number without trailing zeros; with an exponent only if it needs many zeros."""
    if not number:
        return "0"
    number = number.normalize()
    if -7 < number.adjusted() < 15:
        return f"{number:f}"
    return str(number).replace("E", "e")
