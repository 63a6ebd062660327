"""The functions and constants that an expression can name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from agenthost_plugin_calculator import inexact
from agenthost_plugin_calculator.bounds import (
    DIGITS,
    check_digits,
    digits_of_factorial,
    fits,
)
from agenthost_plugin_calculator.inexact import Inexact
from agenthost_plugin_calculator.operators import (
    Number,
    add,
    divide,
    exact_root,
    floor,
    is_negative,
    is_zero,
    multiply,
)
from agenthost_sdk.errors import ToolError

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Function:
    """A function and how many numbers it takes; `most` is None for any number of them."""

    apply: Callable[..., Number]
    least: int = 1
    most: int | None = 1

    @property
    def takes(self) -> str:
        """How many numbers it takes, in words."""
        if self.most is None:
            return f"{self.least} or more numbers"
        if self.most > self.least:
            return f"{self.least} or {self.most} numbers"
        return "1 number" if self.least == 1 else f"{self.least} numbers"


def sqrt(number: Number) -> Number:
    """Return the square root, exact where it is a fraction."""
    if is_negative(number):
        raise ToolError("sqrt of a negative number has no real value.")
    root = exact_root(number, 2) if isinstance(number, Fraction) else None
    return inexact.sqrt(Inexact.of(number)) if root is None else root


def factorial(number: Number) -> Number:
    """Return the product of the integers from 1 to a number."""
    whole = _integer(number, "factorial")
    if whole < 0:
        raise ToolError(f"factorial takes integers from 0 up, not {whole}.")
    check_digits(digits_of_factorial(whole), "A factorial")
    return Fraction(math.factorial(whole))


def degrees(number: Number) -> Number:
    """Return an angle given in degrees in radians."""
    return multiply(number, divide(inexact.pi(), Fraction(180)))


def _round(number: Number, places: Number = Fraction(0)) -> Number:
    """Round half away from zero, as people do it."""
    count = _integer(places, "round")
    if abs(count) > DIGITS:
        raise ToolError(f"round takes up to {DIGITS:,} places, not {count}.")
    scale = Fraction(10) ** count
    size = floor(add(multiply(_abs(number), scale), _HALF)) / scale
    return -size if is_negative(number) else size


def _abs(number: Number) -> Number:
    return -number if is_negative(number) else number


def _ceil(number: Number) -> Number:
    return -floor(-number)


def _max(*numbers: Number) -> Number:
    return max(numbers, key=_position)


def _min(*numbers: Number) -> Number:
    return min(numbers, key=_position)


def _gcd(*numbers: Number) -> Number:
    return Fraction(math.gcd(*_integers(numbers, "gcd")))


def _lcm(*numbers: Number) -> Number:
    multiple = 1
    for number in _integers(numbers, "lcm"):
        multiple = math.lcm(multiple, number)
        if not fits(Fraction(multiple)):
            raise ToolError(f"The common multiple has more than {DIGITS:,} digits.")
    return Fraction(multiple)


def _ln(number: Number) -> Number:
    _check_positive(number, "ln")
    return Fraction(0) if number == 1 else inexact.ln(Inexact.of(number))


def _log(number: Number, base: Number = Fraction(10)) -> Number:
    _check_positive(number, "log")
    _check_positive(base, "The base of log")
    if is_zero(add(base, Fraction(-1))):
        raise ToolError("The base of log cannot be 1.")
    return divide(_ln(number), _ln(base))


def _exp(number: Number) -> Number:
    return Fraction(1) if number == 0 else inexact.exp(Inexact.of(number))


def _sin(angle: Number) -> Number:
    return inexact.sin(Inexact.of(angle))


def _cos(angle: Number) -> Number:
    return inexact.cos(Inexact.of(angle))


def _tan(angle: Number) -> Number:
    across = _cos(angle)
    if is_zero(across):
        raise ToolError("tan has no value at this angle: its cosine is 0.")
    return divide(_sin(angle), across)


def _check_positive(number: Number, what: str) -> None:
    if is_zero(number) or is_negative(number):
        raise ToolError(f"{what} takes numbers above 0 only.")


def _position(number: Number) -> Fraction:
    return number if isinstance(number, Fraction) else Fraction(number.value)


def _integers(numbers: Sequence[Number], name: str) -> list[int]:
    return [_integer(number, name) for number in numbers]


def _integer(number: Number, name: str) -> int:
    whole = floor(number)
    if not is_zero(add(number, -whole)):
        raise ToolError(f"{name} takes integers only; one of its numbers is not.")
    return int(whole)


FUNCTIONS: dict[str, Function] = {
    "sqrt": Function(sqrt),
    "abs": Function(_abs),
    "round": Function(_round, 1, 2),
    "floor": Function(floor),
    "ceil": Function(_ceil),
    "min": Function(_min, 1, None),
    "max": Function(_max, 1, None),
    "gcd": Function(_gcd, 1, None),
    "lcm": Function(_lcm, 1, None),
    "factorial": Function(factorial),
    "log": Function(_log, 1, 2),
    "ln": Function(_ln),
    "exp": Function(_exp),
    "sin": Function(_sin),
    "cos": Function(_cos),
    "tan": Function(_tan),
}

CONSTANTS: dict[str, Callable[[], Number]] = {"pi": inexact.pi, "e": inexact.e}
