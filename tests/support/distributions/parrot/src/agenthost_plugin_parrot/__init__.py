"""A plugin for the tests: a driver that says as a call what the user said, and a tool to call."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agenthost_sdk import BasePromptDriver, BaseTool, ToolError, activity, hookimpl
from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    ActionCallMessageContent,
    ActionResultMessageContent,
    DeltaMessage,
    Message,
    PromptStack,
    TextDeltaMessageContent,
    TextMessageContent,
    Usage,
)

#: What a question looks like that the parrot says as a call: `Native_name {"input": 1}`.
_CALL = re.compile(r"(\w+) (\{.*\})\Z", re.DOTALL)

_TOKENS = Usage(input_tokens=3, output_tokens=4)


@dataclass(kw_only=True, eq=False)
class ParrotPromptDriver(BasePromptDriver):
    """Call what the question names, then answer with what came of it; repeat all else.

    The model's name is the parrot's mood: "endless" calls again and again, "hoarse" fails,
    "asleep" says that it sleeps and does not wake up. In any other it does as it should.
    """

    provider = "parrot"

    model: str = "wise"
    use_native_tools: bool = True

    def try_run(self, stack: PromptStack) -> Message:
        """Return the parrot's words."""
        if self.model == "hoarse":
            raise DriverError("the parrot has no voice.", provider="parrot", model="hoarse")
        if self.model == "asleep":
            sleep()
        *_, last = stack.messages
        results = [
            block for block in last.content if isinstance(block, ActionResultMessageContent)
        ]
        if results and self.model != "endless":
            return _said("; ".join(result.to_text() for result in results))
        return self._call(stack) or _said(last.to_text())

    def _call(self, stack: PromptStack) -> Message | None:
        [question, *_] = [message for message in stack.messages if message.role == "user"]
        found = _CALL.match(question.to_text())
        if found is None:
            return None
        call = ActionCallMessageContent(f"c{len(stack.messages)}", found[1], found[2])
        return Message("assistant", (call,), _TOKENS, "actions")

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        """Yield the parrot's words."""
        message = self.try_run(stack)
        for call in message.calls:
            piece = ActionCallDeltaMessageContent(0, call.id, call.native, call.arguments)
            yield DeltaMessage(piece)
        yield DeltaMessage(TextDeltaMessageContent(message.to_text()))
        yield DeltaMessage(usage=message.usage, finish=message.finish)


class Nest(BaseTool):
    """Build a nest, and live in it."""

    @activity
    def build(self, twigs: int) -> str:
        """Build a nest; whether that changes something, its author does not say.

        Args:
            twigs: How many twigs to build it of.
        """
        return f"a nest of {twigs} twigs"

    @activity(read_only=True)
    def fall(self) -> str:
        """Fall out of the nest."""
        raise ToolError("The nest is too high up.")

    @activity(read_only=True, timeout=0.1)
    def brood(self) -> str:
        """Sit on eggs for longer than is allowed."""
        threading.Event().wait(60)
        return "hatched"

    @activity(read_only=True)
    def sleep(self) -> str:
        """Sleep until somebody ends it."""
        sleep()
        return "awake"


def sleep() -> None:
    """Say on the standard error that one sleeps now, and do so."""
    print("zzz", file=sys.stderr, flush=True)
    threading.Event().wait(60)


def _said(text: str) -> Message:
    return Message("assistant", (TextMessageContent(text),), _TOKENS)


@hookimpl
def agenthost_tools() -> list[type[BaseTool]]:
    """Contribute the nest."""
    return [Nest]


@hookimpl
def agenthost_prompt_drivers() -> Mapping[str, Any]:
    """Contribute the parrot."""
    return {"parrot": ParrotPromptDriver}
