"""The calculator as a model and as Python code use it."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest

from agenthost_plugin_calculator.tool import Calculator
from agenthost_sdk import ErrorArtifact, ToolAction, ToolError
from agenthost_sdk.testing import ToolConformance


class TestCalculatorConforms(ToolConformance):
    """The calculator does what hosts expect of a tool."""

    tool = Calculator


def run(expression: object) -> str:
    action = ToolAction("1", "Calculator", "evaluate", {"expression": expression})
    return Calculator().run(action).to_text()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("23 * 19", "437"),
        ("0.1 + 0.2", "0.3"),
        ("1/3", "0.33333333333333333333"),
        ("2/3", "0.66666666666666666667"),
        ("10 / 4", "2.5"),
        ("6 / 3", "2"),
        ("7 // 2", "3"),
        ("-7 // 2", "-4"),
        ("2 ** 10", "1024"),
        ("-2 ** 2", "-4"),
        ("2 ** 3 ** 2", "512"),
        ("2 ** -1", "0.5"),
        ("(3 + 4) * 12.5", "87.5"),
        ("8 ** (1/3)", "2"),
        ("(8/27) ** (2/3) * 9", "4"),
        ("2 ** 0.5", "1.4142135623730950488"),
        ("0.0000001 * 3", "3E-7"),
        ("10**30 / 7", "1.4285714285714285714E+29"),
        ("1e3 + .5 + 5.", "1005.5"),
        ("1.1 ** 20", "6.72749994932560009201"),
        ("2 ** 200", str(2**200)),
    ],
)
def test_results_are_exact_or_rounded_to_twenty_digits(expression: str, expected: str) -> None:
    assert run(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("23 × 19", "437"),
        ("23 x 19", "437"),
        ("2x3", "6"),
        ("100 ÷ 8", "12.5"),
        ("2 ^ 5", "32"),
        ("√16 + 9", "13"),
        ("√(16 + 9)", "5"),
        ("π * 2", "6.2831853071795864769"),
        ("5²", "25"),
        ("10⁻³", "0.001"),
        ("7 − 2", "5"),
        ("2 ＋ 3", "5"),
        ("5!", "120"),
        ("sin(30°)", "0.5"),
        ("23 * 19 =", "437"),
        ("23 * 19 = ?", "437"),
        ("$12.50 * 3", "37.5"),
        ("23 times 19", "437"),
        ("100 divided by 8 plus 1", "13.5"),
        ("square root of 81", "9"),
        ("2 to the power of 8", "256"),
        ("SQRT(9) + PI - pi", "3"),
    ],
)
def test_the_signs_and_words_people_write_are_read(expression: str, expected: str) -> None:
    assert run(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("17%", "0.17"),
        ("17% * 4200", "714"),
        ("17 % * 4200", "714"),
        ("4200 * 17%", "714"),
        ("17% of 4200", "714"),
        ("17 % of 4,200", "714"),
        ("17 percent of 4200", "714"),
        ("17 per cent of 4200", "714"),
        ("(15 + 2)% of 4200", "714"),
        ("200 + 10%", "200.1"),
        ("85 * (1 - 20%)", "68"),
        ("max(5%, 1%)", "0.05"),
        ("50%**2", "0.25"),
        ("10 % 3", "1"),
        ("10 % (1 + 2)", "1"),
        ("10 % (-3)", "-2"),
        ("10 % - 3", "-2.9"),
        ("-7 mod 3", "2"),
        ("5.5 % 2", "1.5"),
    ],
)
def test_a_percent_sign_is_modulo_only_between_two_numbers(expression: str, expected: str) -> None:
    assert run(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("4,200 * 2", "8400"),
        ("1,234,567.89 + 1", "1234568.89"),
        ("4_200 + 4'200", "8400"),
        ("4\u202f200 + 1", "4201"),
        ("max(1,200)", "200"),
        ("max(1_200, 7)", "1200"),
        ("(1,200) + max(1,200)", "1400"),
        ("max((1,200), 3)", "The parenthesis opened at position 5 is not closed before ','"),
        ("sqrt(4,200)", "sqrt takes 1 number, not 2. Within a function a comma separates"),
        ("3,5", "The comma at position 2 is out of place"),
        ("1,2345", "The comma at position 2 is out of place"),
    ],
)
def test_a_comma_groups_digits_outside_functions_and_separates_within(
    expression: str, expected: str
) -> None:
    assert run(expression).startswith(expected)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("sqrt(1764)", "42"),
        ("sqrt(2)", "1.4142135623730950488"),
        ("sqrt(2) ** 2", "2"),
        ("sqrt(2) * sqrt(2) - 2", "0"),
        ("abs(-3.5)", "3.5"),
        ("round(2.5)", "3"),
        ("round(-2.5)", "-3"),
        ("round(3.14159, 2)", "3.14"),
        ("round(1234, -2)", "1200"),
        ("floor(-2.5)", "-3"),
        ("ceil(2.1)", "3"),
        ("floor(sqrt(2) ** 2)", "2"),
        ("min(3, 1.5, sqrt(2))", "1.4142135623730950488"),
        ("max(3, 7, 5)", "7"),
        ("gcd(12, 18)", "6"),
        ("lcm(4, 6)", "12"),
        ("factorial(20)", "2432902008176640000"),
        ("log(1000)", "3"),
        ("log(8, 2)", "3"),
        ("ln(e ** 3)", "3"),
        ("ln(2)", "0.69314718055994530942"),
        ("exp(1)", "2.7182818284590452354"),
        ("exp(0)", "1"),
        ("sin(pi)", "0"),
        ("cos(0)", "1"),
        ("sin(1)", "0.84147098480789650665"),
        ("tan(45°)", "1"),
        ("sin(10**20)", "-0.64525128526578084421"),
        ("pi", "3.1415926535897932385"),
        ("e", "2.7182818284590452354"),
    ],
)
def test_functions_and_constants_give_certain_digits_only(expression: str, expected: str) -> None:
    assert run(expression) == expected


def test_compound_interest_over_thousands_of_days_is_worked_out() -> None:
    assert run("1000 * (1 + 0.05/365) ** 3650") == "1648.6648137654718302"


def test_plain_calls_give_numbers() -> None:
    tool = Calculator()

    assert tool.evaluate("6 * 7") == 42
    assert isinstance(tool.evaluate(expression="6 * 7"), int)
    assert tool.evaluate("0.1 + 0.2") == Decimal("0.3")


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("1 / 0", "Division by zero: what stands after / is 0."),
        ("1 // (2 - 2)", "Division by zero: what stands after // is 0."),
        ("1 % (2 - 2)", "Division by zero"),
        ("0 ** -1", "Division by zero"),
        ("0 ** -0.5", "Division by zero"),
        ("1 / (sqrt(2) - sqrt(2))", "Division by zero"),
        ("tan(pi / 2)", "tan has no value"),
        ("sqrt(-1)", "sqrt of a negative number"),
        ("(-8) ** (1/3)", "needs a whole exponent"),
        ("log(0)", "log takes numbers above 0"),
        ("log(5, 1)", "The base of log cannot be 1"),
        ("factorial(2.5)", "factorial takes integers only"),
        ("factorial(-1)", "factorial takes integers from 0 up"),
        ("gcd(1.5)", "gcd takes integers only"),
        ("sin(10**90 * pi + 1)", "cannot be told"),
        ("sin(1e101)", "up to 10^100"),
    ],
)
def test_what_has_no_value_is_said(expression: str, said: str) -> None:
    assert said in run(expression)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("", "The expression is empty"),
        ("  = ", "The expression is empty"),
        ("2 +", "A number is missing before the end."),
        ("* 2", "A number is missing before '*' at position 1."),
        ("(2 + 3", "The parenthesis opened at position 1 is not closed before the end."),
        ("2 + 3)", "The parenthesis closed at position 6 was never opened."),
        ("2 pi", "An operator such as * is missing before 'pi' at position 3."),
        ("squrt(4)", "Unknown name 'squrt' at position 1. Did you mean sqrt?"),
        ("width * 2", "Functions: sqrt, abs, round"),
        ("sqrt 4", "write sqrt(…) with parentheses"),
        ("sqrt()", "sqrt takes 1 number, not 0."),
        ("round(1, 2, 3)", "round takes 1 or 2 numbers, not 3."),
        ("max()", "max takes 1 or more numbers, not 0."),
        ("3 of 4", '"of" at position 3 stands only after per cent'),
        ("2 > 1", "'>' at position 3 is no part of arithmetic. Allowed: numbers, + -"),
        ("x = 3", "is no part of arithmetic"),
        ("__import__('os').system('true')", "is no part of arithmetic"),
        ("(1).__class__", "Unknown"),
    ],
)
def test_what_is_no_arithmetic_is_named_with_its_place(expression: str, said: str) -> None:
    output = run(expression)

    assert said in output or (said == "Unknown" and "is no part of arithmetic" in output)


@pytest.mark.parametrize(
    "expression",
    [
        "10**10**10",
        "9**9**9",
        "9**-9**9",
        "(10**4000)**4000",
        "factorial(10**9)",
        "factorial(factorial(20))",
        "20!!",
        "exp(10**9)",
        "10**4000 * 10**4000",
        "1e9999999999",
        "1" * 999,
        "lcm(2**13000, 3**8000)",
        "round(1, 10**9)",
        "2**" * 300 + "2",
        "(" * 400 + "1" + ")" * 400,
        "-" * 900 + "1",
        "√" * 900 + "1",
        "sqrt(" * 150 + "1",
        "1" * 100_000,
        "1" + "+1" * 499,
        "2" + "**0.5" * 150,
        "1.000001**999999" + "*1.000001**999999" * 50,
    ],
    ids=lambda expression: expression[:24],
)
def test_every_expression_is_answered_at_once(expression: str) -> None:
    started = time.process_time()
    output = run(expression)
    spent = time.process_time() - started

    assert output
    assert spent < 1


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("10**10**10", "A power is too large"),
        ("factorial(10**9)", "A factorial is too large"),
        ("1e9999999999", "The number 1e9999999999 is too large"),
        ("(" * 60 + "1" + ")" * 60, "nested more than 50 deep"),
        ("1+" * 600 + "1", "at most 1,000 are allowed"),
    ],
    ids=["power", "factorial", "number", "nesting", "length"],
)
def test_what_is_out_of_bounds_is_refused_with_the_bound(expression: str, said: str) -> None:
    assert said in run(expression)


def test_errors_are_meant_for_the_model() -> None:
    action = ToolAction("1", "Calculator", "evaluate", {"expression": "1/0"})
    output = Calculator().run(action)

    assert isinstance(output, ErrorArtifact)
    assert output.code == "tool-error"
    with pytest.raises(ToolError, match="Division by zero"):
        Calculator().evaluate("1/0")
