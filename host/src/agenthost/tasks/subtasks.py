"""One round of a run: a reply of the model, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact, ListArtifact
from agenthost_sdk.dialects import Reply
from agenthost_sdk.messages import Message


@dataclass
class ActionsSubtask:
    """One round. It fills from top to bottom, and once it is finished it never changes.

    Args:
        number: Its place in the run, from 0.
        message: What the model replied.
        reply: What the dialect read out of it.
        actions: The actions, each with its output.
        messages: How the round is replayed to the model.
    """

    number: int
    message: Message | None = None
    reply: Reply | None = None
    actions: tuple[ToolAction, ...] = ()
    messages: tuple[Message, ...] = ()
    #: Whether the reply was handed back for its form, or its answer for its content.
    repair: str = ""
    finished: bool = False

    @property
    def thought(self) -> str:
        """What the model said before its actions."""
        return self.reply.thought if self.reply else ""

    @property
    def output(self) -> BaseArtifact:
        """What came of the actions, in the model's order."""
        return ListArtifact([action.output for action in self.actions if action.output])

    def keep(self, done: ToolAction) -> None:
        """Keep an action that was answered, though others of the round still run."""
        self.actions = tuple(done if one.tag == done.tag else one for one in self.actions)

    def finish(self, messages: tuple[Message, ...] = ()) -> None:
        """Close the round; `messages` is how the next prompt replays it."""
        self.messages = messages
        self.finished = True
