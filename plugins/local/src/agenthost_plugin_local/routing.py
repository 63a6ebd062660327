"""Choose the activity that a question asks for, or none, from what the activities say of
themselves: their examples, descriptions and names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agenthost_plugin_local import values
from agenthost_plugin_local.likeness import Likeness
from agenthost_plugin_local.smalltalk import MESSAGES
from agenthost_plugin_local.wording import Wording
from agenthost_sdk.actions import ToolSpec

#: How much the words of a text count beside its meaning.
WORDS = 0.5
#: What a value costs that a question lacks, or has where no example has one.
LACKING, SURPLUS = 0.2, 0.12
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
    return sorted(routes, key=lambda each: -each.fit)


def _class_of(spec: ToolSpec) -> _Class:
    questions = [example.question for example in spec.examples]
    first = spec.description.split("\n", 1)[0]
    return _class(spec, [*questions, first or spec.native.replace("_", " ")], questions)


def _class(spec: ToolSpec | None, texts: Sequence[str], questions: Sequence[str]) -> _Class:
    counts = [_counts(question) for question in questions]
    if len(counts) < 3:
        return _Class(spec, tuple(texts))
    kinds = counts[0].keys()
    return _Class(
        spec,
        tuple(texts),
        {kind: min(count[kind] for count in counts) for kind in kinds},
        {kind: max(count[kind] for count in counts) for kind in kinds},
    )


def _counts(text: str) -> dict[str, int]:
    mentions = values.mentions(text)
    found = [mention.kind for mention in mentions]
    figures = [m for m in mentions if m.kind == "number" and text[m.end - 1].isdigit()]
    kinds = ("number", "moment", "quoted", "zone")
    return {kind: found.count(kind) for kind in kinds} | {"figure": len(figures)}


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
