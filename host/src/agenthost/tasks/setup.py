"""What a task's runs share: drivers, tools, dialect, permissions, limits, validators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

from agenthost.actions.permission import Permissions
from agenthost.actions.toolbox import Toolbox
from agenthost.memory.folding import Folding
from agenthost.records.bus import Listener
from agenthost.requests import Step
from agenthost.tasks.limits import Limits
from agenthost.tasks.outputs import FinalOutput, StructuredOutputTool
from agenthost_sdk.dialects import BaseDialect, Offer
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import SettingsError
from agenthost_sdk.guards import BaseActionGuard
from agenthost_sdk.validators import BaseOutputValidator

#: The steps whose replies the dialect reads.
READ_STEPS: tuple[Step, ...] = ("act", "repair", "answer")


def reply_drivers(
    driver: BasePromptDriver,
    step_drivers: Mapping[Step, BasePromptDriver],
    fallback: BasePromptDriver | None,
) -> list[BasePromptDriver]:
    """Return the drivers whose replies the dialect reads; each must take what is on offer."""
    others = [step_drivers[step] for step in READ_STEPS if step in step_drivers]
    return [driver, *others, *([fallback] if fallback is not None else [])]


@dataclass(frozen=True)
class Setup:
    """The configuration of a run; it does not change, and serves many runs at once."""

    driver: BasePromptDriver
    toolbox: Toolbox
    dialect: BaseDialect
    offer: Offer
    permissions: Permissions
    limits: Limits
    validators: Sequence[BaseOutputValidator] = ()
    listeners: Sequence[Listener] = ()
    guards: Sequence[BaseActionGuard] = ()
    #: Where actions run; in threads of our own where it is None.
    executor: Executor | None = None
    reflect_on_tool_use: bool = True
    #: What the answer has to be; None where any text will do.
    output: FinalOutput | None = None
    #: Other drivers for some steps, and the one to turn to where the step's own fails.
    step_drivers: Mapping[Step, BasePromptDriver] = field(default_factory=dict)
    fallback_driver: BasePromptDriver | None = None
    embedding_driver: BaseEmbeddingDriver | None = None
    #: What becomes of the oldest rounds past `Limits.max_history_tokens`.
    folding: Folding = "summarise"
    #: How a reply has to look, in the place of the dialect's own reminder.
    repair_prompt: str = ""
    #: Whether the tools' examples stand before the conversation as rounds.
    few_shot: bool = False

    @property
    def output_tool(self) -> StructuredOutputTool | None:
        """The tool that takes the answer; None where the answer comes in another way."""
        return None if self.output is None else self.output.tool

    def driver_for(self, step: Step) -> BasePromptDriver:
        """Return the driver that carries out the prompts of a step."""
        return self.step_drivers.get(step, self.driver)

    def check_count(self, toolbox: Toolbox) -> None:
        """Refuse more activities than a driver's provider takes.

        Raises:
            SettingsError: There are too many; the message says how to choose.
        """
        if not self.dialect.native:
            return
        for driver in reply_drivers(self.driver, self.step_drivers, self.fallback_driver):
            most = driver.max_tools
            if most is not None and len(toolbox) > most:
                raise SettingsError(
                    f"{len(toolbox)} activities are on offer; the driver {driver.title!r}"
                    f" takes {most} at most. Choose the tools: -t TOOL on the command line,"
                    " tools=[…] in code."
                )
