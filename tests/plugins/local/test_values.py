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
        ("minus seven times 8", "number", ["-7", "8"]),
        ("1.250,50 and 0,75", "number", ["1250.50", "0.75"]),
        ("12'500 or 3 200", "number", ["12500", "3200"]),
        ("1,2,3", "number", ["1", "2", "3"]),
        ("a dozen, two dozen, half a dozen", "number", ["12", "24", "6"]),
        ("two and a half or 2 1/2 or 2½", "number", ["2.5", "2.5", "2.5"]),
        ("half a pound", "number", ["0.5"]),
        ("three quarters of an hour", "number", ["0.75"]),
        ("half of 386", "number", ["386"]),
        ("2.5 million", "number", ["2500000"]),
        ("from 3 March 2026 to 2026-04-20", "moment", ["2026-03-03", "2026-04-20"]),
        ("from 3 March to April 20th, 2027", "moment", ["2027-03-03", "2027-04-20"]),
        ("on 1.5.2026", "moment", ["2026-05-01"]),
        ("on 01/15/2026", "moment", ["2026-01-15"]),
        ("from 5/6/2026 to 15/6/2026", "moment", ["2026-06-05", "2026-06-15"]),
        ("the 2nd of May 2025", "moment", ["2025-05-02"]),
        ("at 10:00 on 3 March 2026", "moment", ["2026-03-03 10:00"]),
        ("2026-03-10T16:00", "moment", ["2026-03-10 16:00"]),
        ("twenty past four", "moment", ["04:20"]),
        ("8 o'clock in the evening", "moment", ["20:00"]),
        ("2026-03-10 at 16:00", "moment", ["2026-03-10 16:00"]),
        ("8 am or 7:30 pm", "moment", ["08:00", "19:30"]),
        ("half past three in the afternoon", "moment", ["15:30"]),
        ("quarter to nine", "moment", ["08:45"]),
        ("at noon today", "moment", ["12:00", "today"]),
        ("call at 9 in London", "moment", ["09:00"]),
        ("London, new york and Los Angeles", "zone", ["Europe/London", "America/Los_Angeles"]),
        ("time in new york?", "zone", ["America/New_York"]),
        ("the nice la painting", "zone", []),
        ("from India to UTC", "zone", ["India", "UTC"]),
        ("5 pm PST in San Francisco", "zone", ["PST", "San Francisco"]),
        ("It is 9 pm. What time is it?", "zone", []),
        ("is 'it''s me' or \"you\"", "quoted", ["it", "s me", "you"]),
        ("the word banana", "quoted", ["banana"]),
        ("uppercase this: danger ahead", "quoted", ["danger ahead"]),
        ("add these: 12 and 8", "quoted", []),
        ("how many words are here?\nred sky\nat night", "quoted", ["red sky\nat night"]),
        ("swap juice for milk: juice and more juice", "quoted", ["juice and more juice"]),
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
