"""What a question names is found and brought into its normal form."""

from __future__ import annotations

import pytest

from agenthost_plugin_local.values import mask, mentions, unquoted


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("add 1,250 and 3.5", "number", ["1250", "3.5"]),
        ("twenty-three plus five", "number", ["23", "5"]),
        ("one hundred and twenty times three", "number", ["120", "3"]),
        ("two thousand five hundred", "number", ["2500"]),
        ("two three", "number", ["2", "3"]),
        ("which one is it", "number", []),
        ("minus 40 degrees", "number", ["-40"]),
        ("52 minus 17", "number", ["52", "17"]),
        ("-5 in fahrenheit", "number", ["-5"]),
        ("10-3", "number", ["10", "3"]),
        ("from 3 March 2026 to 2026-04-20", "moment", ["2026-03-03", "2026-04-20"]),
        ("from 3 March to April 20th, 2027", "moment", ["2027-03-03", "2027-04-20"]),
        ("on 1.5.2026", "moment", ["2026-05-01"]),
        ("2026-03-10 at 16:00", "moment", ["2026-03-10 16:00"]),
        ("8 am or 7:30 pm", "moment", ["08:00", "19:30"]),
        ("half past three in the afternoon", "moment", ["15:30"]),
        ("quarter to nine", "moment", ["08:45"]),
        ("at noon today", "moment", ["12:00", "today"]),
        ("call at 9 in London", "moment", ["09:00"]),
        ("London, new york and Los Angeles", "zone", ["Europe/London", "America/Los_Angeles"]),
        ("time in new york?", "zone", ["America/New_York"]),
        ("the nice la painting", "zone", []),
        ("from India to UTC", "zone", ["Asia/Kolkata", "UTC"]),
        ("is 'it''s me' or \"you\"", "quoted", ["it", "s me", "you"]),
        ("the word banana", "quoted", ["banana"]),
        ("uppercase this: danger ahead", "quoted", ["danger ahead"]),
        ("add these: 12 and 8", "quoted", []),
        ("all commas and dashes", "character", [",", "-"]),
    ],
)
def test_a_value_is_found_in_its_normal_form(text: str, kind: str, found: list[str]) -> None:
    assert [mention.value for mention in mentions(text) if mention.kind == kind] == found


def test_what_is_quoted_is_not_looked_into() -> None:
    found = mentions("Reverse 'meet me at 10:30 in Paris'")

    assert [mention.kind for mention in found] == ["quoted"]


def test_a_masked_question_keeps_its_shape_and_loses_its_values() -> None:
    assert mask("Convert 26.2 miles on 2026-03-01") == "Convert 5 miles on 2025-01-01"


def test_a_question_without_its_quotations_keeps_its_length() -> None:
    text = "Reverse 'abc' now"

    assert unquoted(text) == "Reverse       now"
