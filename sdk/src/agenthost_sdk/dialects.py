"""The protocol of a reply format: offer the tools, read a reply, answer it with results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from agenthost_sdk.actions import NativeNames, ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.messages import Message, TextMessageContent


@dataclass(frozen=True)
class Offer:
    """How a set of tools is put to the model; made once for a table, the same every round.

    Args:
        system: Text for the system message: the format and the tools, in the text dialects.
        tools: The specs that the driver is to offer in its native form.
        stop: Texts at which the model is to stop.
        tool_choice: Whether the model may, must not or must call a tool.
    """

    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    stop: tuple[str, ...] = ()
    tool_choice: Literal["auto", "none", "required"] = "auto"


@dataclass(frozen=True)
class Reply:
    """What a dialect read out of a message.

    Args:
        thought: What the model said before its actions; "" where it said nothing.
        actions: In the model's order, tags unique. One that could not be read bears an
            `ErrorArtifact` as its output already.
        answer: The final answer; None while there are actions, or nothing was readable.
        problem: Set where there is neither: what is wrong, in words for the model.
        text: Beside a problem, the reply's words with labels and reasoning taken off; "" where
            nothing is left. It can stand as the answer once the model was asked often enough.
        cut: Whether a reply that reads as an answer ended at the token limit, and may lack
            its end.
        message: What was read, where the dialect shows its blocks again, such as thoughts that
            a provider wants back unchanged.
    """

    thought: str = ""
    actions: tuple[ToolAction, ...] = ()
    answer: BaseArtifact | None = None
    problem: str | None = None
    text: str = ""
    cut: bool = False
    message: Message | None = None

    @property
    def is_answer(self) -> bool:
        """Whether the reply ends the loop."""
        return self.answer is not None


class BaseDialect(ABC):
    """One format in which a model asks for actions; what a model is told of it, and its parser.

    An implementer keeps both in one module, since they must agree. `read` never raises,
    whatever the model wrote. The host calls `offer` once for a table of tools, `read` on each
    reply, and `answer` when all actions of the reply have their output.
    """

    #: The dialect's name, as in `--dialect NAME`.
    name: ClassVar[str] = ""
    #: How a reply has to look, in a sentence; a `problem` ends in it where that is the remedy. A
    #: task may put another text in its place (`repair_prompt`).
    reminder: ClassVar[str] = ""
    #: Whether it needs the provider's own function calling.
    native: ClassVar[bool] = False
    #: How to act, in words, for a prompt that lists the tools itself; "" where the format cannot
    #: be told without them.
    form: ClassVar[str] = ""

    @abstractmethod
    def offer(self, table: NativeNames) -> Offer:
        """Return how the tools in the table are put to the model."""

    @abstractmethod
    def read(self, message: Message, table: NativeNames) -> Reply:
        """Return the actions or the answer in a reply; an unreadable action bears its error."""

    @abstractmethod
    def answer(self, reply: Reply, actions: Sequence[ToolAction]) -> tuple[Message, ...]:
        """Return the messages that replay a finished round: what was asked, what came of it."""

    def conclude(self, answer: str, thought: str = "") -> Message:
        """Return the message that ends the loop with an answer, as the model is to write it.

        Used to show the model an example. A format that marks its answers overrides it.
        """
        said = f"{thought}\n\n{answer}" if thought else answer
        return Message("assistant", (TextMessageContent(said),))
