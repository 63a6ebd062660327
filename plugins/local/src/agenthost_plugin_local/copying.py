"""Fill the slots of an input with the values of a question.

Each value is compared with those that the examples took, by the words round it and by its place
among its like, and the values are shared out so that the whole fits best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from agenthost_plugin_local import values
from agenthost_plugin_local.contexts import alike, is_beside
from agenthost_plugin_local.evidence import SHARPNESS, nearness, ratings
from agenthost_plugin_local.passages import passages
from agenthost_plugin_local.slots import Slot, names, of_mention, slots
from agenthost_plugin_local.values import Mention
from agenthost_plugin_local.wording import Wording
from agenthost_plugin_local.zones import unsure_names
from agenthost_sdk.actions import ToolSpec

#: Returns how like two texts are, from -1 to 1.
Likeness = Callable[[str, str], float]

#: How much the words of an example count beside its meaning.
WORDS = 0.5
#: How many choices are weighed for one field.
MOST_CHOICES = 8
#: In so many ways at most the values are shared out among the fields.
MOST_WAYS = 5000
#: What it counts that a value stands beside its field's name, or is like the known names.
BESIDE, ALIKE = 8.0, 4.0
#: What a value of the question costs that no field takes.
UNUSED = 2.0


@dataclass(frozen=True)
class Choice:
    """A value that a slot could take: where it was found, if anywhere, and how well it fits."""

    value: Any
    mention: Mention | None
    rating: float


_NOTHING = Choice(None, None, 0.0)


def weigh(spec: ToolSpec, question: str, likeness: Likeness) -> dict[str, float]:
    """Return how much each example counts for a question, the nearest the most; in all 1."""
    masked = values.mask(question)
    wording = Wording.of(example.question for example in spec.examples)
    weights = {}
    for example in spec.examples:
        meaning = likeness(masked, values.mask(example.question))
        like = meaning + WORDS * wording(question, example.question)
        weights[example.question] = math.exp(SHARPNESS * like)
    total = sum(weights.values()) or 1.0
    return {text: weight / total for text, weight in weights.items()}


def name_fit(spec: ToolSpec, question: str, likeness: Likeness) -> float:
    """Return how well the words of a question serve as the names that an activity takes.

    It is above 0 where they are more like the names in the examples than those are like one
    another ("hours" and "seconds" for a converter of units), and 0 where it takes no names.
    """
    wanted = [slot for slot in slots(spec) if slot.is_name and not slot.prefers_quoted]
    known = sorted({str(s.value) for slot in wanted for s in slot.shown if s.value})
    if not wanted or len(known) < MOST_CHOICES:
        return 0.0
    usual = [max(likeness(name, o) for o in known if o != name) for name in known]
    longest = max(slot.longest for slot in wanted)
    found = {mention.value for mention in names(question, longest)}
    best = sorted((max(likeness(name, o) for o in known) for name in found), reverse=True)
    best = [*best, *([0.0] * len(wanted))][: len(wanted)]
    return sum(best) / len(best) - sum(usual) / len(usual)


def fill(spec: ToolSpec, question: str, likeness: Likeness) -> dict[str, Any]:
    """Return values for the slots; one for which nothing is found is left out."""
    found = slots(spec)
    filler = _Filler(spec, question, weigh(spec, question, likeness), likeness, found)
    best = filler.share_out()
    return {
        slot.name: choice.value
        for slot, choice in zip(found, best, strict=True)
        if choice is not _NOTHING
    }


@dataclass(frozen=True)
class _Filler:
    spec: ToolSpec
    question: str
    weights: Mapping[str, float]
    likeness: Likeness
    slots: Sequence[Slot]

    def share_out(self) -> Sequence[Choice]:
        """Return the best choice for each slot, so that no value is used twice."""
        options = [self._options(slot) for slot in self.slots]
        while math.prod(len(choices) for choices in options) > MOST_WAYS:
            longest = max(options, key=len)
            longest.remove(min((c for c in longest if c is not _NOTHING), key=_rating))
        return max(product(*options), key=self._rate_all)

    def _options(self, slot: Slot) -> list[Choice]:
        rated = [
            Choice(self._signed(slot, mention), mention, self._rate(slot, mention))
            for mention in self._candidates(slot)
        ]
        if slot.kind == "run" and not slot.is_name and not rated:
            found = passages(self.question, slot, self.weights)
            rated = [Choice(mention.value, mention, rating) for mention, rating in found]
        rated = sorted([*rated, *self._constants(slot)], key=lambda choice: -choice.rating)
        is_open = not slot.is_needed or not rated
        return [*rated[:MOST_CHOICES], *([_NOTHING] if is_open else [])]

    def _candidates(self, slot: Slot) -> list[Mention]:
        if slot.kind != "run":
            return self._of_kind(slot.kind)
        marks = [m for m in values.mentions(self.question) if m.kind in {"quoted", "character"}]
        quoted = [m for m in marks if m.kind == "quoted"]
        if quoted and (not slot.is_name or slot.prefers_quoted):
            return quoted
        if not slot.is_name:
            return []
        return [*marks, *names(self.question, slot.longest)]

    def _of_kind(self, kind: str) -> list[Mention]:
        found = values.of_kind(self.question, kind)
        wanted = sum(slot.kind == kind and slot.is_needed for slot in self.slots)
        if kind == "zone" and len(found) < wanted:
            found += [Mention(kind, *name) for name in unsure_names(self.question)]
        if kind == "number" and not found:
            found += values.ones(self.question)
        return found

    def _constants(self, slot: Slot) -> list[Choice]:
        """Return the values that examples gave without copying, such as "today"."""
        given = {s.value for s in slot.shown if s.mention is None}
        if slot.is_name:
            given &= {""}  # a name that is spelt otherwise there says nothing of this question
        return [Choice(value, None, 4.0 * self._share(slot, value) - 1.0) for value in given]

    def _share(self, slot: Slot, value: Any) -> float:
        return sum(
            self.weights[s.example.question]
            for s in slot.shown
            if s.mention is None and s.value == value
        )

    def _rate(self, slot: Slot, mention: Mention) -> float:
        copied = [(s.example.question, s.mention) for s in slot.shown if s.mention]
        total = sum(self.weights[text] for text, _ in copied) or 1.0
        rating = sum(
            self.weights[text] * alike(text, there, self.question, mention)
            for text, there in copied
        )
        if mention.kind == "number" and is_beside(slot.name, self.question, mention):
            rating += BESIDE * total
        return rating / total + (self._rate_name(mention) if slot.is_name else 0.0)

    def _rate_name(self, mention: Mention) -> float:
        """Rate how like a name is to those in the examples, whichever field took them."""
        if mention.kind == "character":
            return ALIKE + 1.0
        known = [str(s.value) for slot in self.slots if slot.is_name for s in slot.shown]
        nearest = max(self.likeness(mention.value, name) for name in known)
        usual = sum(len(name.split()) for name in known) / len(known)
        return ALIKE * nearest - abs(len(mention.value.split()) - usual)

    def _signed(self, slot: Slot, mention: Mention) -> Any:
        """Return a number with the sign that the nearest examples gave to theirs."""
        value = of_mention(mention)
        if slot.kind != "number" or value < 0:
            return value
        signs: dict[float, dict[str, float]] = {}
        for shown in (shown for other in self.slots for shown in other.shown):
            if shown.mention and shown.mention.kind == "number" and shown.mention.value[0] != "-":
                text = shown.example.question
                sign = math.copysign(1, shown.value)
                signs.setdefault(sign, {})[text] = nearness(self.weights[text])
        rated = ratings(self.question, signs)
        is_less = rated.get(-1.0, -math.inf) > rated.get(1.0, -math.inf)
        return -value if is_less else value

    def _rate_all(self, choices: Sequence[Choice]) -> float:
        taken = [choice.mention for choice in choices if choice.mention]
        clashes = sum(
            _clash(first, second)
            for index, first in enumerate(taken)
            for second in taken[index + 1 :]
        )
        kinds = {slot.kind for slot in self.slots} & {"number", "moment"}
        unused = sum(m.kind in kinds and m not in taken for m in values.mentions(self.question))
        apart = sum(choice.mention is None and choice is not _NOTHING for choice in choices) > 1
        return (
            sum(choice.rating for choice in choices)
            - 100.0 * (clashes + apart + self._strays(choices))
            - UNUSED * unused
        )

    def _strays(self, choices: Sequence[Choice]) -> int:
        """Count the values that should be part of another field's text and are not."""
        held = {slot.name: choice.value for slot, choice in zip(self.slots, choices, strict=True)}
        return sum(
            str(held[inner]) not in str(held[outer])
            for inner, outer in self._inclusions()
            if held.get(inner) is not None and held.get(outer) is not None
        )

    def _inclusions(self) -> list[tuple[str, str]]:
        """Return the pairs of slots of which the one always occurs in the other's text."""
        texts = [slot.name for slot in self.slots if slot.kind == "run" and slot.is_needed]
        return [
            (inner, outer)
            for inner in texts
            for outer in texts
            if inner != outer
            and all(str(e.input[inner]) in str(e.input[outer]) for e in self.spec.examples)
        ]


def _rating(choice: Choice) -> float:
    return choice.rating


def _clash(first: Mention, second: Mention) -> bool:
    """Say whether two fields took the same words; a word inside a quoted text is another."""
    inside = "quoted" in {first.kind, second.kind} and first.kind != second.kind
    return first.overlaps(second) and not inside
