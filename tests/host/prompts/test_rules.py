"""How rules, rulesets and templates become the application's part of the system message."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost.prompts.rules import Rule, Rules, Ruleset, checked_rules, rules_text
from agenthost.prompts.templates import Template
from agenthost_sdk.errors import DefinitionError

TONE = Ruleset("Tone", ["Be brief.", "Be kind."])


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ((), ""),
        ([""], ""),
        ("Be brief.", "Be brief."),
        (["Be brief."], "Be brief."),
        (Rule("Be brief."), "Be brief."),
        ([Rule(Template("Be {{ how }}."))], "Be brief."),
        (["Be brief.", "Be kind."], "Rules:\n1. Be brief.\n2. Be kind."),
        (["Be brief.", " ", Rule("Be kind.")], "Rules:\n1. Be brief.\n2. Be kind."),
        (["Be brief:\nno prose.", "Be kind."], "Rules:\n1. Be brief:\n   no prose.\n2. Be kind."),
        (TONE, "Tone:\n1. Be brief.\n2. Be kind."),
        ([Ruleset("Tone", "Be brief.")], "Tone:\n1. Be brief."),
        ([Ruleset("Tone", [])], ""),
        ((Template("Be {{ how }}."), "Be kind."), "Rules:\n1. Be brief.\n2. Be kind."),
    ],
    ids=[
        "none", "empty", "text", "one", "rule", "templated rule", "two", "blank", "lines",
        "ruleset", "small ruleset", "empty ruleset", "template",
    ],
)  # fmt: skip
def test_rules_are_numbered_unless_one_stands_alone(rules: Rules, text: str) -> None:
    assert rules_text(rules, {"how": "brief"}) == text


def test_rulesets_come_first_in_their_order_each_under_its_name() -> None:
    facts = Ruleset("Facts", [Rule("Name your source."), Template("Today is {{ day }}.")])

    text = rules_text(["Stop at noon.", TONE, facts, "Never guess."], {"day": "Monday"})

    assert text == (
        "Tone:\n1. Be brief.\n2. Be kind.\n\n"
        "Facts:\n1. Name your source.\n2. Today is Monday.\n\n"
        "Rules:\n1. Stop at noon.\n2. Never guess."
    )


def test_a_plain_text_is_never_rendered() -> None:
    braces = "Write {{ 7 * 7 }} and {tools} as they stand, {% raw %} too."

    assert rules_text([braces], {"tools": "x"}) == braces


def test_a_value_with_braces_is_not_rendered_again() -> None:
    assert rules_text([Template("{{ a }}")], {"a": "{{ b }} {a}", "b": "x"}) == "{{ b }} {a}"


def test_rules_can_be_checked_once_and_written_often() -> None:
    given: list[str | Ruleset] = ["Be brief.", TONE]

    checked = checked_rules(iter(given))

    assert checked == (Rule("Be brief."), TONE)
    assert rules_text(checked) == rules_text(checked) == rules_text(given)


@pytest.mark.parametrize("wrong", [5, None, {"a": "b"}, b"x", [5], [None], [["nested"]]], ids=repr)
def test_what_is_no_rule_is_refused_with_what_is_one(wrong: Any) -> None:
    with pytest.raises(DefinitionError, match=r"is no rule\. A rule is a text, a Rule, a Ruleset"):
        rules_text(wrong)


def test_a_ruleset_in_a_ruleset_is_refused() -> None:
    with pytest.raises(DefinitionError, match="is no rule"):
        Ruleset("Outer", [TONE])  # type: ignore[list-item]


@pytest.mark.parametrize("name", ["", "  ", None])
def test_a_ruleset_without_a_name_is_refused(name: Any) -> None:
    with pytest.raises(DefinitionError, match="A Ruleset needs a name"):
        Ruleset(name, ["Be brief."])
