"""What a memory is given of a run, and how it may show it again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from agenthost.requests import Steps
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, ListArtifact
from agenthost_sdk.errors import SettingsError
from agenthost_sdk.messages import BaseMessageContent, Message, TextMessageContent, contents

#: A limit, or None where there is none.
Number = TypeVar("Number", int, int | None)


@dataclass(frozen=True)
class RememberedStep:
    """One action of a run.

    Args:
        thought: What the model said before it.
        action: What it asked for; `output` is what came of it.
    """

    thought: str
    action: ToolAction

    def to_text(self, most: int | None = None) -> str:
        """Return thought, action and observation in words.

        Args:
            most: So many characters are kept of each of the three.
        """
        action = self.action
        came = action.output.to_text() if action.output is not None else "none"
        lines = [f"Thought: {_cut(self.thought, most)}"] if self.thought else []
        lines.append(f"Action: {action.native}({_cut(_as_json(action), most)})")
        return "\n".join((*lines, f"Observation: {_cut(came, most)}"))


@dataclass(frozen=True)
class RememberedRun:
    """What a memory is given of a run that ended.

    Args:
        question: What was asked.
        answer: The output; an `ErrorArtifact` where the run failed.
        rounds: The messages of the run's own rounds, in the form of its dialect.
        steps: The actions of all rounds, in their order.
        id: The run's id; one that was resumed comes again under the same.
    """

    question: BaseArtifact
    answer: BaseArtifact
    rounds: tuple[Message, ...] = ()
    steps: tuple[RememberedStep, ...] = ()
    id: str = ""

    @property
    def failed(self) -> bool:
        """Whether the run ended in an error, or in results that are nothing but errors."""
        return _is_error(self.answer)

    def messages(self, *, tool_rounds: bool = False) -> tuple[Message, ...]:
        """Return the run as messages of the user and the model.

        What a run that failed ended with is never said by the model: it becomes a note beside
        the question; an error among other results is left out. A run whose question or answer
        is empty gives none, since providers refuse messages without words.

        Args:
            tool_rounds: Show its rounds too, word for word.
        """
        asked = contents(self.question)
        if self.failed:
            note = TextMessageContent(f"(That run failed: {self.answer.to_text()})")
            return (Message("user", (*asked, note)),)
        question, answer = Message("user", asked), Message("assistant", _said(self.answer))
        if not (says_something(question) and says_something(answer)):
            return ()
        return (question, *(self.rounds if tool_rounds else ()), answer)

    def to_text(self, most: int | None = None) -> str:
        """Return question and answer in words.

        Args:
            most: So many characters are kept of each of the two.
        """
        asked, came = _cut(self.question.to_text(), most), _cut(self.answer.to_text(), most)
        return f"Question: {asked}\n{'That run failed' if self.failed else 'Answer'}: {came}"


class BaseMemory(ABC):
    """What a task remembers of its runs; one memory serves one conversation, and many threads.

    A memory of one's own writes two methods; this one recalls the last question only:

        from agenthost import BaseMemory
        from agenthost_sdk.messages import Message, contents

        class LastQuestion(BaseMemory):
            def __init__(self):
                self.last = None

            def add(self, run):
                self.last = run.question

            def recall(self, question):
                yield from ()
                return [Message("user", contents(self.last))] if self.last else []

    A run asks its memory once, before its first round.
    """

    #: Whether `recall` yields `Embed`, so that the task must have an embedding driver.
    needs_embeddings: ClassVar[bool] = False

    @abstractmethod
    def add(self, run: RememberedRun) -> None:
        """Take in a run that ended, whether it succeeded or not.

        What it raises is logged: the run keeps its answer, and is not remembered.
        """

    @abstractmethod
    def recall(self, question: BaseArtifact) -> Steps[list[Message]]:
        """Return what the model is to be shown between the system message and the question.

        It is a generator: it may yield requests, such as a `Prompt` for a summary, and is sent
        what came of them. What a request raises is raised at its `yield`.
        """


def checked(name: str, value: Number) -> Number:
    """Return a limit of a memory.

    Raises:
        SettingsError: It is neither None nor a whole number of at least 1.
    """
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if value is not None and (not is_number or value < 1):
        raise SettingsError(f"{name} is {value!r}; it must be a whole number, 1 or more.")
    return value


def _cut(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return text
    return f"{text[:most]}… ({len(text) - most} more characters)"


def _as_json(action: ToolAction) -> str:
    import json  # most memories keep no steps

    return json.dumps(dict(action.input), ensure_ascii=False, default=str)


def _is_error(answer: BaseArtifact) -> bool:
    if isinstance(answer, ListArtifact) and answer.value:
        return all(_is_error(one) for one in answer.value)
    return isinstance(answer, ErrorArtifact)


def _said(answer: BaseArtifact) -> tuple[BaseMessageContent, ...]:
    """Return the blocks of an answer, without the errors in it."""
    if isinstance(answer, ListArtifact):
        return tuple(block for one in answer.value for block in _said(one))
    return () if _is_error(answer) else contents(answer)


def says_something(message: Message) -> bool:
    """Return whether there is anything in a message but empty texts."""
    return any(
        not isinstance(block, TextMessageContent) or block.text.strip()
        for block in message.content
    )
