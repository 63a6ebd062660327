"""Work out an expression: read it by precedence and calculate on the way, without eval.

sum      = product (("+" | "-") product)*
product  = signed (("*" | "/" | "//" | "%" | "mod" | "of") signed)*
signed   = ("+" | "-") signed | power
power    = postfix ("**" signed)?
postfix  = primary ("!" | "%" | "°")*
primary  = number | constant | function "(" sum ("," sum)* ")" | "(" sum ")" | "√" postfix
"""

from __future__ import annotations

from decimal import localcontext
from fractions import Fraction

from agenthost_plugin_calculator.bounds import (
    check_depth,
    check_digits,
    check_length,
)
from agenthost_plugin_calculator.functions import (
    CONSTANTS,
    FUNCTIONS,
    Function,
    degrees,
    factorial,
    sqrt,
)
from agenthost_plugin_calculator.inexact import CONTEXT
from agenthost_plugin_calculator.operators import OPERATORS, Number, divide
from agenthost_plugin_calculator.tokens import Token, cut
from agenthost_sdk.errors import ToolError, nearest

_SUMS = ("+", "-")
_PRODUCTS = ("*", "/", "//", "%", "mod", "of")

#: A % before one of these, or before the end, is per cent; before anything else it is modulo.
_AFTER_PERCENT = {*_SUMS, *_PRODUCTS, "**", "!", "°", ")", ","}


def evaluate(expression: str) -> Number:
    """Return the value of an expression.

    Raises:
        ToolError: It is no arithmetic, has no value, or is out of bounds.
    """
    check_length(expression)
    with localcontext(CONTEXT):
        return _Evaluation(cut(expression)).value()


class _Evaluation:
    """One pass over the tokens; `depth` counts what is open, so that the stack is bounded."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.index = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    def value(self) -> Number:
        if self._is_at_end():
            raise ToolError('The expression is empty; write one, such as "23 * 19".')
        number = self._sum(0)
        if not self._is_at_end():
            raise ToolError(_left_over(self.token))
        return number

    def _sum(self, depth: int) -> Number:
        number = self._product(depth)
        while sign := self._take(*_SUMS):
            number = OPERATORS[sign](number, self._product(depth))
        return number

    def _product(self, depth: int) -> Number:
        number = self._signed(depth)
        while sign := self._take_product():
            number = OPERATORS[sign](number, self._signed(depth))
        return number

    def _take_product(self) -> str:
        before = self.tokens[self.index - 1].text
        if self.token.text == "of" and before not in ("%", "percent", "per cent"):
            raise ToolError(
                f'"of" at position {self.token.position} stands only after per cent,'
                " as in 17% of 4200; write * to multiply."
            )
        return self._take(*_PRODUCTS)

    def _signed(self, depth: int) -> Number:
        check_depth(depth)
        if sign := self._take(*_SUMS):
            number = self._signed(depth + 1)
            return -number if sign == "-" else number
        return self._power(depth)

    def _power(self, depth: int) -> Number:
        base = self._postfix(depth)
        if self._take("**"):
            return OPERATORS["**"](base, self._signed(depth + 1))
        return base

    def _postfix(self, depth: int) -> Number:
        number = self._primary(depth)
        while True:
            if self._take("!"):
                number = factorial(number)
            elif self._take("°"):
                number = degrees(number)
            elif self._is_percent():
                self._take("%")
                number = divide(number, Fraction(100))
            else:
                return number

    def _is_percent(self) -> bool:
        if self.token.text != "%":
            return False
        following = self.tokens[self.index + 1]
        return following.kind == "end" or following.text in _AFTER_PERCENT

    def _primary(self, depth: int) -> Number:
        token = self.token
        self.index += 1
        if token.kind == "number":
            return _number(token)
        if token.kind == "name":
            return self._named(token, depth)
        if token.text == "(":
            number = self._sum(depth + 1)
            self._close(token)
            return number
        if token.text == "√":
            check_depth(depth)
            return sqrt(self._postfix(depth + 1))
        raise ToolError(_missing_number(token))

    def _named(self, token: Token, depth: int) -> Number:
        name = token.text.lower()
        if name in CONSTANTS:
            return CONSTANTS[name]()
        if name not in FUNCTIONS:
            raise ToolError(_unknown_name(token))
        numbers = self._arguments(token, depth)
        _check_count(name, FUNCTIONS[name], len(numbers))
        return FUNCTIONS[name].apply(*numbers)

    def _arguments(self, name: Token, depth: int) -> list[Number]:
        opening = self.token
        if not self._take("("):
            raise ToolError(f"{name.text} is a function: write {name.text}(…) with parentheses.")
        if self._take(")"):
            return []
        numbers = [self._sum(depth + 1)]
        while self._take(","):
            numbers.append(self._sum(depth + 1))
        self._close(opening)
        return numbers

    def _close(self, opening: Token) -> None:
        if not self._take(")"):
            raise ToolError(
                f"The parenthesis opened at position {opening.position} is not closed"
                f" before {_shown(self.token)}."
            )

    def _is_at_end(self) -> bool:
        return self.token.kind == "end"

    def _take(self, *signs: str) -> str:
        """Pass over the next token if it is one of these signs, and return it, else ""."""
        text = self.token.text
        if self.token.kind != "sign" or text not in signs:
            return ""
        self.index += 1
        return text


def _number(token: Token) -> Fraction:
    mantissa, _, exponent = token.text.lower().partition("e")
    check_digits(len(mantissa) + abs(int(exponent or 0)), f"The number {_short(token.text)}")
    return Fraction(mantissa.rstrip(".")) * Fraction(10) ** int(exponent or 0)


def _check_count(name: str, function: Function, count: int) -> None:
    if count < function.least or (function.most is not None and count > function.most):
        raise ToolError(
            f"{name} takes {function.takes}, not {count}."
            " Within a function a comma separates numbers, so write 4200 there, not 4,200."
        )


def _left_over(token: Token) -> str:
    if token.text == ")":
        return f"The parenthesis closed at position {token.position} was never opened."
    if token.text == ",":
        return (
            f"The comma at position {token.position} is out of place: it stands between the"
            " numbers of a function, or between groups of three digits (4,200)."
            " Write a decimal point, as in 3.5."
        )
    return f"An operator such as * is missing before {_shown(token)}."


def _missing_number(token: Token) -> str:
    return f"A number is missing before {_shown(token)}."


def _unknown_name(token: Token) -> str:
    near = nearest(token.text, [*FUNCTIONS, *CONSTANTS])
    meant = f" Did you mean {near[0]}?" if near else ""
    return (
        f"Unknown name {_short(token.text)!r} at position {token.position}.{meant}"
        f" Functions: {', '.join(FUNCTIONS)}. Constants: {', '.join(CONSTANTS)}."
    )


def _shown(token: Token) -> str:
    if token.kind == "end":
        return "the end"
    return f"{_short(token.text)!r} at position {token.position}"


def _short(text: str, most: int = 30) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
