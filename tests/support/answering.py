"""Carry out the requests of a generator by hand, for tests of what asks for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from agenthost.requests import Count, Embed, Prompt, Request, Steps
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.messages import Message

R = TypeVar("R")


def tokens(messages: Sequence[Message]) -> int:
    """Count ten for each message."""
    return 10 * len(messages)


@dataclass
class Answering:
    """What answers prompts, embeddings and counts, and what it was asked."""

    driver: BasePromptDriver | None = None
    embedding_driver: BaseEmbeddingDriver | None = None
    count: Callable[[Sequence[Message]], int] = tokens
    asked: list[Request[Any]] = field(default_factory=list)

    def run(self, steps: Steps[R]) -> R:
        """Carry out each request until the generator returns; what one raises is thrown in."""
        try:
            request = next(steps)
            while True:
                self.asked.append(request)
                try:
                    result = self._carry_out(request)
                except Exception as error:
                    request = steps.throw(error)
                else:
                    request = steps.send(result)
        except StopIteration as end:
            value: R = end.value
            return value

    def _carry_out(self, request: Request[Any]) -> Any:
        match request:
            case Prompt(stack) if self.driver is not None:
                return self.driver.run(stack)
            case Embed(texts) if self.embedding_driver is not None:
                return self.embedding_driver.embed(texts)
            case Count(messages):
                return self.count(messages)
        raise AssertionError(f"Nothing here answers {request!r:.100}.")
