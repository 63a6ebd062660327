"""The system message that stands before a run's own rounds."""

from __future__ import annotations

from agenthost.prompts.stack import numbered, system_message


def test_without_anything_to_say_there_is_no_system_message() -> None:
    assert system_message(["", ""]) == ()


def test_the_parts_stand_under_one_another() -> None:
    (message,) = system_message(["Be brief.", "", "F"])

    assert message.role == "system"
    assert message.to_text() == "Be brief.\n\nF"


def test_one_rule_stands_alone_and_several_are_numbered() -> None:
    assert numbered(["Be brief."]) == "Be brief."
    assert numbered(["Be brief.", "Be kind."]) == "Rules:\n1. Be brief.\n2. Be kind."
