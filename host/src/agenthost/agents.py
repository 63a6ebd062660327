"""`Agent`: a task that remembers its conversation."""

from __future__ import annotations

from agenthost.memory.conversation import BaseMemory, ConversationMemory
from agenthost.tasks.prompt_task import PromptTask


class Agent(PromptTask):
    """A `PromptTask` that is asked again and again, and remembers what was said.

        agent = Agent(tools=[Inventory()])
        agent.run("How many units of AB-1200 are left?")
        print(agent.run("And of AB-1300?").value)

    It takes what `PromptTask` takes. Give each conversation an agent of its own.
    """

    def make_memory(self) -> BaseMemory:
        """Remember every run."""
        return ConversationMemory()
