"""Rules and rulesets: what the application tells a model to keep to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from agenthost.prompts.templates import Template, rendered
from agenthost_sdk.errors import DefinitionError


@dataclass(frozen=True)
class Rule:
    """One rule.

    Args:
        text: The rule in words, or a `Template` of them.
    """

    text: str | Template

    def __post_init__(self) -> None:
        if not isinstance(self.text, str | Template):
            raise DefinitionError(_no_rule(self.text))


@dataclass(frozen=True)
class Ruleset:
    """Rules that belong together, shown under their name.

        Ruleset("Tone", ["Be brief.", "Say what you are not sure of."])

    Args:
        name: The heading that the model sees.
        rules: Texts, rules or templates; a single one needs no list.
    """

    name: str
    rules: Sequence[str | Rule | Template] | str | Rule | Template

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise DefinitionError(f"A Ruleset needs a name in words; it was given {self.name!r}.")
        object.__setattr__(self, "rules", tuple(map(_rule, _listed(self.rules))))


#: What `rules=` of a task takes: texts, rules, rulesets and templates, mixed, or one of them.
Rules = Iterable[str | Rule | Ruleset | Template] | str | Rule | Ruleset | Template


def rules_text(rules: Rules, variables: Mapping[str, Any] | None = None) -> str:
    """Return rules as the system message says them; "" where there are none.

    The rulesets come first, in their order, each under its name; then the rules of no ruleset.
    A single rule of no ruleset stands as it is, several are numbered.

    Args:
        rules: Texts, rules, rulesets and templates, or one of them.
        variables: What the templates among them may use.

    Raises:
        DefinitionError: Something is no rule, or a template cannot be rendered.
    """
    given = checked_rules(rules)
    sets = [one for one in given if isinstance(one, Ruleset)]
    loose = [one for one in given if isinstance(one, Rule)]
    known = variables or {}
    blocks = [_headed(f"{one.name}:", _texts(_listed(one.rules), known)) for one in sets]
    return "\n\n".join(block for block in (*blocks, _loose(_texts(loose, known))) if block)


def checked_rules(rules: Rules) -> tuple[Rule | Ruleset, ...]:
    """Return rules as rules and rulesets; nothing is rendered yet.

    Raises:
        DefinitionError: Something is no rule.
    """
    return tuple(one if isinstance(one, Ruleset) else _rule(one) for one in _listed(rules))


def _listed(rules: Any) -> list[Any]:
    if isinstance(rules, str | Rule | Ruleset | Template):
        return [rules]
    if isinstance(rules, Iterable) and not isinstance(rules, Mapping | bytes):
        return list(rules)
    raise DefinitionError(_no_rule(rules))


def _rule(given: Any) -> Rule:
    return given if isinstance(given, Rule) else Rule(given)


def _texts(rules: Iterable[Any], variables: Mapping[str, Any]) -> list[str]:
    """Return what each rule says; one that says nothing is left out."""
    texts = [rendered(rule.text, variables).strip() for rule in rules]
    return [text for text in texts if text]


def _loose(texts: list[str]) -> str:
    return "".join(texts) if len(texts) < 2 else _headed("Rules:", texts)


def _headed(heading: str, texts: list[str]) -> str:
    lines = [_numbered(number, text) for number, text in enumerate(texts, 1)]
    return "\n".join((heading, *lines)) if lines else ""


def _numbered(number: int, text: str) -> str:
    """Return a rule behind its number; its further lines stand under the first."""
    start = f"{number}. "
    return start + indent(text, " " * len(start)).lstrip(" ")


def _no_rule(given: Any) -> str:
    return (
        f"{given!r:.80} is no rule. A rule is a text, a Rule, a Ruleset or a Template;"
        " several of them stand in a list."
    )
