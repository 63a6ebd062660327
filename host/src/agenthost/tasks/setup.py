"""What a task's runs share: drivers, tools, dialect, permissions, limits, validators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agenthost.actions.permission import Permissions
from agenthost.actions.toolbox import Toolbox
from agenthost.records.bus import Listener
from agenthost.requests import Step
from agenthost.tasks.limits import Limits
from agenthost.tasks.outputs import FinalOutput
from agenthost_sdk.dialects import BaseDialect, Offer
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import SettingsError
from agenthost_sdk.validators import BaseOutputValidator

#: What becomes of the oldest rounds of a run past `max_history_tokens`.
Folding = Literal["summarise", "drop"]


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
    reflect_on_tool_use: bool = True
    #: What the answer has to be; None where any text will do.
    output: FinalOutput | None = None
    #: Other drivers for some steps, and the one to turn to where the step's own fails.
    step_drivers: Mapping[Step, BasePromptDriver] = field(default_factory=dict)
    fallback_driver: BasePromptDriver | None = None
    embedding_driver: BaseEmbeddingDriver | None = None
    folding: Folding = "summarise"
    #: What the model reads before the fault of a reply that is handed back.
    repair_prompt: str = ""

    def driver_for(self, step: Step) -> BasePromptDriver:
        """Return the driver that carries out the prompts of a step."""
        return self.step_drivers.get(step, self.driver)

    def check_count(self, toolbox: Toolbox) -> None:
        """Refuse more activities than the driver's provider takes.

        Raises:
            SettingsError: There are too many; the message says how to choose.
        """
        most = self.driver.max_tools
        if self.dialect.native and most is not None and len(toolbox) > most:
            raise SettingsError(
                f"{len(toolbox)} activities are on offer; the driver {self.driver.provider!r}"
                f" takes {most} at most. Choose the tools: -t TOOL on the command line, tools=[…]"
                " in code."
            )
