"""Write an activity's input for a question: copied, by analogy, by vote, the rest by the model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agenthost_plugin_local import values
from agenthost_plugin_local.analogy import formula, is_formula
from agenthost_plugin_local.contexts import stem
from agenthost_plugin_local.copying import Likeness, fill, weigh
from agenthost_plugin_local.evidence import nearness, ratings
from agenthost_plugin_local.narrowing import narrow
from agenthost_plugin_local.slots import is_needed
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.messages import Usage

#: So many examples are shown to the model, the nearest last.
EXAMPLES = 4
#: What a choice counts that the question names, and by how much it must lead.
NAMED, LEAD = 0.2, 0.01
_TOKENS = 256


class Write(Protocol):
    """Continues a prompt with JSON of a schema; returns the text and the tokens it took."""

    def __call__(self, prompt: str, schema: Mapping[str, Any], tokens: int) -> tuple[str, Usage]:
        """Return the continuation."""


@dataclass(frozen=True)
class Input:
    """An activity's input, and the tokens that writing it took."""

    value: Mapping[str, Any]
    usage: Usage = Usage()


def write_input(spec: ToolSpec, question: str, likeness: Likeness, write: Write) -> Input:
    """Return the input for a question; the model is asked only for what nothing else fills."""
    weights = weigh(spec, question, likeness)
    filled = {**_formulas(spec, question, weights), **_votes(spec, question, weights)}
    filled = {**fill(spec, question, likeness), **filled}
    if not _is_open(spec, filled):
        return Input(_in_order(spec, filled))
    prompt = _prompt(spec, question, weights)
    text, usage = write(prompt, narrow(spec, question, filled), _TOKENS)
    return Input(_in_order(spec, {**_read(text), **filled}), usage)


def _formulas(spec: ToolSpec, question: str, weights: Mapping[str, float]) -> dict[str, Any]:
    names = [name for name in spec.schema.get("properties", {}) if is_formula(spec, name)]
    written = {name: formula(spec, name, question, weights) for name in names}
    return {name: text for name, text in written.items() if text}


def _votes(spec: ToolSpec, question: str, weights: Mapping[str, float]) -> dict[str, Any]:
    """Return the values of enumerated fields on which the nearest examples agree."""
    fields = spec.schema.get("properties", {})
    choices = {name: _enumerated(field) for name, field in fields.items()}
    voted = {
        name: _vote(spec, name, known, question, weights)
        for name, known in choices.items()
        if known
    }
    return {name: value for name, value in voted.items() if value is not None}


def _enumerated(field: Any) -> Sequence[Any]:
    if not isinstance(field, Mapping):
        return ()
    return field.get("enum") or ((True, False) if field.get("type") == "boolean" else ())


def _vote(
    spec: ToolSpec,
    name: str,
    known: Sequence[Any],
    question: str,
    weights: Mapping[str, float],
) -> Any:
    groups: dict[Any, dict[str, float]] = {}
    for example in spec.examples:
        near = nearness(weights[example.question])
        groups.setdefault(example.input.get(name), {})[example.question] = near
    if not groups or any(_is_named(c, question) for c in known if c not in groups):
        return None
    rated = {
        choice: rating + NAMED * _is_named(choice, question)
        for choice, rating in ratings(question, groups).items()
    }
    best, *others = sorted(rated, key=lambda choice: -rated[choice])
    is_clear = not others or rated[best] - rated[others[0]] >= LEAD
    return best if is_clear else None


def _is_named(choice: Any, question: str) -> bool:
    words = {stem(word[0]) for word in values.WORD.finditer(values.unquoted(question))}
    return isinstance(choice, str) and stem(choice) in words


def _is_open(spec: ToolSpec, filled: Mapping[str, Any]) -> bool:
    fields = spec.schema.get("properties", {})
    if not spec.examples:
        return bool(fields)
    return any(name not in filled and is_needed(spec, name) for name in fields)


def _in_order(spec: ToolSpec, given: Mapping[str, Any]) -> dict[str, Any]:
    fields = spec.schema.get("properties", {})
    return {name: given[name] for name in [*fields, *given] if name in given}


def _prompt(spec: ToolSpec, question: str, weights: Mapping[str, float]) -> str:
    nearest = sorted(spec.examples, key=lambda example: weights[example.question])[-EXAMPLES:]
    shown = [f"Question: {e.question}\nInput: {_json(e.input)}\n\n" for e in nearest]
    about = spec.description if nearest else f"{spec.description}\n{_fields(spec)}"
    return f"{about}\n\n{''.join(shown)}Question: {question}\nInput: "


def _fields(spec: ToolSpec) -> str:
    fields = spec.schema.get("properties", {})
    return "\n".join(
        f"{name}: {field.get('description', field.get('type', ''))}"
        for name, field in fields.items()
        if isinstance(field, Mapping)
    )


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False, default=str)


def _read(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
