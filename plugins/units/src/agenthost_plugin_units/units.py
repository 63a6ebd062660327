"""Read units as people write them, and name them in answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from agenthost_plugin_units.names import (
    LABELS,
    ORIGINS,
    OTHER_WORDS,
    PLURALS,
    POWERS,
    QUANTITIES,
    SPELLINGS,
    SYMBOLS,
)
from agenthost_plugin_units.registry import registry
from agenthost_sdk.errors import ToolError, nearest

#: The longest unit, in characters.
LENGTH = 80

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_POWER = re.compile(r"(?P<name>.*?[^\d\s*^])\s*(?:\*\*|\^)?\s*(?P<power>[1-9])")


@dataclass(frozen=True)
class Unit:
    """A product of named units, each to a power, such as meter / second ** 2."""

    factors: tuple[tuple[str, int], ...]

    @property
    def singular(self) -> str:
        """The name for one of it, such as "mile per hour"."""
        return self._label(plural=False)

    @property
    def plural(self) -> str:
        """The name for several of it, such as "miles per hour"."""
        return self._label(plural=True)

    def _label(self, *, plural: bool) -> str:
        above = [_powered(name, power) for name, power in self.factors if power > 0]
        below = [f"per {_powered(name, -power)}" for name, power in self.factors if power < 0]
        if above and plural:
            above[-1] = _plural(above[-1])
        return " ".join([*above, *below])


def read_unit(text: str) -> Unit:
    """Return the unit that a text names.

    Raises:
        ToolError: A name in it is unknown, or it is no unit at all.
    """
    if len(text) > LENGTH:
        raise ToolError(f"A unit of {len(text)} characters cannot be read; at most {LENGTH}.")
    if "(" in text:
        raise ToolError(f"{text!r} has parentheses; write each divisor by itself: J/kg/K.")
    powers: dict[str, int] = {}
    for name, power in _factors(" ".join(text.split()), text):
        powers[name] = powers.get(name, 0) + power
    factors = tuple((name, power) for name, power in powers.items() if power)
    if not factors:
        raise ToolError(f"{text!r} names no unit.")
    return Unit(_with_differences(factors))


def _factors(text: str, whole: str) -> Iterator[tuple[str, int]]:
    """Yield the registry's names in a text and their powers."""
    meant = SYMBOLS.get(text) or SPELLINGS.get(text.casefold()) or text
    meant = re.sub(r"\bper\b", "/", meant, flags=re.IGNORECASE)
    meant = re.sub(r"[·⋅×]", "*", meant).translate(_SUPERSCRIPTS).replace("**", "^")
    sign = 1
    for piece in re.split(r"([*/])", meant):
        part = piece.strip()
        if part in ("*", "/"):
            sign = -1 if part == "/" else 1
        elif part != "1" or sign < 0:
            yield from ((name, sign * power) for name, power in _factor(part, whole))


def _factor(text: str, whole: str) -> Iterator[tuple[str, int]]:
    """Yield what one factor stands for; that is more than one where a spelling says so."""
    name, power = _without_power(text)
    spelled = SYMBOLS.get(name) or SPELLINGS.get(name.casefold())
    if spelled is not None and not spelled.isidentifier():
        yield from ((found, power * times) for found, times in _factors(spelled, spelled))
    elif registered := _registered(spelled or name):
        yield registered, power
    elif " " in name:
        for word in name.split():
            yield from _factor(word, whole)
    else:
        raise ToolError(_unknown(name, whole))


def _without_power(text: str) -> tuple[str, int]:
    """Return "m" and 2 for "m^2", "m2", "square m" and "m squared"."""
    first, _, rest = text.partition(" ")
    if rest and first.casefold().rstrip(".") in POWERS:
        return rest, POWERS[first.casefold().rstrip(".")]
    rest, _, last = text.rpartition(" ")
    if rest and last.casefold() in POWERS:
        return rest, POWERS[last.casefold()]
    found = _POWER.fullmatch(text)
    return (found["name"], int(found["power"])) if found else (text, 1)


def _registered(name: str) -> str | None:
    """Return the registry's name for a unit, or None."""
    for spelling in _spellings(name):
        for heeds_case in (True, False):
            found = registry().parse_unit_name(spelling, case_sensitive=heeds_case)
            if found:
                prefix, unit, _ = found[0]
                return prefix + unit
    return None


def _spellings(name: str) -> Iterator[str]:
    """Yield the ways in which the registry may have a name, the likeliest first."""
    plain = re.sub(r"[\s_-]+", "_", name.replace(".", "").strip())
    yield plain
    yield plain.casefold()
    first, _, rest = plain.casefold().partition("_")
    if rest and first in ORIGINS:
        yield ORIGINS[first] + rest
    if rest and first in ("degree", "degrees", "deg"):
        yield SPELLINGS.get(rest) or SYMBOLS.get(rest.upper()) or rest
    if plain[:1] == "°":
        yield plain[1:].casefold()


def _with_differences(factors: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """Return degrees within a product as differences: a scale's zero means nothing there."""
    if len(factors) == 1 and factors[0][1] == 1:
        return factors
    return tuple((f"delta_{name}" if name in _SCALES else name, power) for name, power in factors)


_SCALES = {"degree_Celsius", "degree_Fahrenheit"}


def _unknown(name: str, whole: str) -> str:
    near = nearest(name, known_names())
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    within = "" if name == whole else f" (in {whole!r})"
    return (
        f"No unit named {name!r}{within}.{meant} Units are named as in kilometer, km,"
        " mile per hour or m/s^2; Units_list tells those of a quantity."
    )


def known_names() -> list[str]:
    """Return the names of the listed units and all their other spellings."""
    listed = [name for names in QUANTITIES.values() for name in names.split(", ")]
    return [*listed, *SPELLINGS]


def quantity_of(unit: Unit) -> str | None:
    """Return the name of what a unit measures, or None if it has none here."""
    roots = roots_of(unit)
    for quantity, names in QUANTITIES.items():
        if roots_of(read_unit(names.split(", ")[0])) == roots:
            return quantity
    return None


def roots_of(unit: Unit) -> dict[str, Fraction]:
    """Return the base units and their powers; equal for units that convert to each other."""
    units = registry()
    quantity = units.Quantity(Fraction(1), units.UnitsContainer(dict(unit.factors)))
    roots = quantity.to_root_units().unit_items()
    return {name: Fraction(str(power)) for name, power in roots}


def units_of(quantity: str) -> tuple[str, str]:
    """Return a quantity's name and its units.

    Raises:
        ToolError: There are no units for such a quantity.
    """
    asked = " ".join(quantity.casefold().replace("_", " ").split())
    for name in (asked, asked.removesuffix("s"), asked.removesuffix(" units")):
        meant = OTHER_WORDS.get(name, name)
        if meant in QUANTITIES:
            return meant, QUANTITIES[meant]
    near = nearest(asked, [*QUANTITIES, *OTHER_WORDS])
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    raise ToolError(f"No quantity named {quantity!r}.{meant} Known: {', '.join(QUANTITIES)}.")


def _powered(name: str, power: int) -> str:
    label = LABELS.get(name.removeprefix("delta_")) or name.replace("_", " ")
    words = {1: "{}", 2: "square {}", 3: "cubic {}"}
    return words.get(power, f"{{}}^{power}").format(label)


def _plural(label: str) -> str:
    head, _, last = label.rpartition(" ")
    if label in PLURALS:
        return PLURALS[label]
    added = "" if last.endswith(("s", "x", "z")) else "s"
    return f"{head} {PLURALS.get(last, last + added)}".strip()
