"""What a task's runs share: tools, dialect, offer, permissions, limits, validators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agenthost.actions.permission import Permissions
from agenthost.actions.toolbox import Toolbox
from agenthost.records.bus import Listener
from agenthost.tasks.limits import Limits
from agenthost_sdk.dialects import BaseDialect, Offer
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.validators import BaseOutputValidator


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
    #: The rules of the system message.
    rules: str = ""
