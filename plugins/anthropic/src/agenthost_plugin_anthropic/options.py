"""What a request asks for beside its messages, and what a model does not take of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from agenthost_plugin_anthropic.models import (
    DEFAULT_MAX_TOKENS,
    LEAST_BUDGET,
    Abilities,
    abilities,
)
from agenthost_plugin_anthropic.written import Json

#: How a model thinks: with so many tokens at most, as it sees fit, after results only, not at all.
Thinking = int | Literal["adaptive", "between_tools", "disabled"]

#: How much effort a model makes.
Effort = Literal["low", "medium", "high", "xhigh", "max"]

#: How the model's thoughts are shown.
Display = Literal["summarized", "omitted"]

#: What chooses among the next words; the newer models and the newer API take none of it.
SAMPLING = ("temperature", "top_p", "top_k")


@dataclass(frozen=True)
class Options:
    """The options of a driver, as a request states them."""

    model: str
    max_tokens: int | None = None
    temperature: float | None = None
    thinking: Thinking | None = None
    thinking_display: Display | None = None
    effort: Effort | None = None
    parallel_tool_use: bool = True
    strict: bool = False
    cache: bool = False
    server_tools: Sequence[Mapping[str, Any]] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def abilities(self) -> Abilities:
        """What the model takes."""
        return abilities(self.model)

    @property
    def samples(self) -> bool:
        """Whether the request says how the next words are chosen."""
        return self.temperature is not None or any(name in self.extra for name in SAMPLING)

    @property
    def has_budget(self) -> bool:
        """Whether a number of tokens is set aside for the model's thoughts."""
        return isinstance(self.thinking, int)

    def limit(self) -> int:
        """Return how long the reply may be: as the driver says, else what fits the model."""
        if self.max_tokens is not None:
            return self.max_tokens
        room = self.thinking if isinstance(self.thinking, int) else 0
        return min(DEFAULT_MAX_TOKENS + room, self.abilities.max_tokens)

    def thinking_field(self) -> Json | None:
        """Return how the model is to think; None leaves it to the API."""
        if self.thinking is None:
            return None
        if isinstance(self.thinking, int):
            form: Json = {"type": "enabled", "budget_tokens": self.thinking}
        else:
            form = {"type": self.thinking}
        if self.thinking_display and form["type"] in ("enabled", "adaptive"):
            form["display"] = self.thinking_display
        return form

    def fault(self) -> str:
        """Return what the model does not take of the options, and what to do; "" where it can."""
        known, model = self.abilities, self.model
        if self.samples and not known.sampling:
            return f"{model} takes no {', '.join(SAMPLING)}. Leave them out."
        if self.has_budget and not known.budgets:
            return f"{model} takes no budget for thoughts. Set thinking='adaptive', and effort."
        if self.samples and self.has_budget:
            return "A model that thinks takes no temperature. Leave out temperature or thinking."
        if self.thinking in ("adaptive", "between_tools") and not known.adaptive:
            return f"{model} does not think adaptively. Set thinking to a number of tokens."
        if self.effort is not None and not known.effort:
            return f"{model} takes no effort. Leave it out."
        return self._fault_of_budget()

    def _fault_of_budget(self) -> str:
        if not isinstance(self.thinking, int) or LEAST_BUDGET <= self.thinking < self.limit():
            return ""
        return (
            f"thinking={self.thinking} cannot be: a budget for thoughts has {LEAST_BUDGET} tokens"
            f" at least, and fewer than max_tokens, which is {self.limit()}."
        )
