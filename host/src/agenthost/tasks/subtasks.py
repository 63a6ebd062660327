"""One round of a run: a reply of the model, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, ListArtifact
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
        repair: "reply" where the reply was handed back for its form, "output" where its answer
            was for its content; "" where neither was.
        reviewed: Whether its answer was looked at before it was taken.
        signature: What it has in common with a round that did the same and came to the same; ()
            where it had no actions.
        tokens: How many tokens its messages have, once they were counted.
    """

    number: int
    message: Message | None = None
    reply: Reply | None = None
    actions: tuple[ToolAction, ...] = ()
    messages: tuple[Message, ...] = ()
    repair: str = ""
    reviewed: bool = False
    finished: bool = False
    signature: tuple[bytes, ...] = field(default=(), repr=False)
    tokens: int | None = field(default=None, repr=False)

    @property
    def thought(self) -> str:
        """What the model said before its actions."""
        return self.reply.thought if self.reply else ""

    @property
    def failed(self) -> bool:
        """Whether there were actions, and none of them came to a result."""
        for action in self.actions:
            if not isinstance(action.output, ErrorArtifact):
                return False
        return bool(self.actions)

    @property
    def output(self) -> BaseArtifact:
        """What came of the actions, in the model's order."""
        return ListArtifact([action.output for action in self.actions if action.output])

    def finish(self, messages: tuple[Message, ...] = ()) -> None:
        """Close the round; `messages` is how the next prompt replays it."""
        self.messages = messages
        self.finished = True
