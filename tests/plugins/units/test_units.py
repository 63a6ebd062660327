"""The tool for units as a model and as Python code use it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthost_plugin_units.conversion import convert
from agenthost_plugin_units.names import OTHER_WORDS, QUANTITIES
from agenthost_plugin_units.tool import Units
from agenthost_plugin_units.units import quantity_of, read_unit
from agenthost_sdk import ErrorArtifact, ToolAction, ToolError
from agenthost_sdk.testing import ToolConformance

LISTED = [(quantity, unit) for quantity, units in QUANTITIES.items() for unit in units.split(", ")]


class TestUnitsConform(ToolConformance):
    """The tool does what hosts expect of one."""

    tool = Units


def run(path: str, **given: object) -> str:
    return Units().run(ToolAction("1", "Units", path, given)).to_text()


@pytest.mark.parametrize(
    ("value", "from_unit", "to_unit", "expected"),
    [
        (26.2, "miles", "km", "26.2 miles = 42.1648128 kilometers"),
        (1, "mile", "kilometer", "1 mile = 1.609344 kilometers"),
        (5, "kilograms", "lbs", "5 kilograms ≈ 11.02311311 pounds"),
        (100, "°C", "°F", "100 degrees Celsius = 212 degrees Fahrenheit"),
        (98.6, "F", "C", "98.6 degrees Fahrenheit = 37 degrees Celsius"),
        (0, "celsius", "kelvin", "0 degrees Celsius = 273.15 kelvins"),
        (-40, "Celsius", "degrees fahrenheit", "-40 degrees Celsius = -40 degrees Fahrenheit"),
        (100, "km/h", "mph", "100 kilometers per hour ≈ 62.13711922 miles per hour"),
        (60, "Miles per Hour", "kilometres per hour", "60 miles per hour = 96.56064 kilometers"),
        (1, "gallon", "litres", "1 US gallon = 3.785411784 liters"),
        (1, "imperial gallon", "l", "1 imperial gallon = 4.54609 liters"),
        (1, "UK gallon", "liter", "1 imperial gallon = 4.54609 liters"),
        (3, "sq ft", "m2", "3 square feet = 0.27870912 square meters"),
        (3, "square feet", "square metres", "3 square feet = 0.27870912 square meters"),
        (2, "m^3", "liters", "2 cubic meters = 2000 liters"),
        (2, "m³", "litre", "2 cubic meters = 2000 liters"),
        (1, "acre", "m²", "1 acre ≈ 4046.856422 square meters"),
        (9.81, "m/s²", "ft/s^2", "9.81 meters per square second ≈ 32.18503937 feet per square"),
        (1, "year", "days", "1 year = 365.25 days"),
        (3000, "rpm", "Hz", "3000 rpm = 50 hertz"),
        (8, "Mb", "MB", "8 megabits = 1 megabyte"),
        (1, "GiB", "MB", "1 gibibyte = 1073.741824 megabytes"),
        (100, "Mbps", "MB/s", "100 megabits per second = 12.5 megabytes per second"),
        (180, "degrees", "radians", "180 degrees ≈ 3.141592654 radians"),
        (2, "cups", "tablespoons", "2 US cups = 32 US tablespoons"),
        (1, "newton meter", "joule", "1 newton meter = 1 joule"),
        (10, "KM", "M", "10 kilometers = 10000 meters"),
        (10, "KG", "G", "10 kilograms = 10000 grams"),
        (5, "celsius per hour", "fahrenheit/hour", "5 degrees Celsius per hour = 9 degrees"),
        (1e30, "m", "km", "1e+30 meters = 1e+27 kilometers"),
        (6, "feet", "inches", "6 feet = 72 inches"),
        (72, "hrs", "days", "72 hours = 3 days"),
    ],
)
def test_a_quantity_is_converted_in_a_sentence(
    value: float, from_unit: str, to_unit: str, expected: str
) -> None:
    assert run("convert", value=value, from_unit=from_unit, to_unit=to_unit).startswith(expected)


@pytest.mark.parametrize(
    ("from_unit", "to_unit", "said"),
    [
        (
            "m",
            "kg",
            "meters (length) cannot be converted to kilograms (mass):"
            " they measure different things.",
        ),
        ("km/h", "liter", "kilometers per hour (speed) cannot be converted to liters (volume)"),
        ("byte", "radian", "bytes (data) cannot be converted to radians (angle)"),
        ("celsius", "hour", "degrees Celsius (temperature) cannot be converted to hours (time)"),
        ("mol", "Pa", "moles (in base units: moles) cannot be converted to pascals (pressure)"),
        ("kilomter", "mile", "No unit named 'kilomter'. Did you mean kilometer"),
        ("km/houer", "mph", "No unit named 'houer' (in 'km/houer'). Did you mean hour"),
        ("", "km", "No unit named ''."),
        ("J/(kg*K)", "km", "write each divisor by itself: J/kg/K"),
        ("m/m", "km", "'m/m' names no unit."),
        ("m**99", "km", "No unit named 'm^99'"),
        ("m" * 100, "km", "A unit of 100 characters cannot be read; at most 80."),
        ("__import__('os')", "km", "has parentheses"),
    ],
)
def test_units_that_do_not_serve_are_named(from_unit: str, to_unit: str, said: str) -> None:
    assert said in run("convert", value=1, from_unit=from_unit, to_unit=to_unit)


def test_errors_are_meant_for_the_model() -> None:
    given = {"value": 1, "from_unit": "m", "to_unit": "kg"}
    output = Units().run(ToolAction("1", "Units", "convert", given))

    assert isinstance(output, ErrorArtifact)
    assert output.code == "tool-error"
    with pytest.raises(ToolError, match="measure different things"):
        Units().convert(1, "m", "kg")


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ToolError, match="no number that can be converted"):
        Units().convert(value, "m", "km")


@pytest.mark.parametrize(("quantity", "unit"), LISTED)
def test_every_listed_unit_measures_its_quantity(quantity: str, unit: str) -> None:
    assert quantity_of(read_unit(unit)) == quantity


@pytest.mark.parametrize(("quantity", "unit"), LISTED)
def test_every_name_in_an_answer_is_read_again(quantity: str, unit: str) -> None:
    read = read_unit(unit)

    assert read_unit(read.plural) == read
    assert quantity_of(read_unit(read.singular)) == quantity


@given(st.floats(-1e12, 1e12), st.sampled_from(LISTED))
@settings(deadline=None)
def test_a_unit_converts_to_itself_unchanged(value: float, listed: tuple[str, str]) -> None:
    start, _, end = convert(value, listed[1], listed[1]).partition(" = ")

    assert start == end or "≈" in start


@pytest.mark.parametrize(
    ("quantity", "name"),
    [
        ("length", "length"),
        ("Distance", "length"),
        ("weight", "mass"),
        ("volumes", "volume"),
        ("speed units", "speed"),
        ("data_rate", "data rate"),
    ],
)
def test_the_units_of_a_quantity_are_listed(quantity: str, name: str) -> None:
    assert run("list", quantity=quantity) == f"Units of {name}: {QUANTITIES[name]}."


def test_an_unknown_quantity_is_answered_with_its_nearest_name() -> None:
    shown = run("list", quantity="lenght")

    assert shown.startswith("No quantity named 'lenght'. Did you mean length")
    assert set(OTHER_WORDS.values()) <= set(QUANTITIES)
