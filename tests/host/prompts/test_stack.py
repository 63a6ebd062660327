"""The system message that stands before a run's own rounds."""

from __future__ import annotations

from agenthost.prompts.stack import system_message


def test_without_anything_to_say_there_is_no_system_message() -> None:
    assert system_message(["", ""]) == ()


def test_the_parts_stand_under_one_another() -> None:
    (message,) = system_message(["Be brief.", "", "F"])

    assert message.role == "system"
    assert message.to_text() == "Be brief.\n\nF"


def test_half_a_character_is_said_in_a_way_that_every_provider_takes() -> None:
    (message,) = system_message(["Be brief.\ud800"])

    assert message.to_text().encode() == rb"Be brief.\ud800"
