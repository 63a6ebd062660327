"""Find the fields of an input that its examples show to be copied from the question.

Such a field is a slot: where most examples take it from their question (one of its numbers,
dates, zones, quoted texts or words), the same can be done for a new question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agenthost_plugin_local import values
from agenthost_plugin_local.values import Mention
from agenthost_plugin_local.zones import known_zones
from agenthost_sdk.actions import Example, ToolSpec

#: Names are looked for in so many characters of a question.
LOOKED_AT = 400
#: The share of a field's examples that must be copied.
MOST = 0.6
#: A field whose values were never more words than this takes a name, such as a unit's.
NAME_WORDS = 3


@dataclass(frozen=True)
class Shown:
    """What one example gave to a field, and from where it was taken if it was copied."""

    example: Example
    value: Any
    mention: Mention | None


@dataclass(frozen=True)
class Slot:
    """A field that is filled by copying: what kind of value it takes, and its examples."""

    name: str
    kind: str
    shown: tuple[Shown, ...]
    is_needed: bool

    @property
    def is_name(self) -> bool:
        """Whether it takes a name of few words, such as a unit's, and not a text."""
        longest = max((len(str(s.value).split()) for s in self.shown), default=1)
        return self.kind == "run" and longest <= NAME_WORDS and not self._is_text

    @property
    def _is_text(self) -> bool:
        quoted = [s.mention.kind == "quoted" for s in self.shown if s.mention]
        return self.prefers_quoted and 2 * sum(quoted) >= len(quoted)

    @property
    def longest(self) -> int:
        """The most words that an example copied."""
        copied = [len(s.mention.value.split()) for s in self.shown if s.mention]
        return max(copied, default=1)

    @property
    def prefers_quoted(self) -> bool:
        """Whether every example took the quoted text where its question had one."""
        return all(
            s.mention.kind == "quoted"
            for s in self.shown
            if s.mention and values.of_kind(s.example.question, "quoted")
        )


def slots(spec: ToolSpec) -> list[Slot]:
    """Return the fields of an activity that its examples fill by copying."""
    fields = spec.schema.get("properties", {})
    found = (_slot(spec, name, field) for name, field in fields.items())
    return [slot for slot in found if slot]


def is_needed(spec: ToolSpec, name: str) -> bool:
    """Say whether an input must have the field: its schema says so, or every example has it."""
    always = bool(spec.examples) and all(name in example.input for example in spec.examples)
    return always or name in spec.schema.get("required", ())


def _slot(spec: ToolSpec, name: str, field: Any) -> Slot | None:
    kind = field.get("type") if isinstance(field, Mapping) else None
    if kind not in {"string", "number", "integer"} or "enum" in field or "const" in field:
        return None
    given = [(example, example.input[name]) for example in spec.examples if name in example.input]
    for kind_ in ("moment", "zone", "run") if kind == "string" else ("number",):
        shown = tuple(Shown(e, value, _source(e.question, kind_, value)) for e, value in given)
        if _is_copied(kind_, shown):
            return Slot(name, kind_, shown, is_needed(spec, name))
    return None


def _is_copied(kind: str, shown: Sequence[Shown]) -> bool:
    if kind == "zone":
        return bool(shown) and all(s.value in known_zones().values() for s in shown)
    copied = sum(s.mention is not None for s in shown)
    return copied >= MOST * len(shown) and (bool(shown) or kind == "number")


def _source(question: str, kind: str, value: Any) -> Mention | None:
    """Return the mention from which an example's value was taken."""
    if kind == "run":
        return _source_of_run(question, value) if isinstance(value, str) and value else None
    found = values.of_kind(question, kind)
    if kind == "number" and isinstance(value, int | float):
        return next((m for m in found if abs(of_mention(m)) == abs(value)), None)
    return next((m for m in found if m.value == value), None)


def _source_of_run(question: str, value: str) -> Mention | None:
    marks = [m for m in values.mentions(question) if m.kind in {"quoted", "character"}]
    for mark in marks:
        if mark.value == value:
            return mark
    plural = r"(?:e?s)?" if value[-1].isalpha() else ""
    match = re.search(rf"(?<!\w){re.escape(value)}{plural}(?!\w)", question, re.IGNORECASE)
    return Mention("run", match[0], *match.span()) if match and value.strip() else None


def of_mention(mention: Mention) -> Any:
    """Return the value that a mention stands for: a number as a number, all else as text."""
    if mention.kind != "number":
        return mention.value
    return float(mention.value) if "." in mention.value else int(mention.value)


def names(question: str, longest: int) -> Iterator[Mention]:
    """Yield the runs of words outside quotations that may be names.

    They have no digits, and no small words at their ends.
    """
    for run in values.runs(values.unquoted(question)[:LOOKED_AT], longest):
        words = run.value.split()
        if _NAME.fullmatch(run.value) and not (
            words[0].lower() in SMALL or words[-1].lower() in SMALL
        ):
            yield run


_NAME = re.compile(r"[^\W\d_]+(?:[ '’/-][^\W\d_]+)*|[°µ]? ?[^\W\d_]+(?:/[^\W\d_]+)?[²³]?")
_SMALL_WORDS = """
a an and are as at be by can could do does every for from get give has have how i if in into is it
its make many me much my of on or please s show tell that the there these this to turn want was
what what's when where which who will with would you your all change convert replace put
"""
#: Words that a name does not begin or end with, and that are common in instructions.
SMALL = frozenset(_SMALL_WORDS.split())
