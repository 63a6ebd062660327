"""Choose the activity that a question asks for, or none, from what the activities say of
themselves: their examples, descriptions and names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agenthost_plugin_local import values
from agenthost_plugin_local.copying import name_fit
from agenthost_plugin_local.likeness import Likeness
from agenthost_plugin_local.smalltalk import MESSAGES
from agenthost_plugin_local.wording import Wording
from agenthost_sdk.actions import ToolSpec

#: How much the words of a text count beside its meaning.
WORDS = 0.5
#: What a value costs that a question lacks, or has where no example has one.
LACKING, SURPLUS = 0.2, 0.12
#: What it counts that a question's words serve as names, for so many of the first, and its limit.
NAMES, CLOSE, MOST_BY_NAMES = 0.5, 3, 0.15
#: With more examples than this, one odd one says nothing of what a question must hold.
MANY = 5
#: So many of an activity's nearest texts are asked.
NEAREST = 2


@dataclass(frozen=True)
class Route:
    """An activity and how well it fits the question; no activity stands for plain talk."""

    spec: ToolSpec | None
    fit: float


@dataclass(frozen=True)
class _Class:
    """Texts that belong to one activity, or to plain talk."""

    spec: ToolSpec | None
    texts: tuple[str, ...]
    least: dict[str, int] = field(default_factory=dict)
    most: dict[str, int] = field(default_factory=dict)


def route(question: str, specs: Sequence[ToolSpec], likeness: Likeness) -> list[Route]:
    """Return the activities and plain talk, the best fitting first."""
    classes = [*(_class_of(spec) for spec in specs), _class(None, MESSAGES, MESSAGES)]
    known = [text for one in classes for text in one.texts]
    likeness.learn(values.mask(text) for text in known)
    wording = Wording.of(known)
    routes = [Route(one.spec, _fit(question, one, likeness, wording)) for one in classes]
    routes.sort(key=lambda each: -each.fit)
    weighed = [_with_names(question, each, likeness) for each in routes[:CLOSE]]
    return sorted([*weighed, *routes[CLOSE:]], key=lambda each: -each.fit)


def _with_names(question: str, found: Route, likeness: Likeness) -> Route:
    if found.spec is None:
        return found
    fit = NAMES * name_fit(found.spec, question, likeness)
    return Route(found.spec, found.fit + max(-MOST_BY_NAMES, min(MOST_BY_NAMES, fit)))


def _class_of(spec: ToolSpec) -> _Class:
    questions = [example.question for example in spec.examples]
    first = spec.description.split("\n", 1)[0]
    return _class(spec, [*questions, first or spec.native.replace("_", " ")], questions)


def _class(spec: ToolSpec | None, texts: Sequence[str], questions: Sequence[str]) -> _Class:
    counts = [_counts(question) for question in questions]
    if len(counts) < 3:
        return _Class(spec, tuple(texts))
    usual = {kind: _usual([count[kind] for count in counts]) for kind in counts[0]}
    least = {kind: numbers[0] for kind, numbers in usual.items()}
    return _Class(spec, tuple(texts), least, {kind: n[-1] for kind, n in usual.items()})


def _usual(numbers: list[int]) -> list[int]:
    """Return the numbers in order, without the one odd case at either end where there are many."""
    return sorted(numbers)[1:-1] if len(numbers) > MANY else sorted(numbers)


def _counts(text: str) -> dict[str, int]:
    """Return how many values of each kind a text has, those written in figures also apart."""
    mentions = values.mentions(text)
    kinds = [mention.kind for mention in mentions if mention.kind != "zone"]
    kinds += ["zone" for _ in {mention.value for mention in mentions if mention.kind == "zone"}]
    kinds += [
        f"{mention.kind} in figures"
        for mention in mentions
        if mention.kind in {"number", "moment"}
        and re.search(r"\d", text[mention.start : mention.end])
    ]
    return {kind: kinds.count(kind) for kind in _KINDS}


_KINDS = ("number", "number in figures", "moment", "moment in figures", "quoted", "zone")


def _fit(question: str, one: _Class, likeness: Likeness, wording: Wording) -> float:
    masked = values.mask(question)
    meaning = _best(likeness(masked, values.mask(text)) for text in one.texts)
    words = _best(wording(question, text) for text in one.texts)
    return meaning + WORDS * words - _misfit(_counts(question), one)


def _best(ratings: Iterable[float]) -> float:
    best = sorted(ratings, reverse=True)[:NEAREST]
    return sum(best) / len(best) if best else 0.0


def _misfit(counts: dict[str, int], one: _Class) -> float:
    lacking = sum(max(0, least - counts[kind]) for kind, least in one.least.items())
    surplus = sum(counts[kind] > most for kind, most in one.most.items())
    return LACKING * min(lacking, 2) + SURPLUS * surplus
