"""What is known of Anthropic's models: which options each takes, by the version in its name."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

#: The small current model.
DEFAULT_MODEL = "claude-haiku-5-5"

#: How long a reply may be where nothing is said: as long as it may take a server to write a reply
#: in one piece before connections are given up (the SDK sets the bound at ten minutes).
DEFAULT_MAX_TOKENS = 16_384

#: The least budget of thoughts that the API takes.
LEAST_BUDGET = 1_024

# "claude-sonnet-4-5-20250929" and "claude-3-5-haiku-latest": two digits and more are a date.
_VERSION = re.compile(r"claude-(?:[a-z]+-)?(\d)(?:[-.](\d)(?!\d))?(?!\d)")


@dataclass(frozen=True)
class Abilities:
    """What a model takes.

    Args:
        max_tokens: How many tokens its reply has at most.
        sampling: Whether it takes `temperature`, `top_p` and `top_k`.
        budgets: Whether a number of tokens can be set aside for its thoughts.
        adaptive: Whether it can think as long as it sees fit.
        effort: Whether it can be told how much effort to make.
        structured: Whether it can be held to a schema, in its answer and in its calls.
    """

    max_tokens: int = 128_000
    sampling: bool = False
    budgets: bool = False
    adaptive: bool = True
    effort: bool = True
    structured: bool = True


# What the models before the current ones take, from the oldest.
_OLDEST = Abilities(4_096, sampling=True, adaptive=False, effort=False, structured=False)
_THINKING = replace(_OLDEST, budgets=True)
_STRUCTURED = replace(_THINKING, max_tokens=64_000, structured=True)

#: Abilities from a version on; the last line that is not above a model's version holds for it.
_SINCE: tuple[tuple[tuple[int, int], Abilities], ...] = (
    ((0, 0), _OLDEST),
    ((3, 5), replace(_OLDEST, max_tokens=8_192)),
    ((3, 7), replace(_THINKING, max_tokens=64_000)),
    ((4, 0), replace(_THINKING, max_tokens=32_000)),
    ((4, 5), _STRUCTURED),
    ((4, 6), Abilities(sampling=True, budgets=True)),
    ((4, 7), Abilities()),
)

#: Of a model that is not known by its name, such as one of another maker, anything is taken.
_UNKNOWN = Abilities(sampling=True, budgets=True)


def abilities(model: str) -> Abilities:
    """Return what a model takes, told by the version in its name."""
    version = version_of(model)
    if version is None:
        return _UNKNOWN
    if version == (4, 5) and "opus" in model:
        return Abilities(
            64_000, sampling=True, budgets=True, adaptive=False
        )  # the first to know effort
    return next(known for since, known in reversed(_SINCE) if since <= version)


def version_of(model: str) -> tuple[int, int] | None:
    """Return the version in a model's name, such as (4, 5); None where there is none."""
    found = _VERSION.search(model)
    return (int(found[1]), int(found[2] or 0)) if found else None
