"""The drivers of Anthropic as one set."""

from __future__ import annotations

from agenthost_plugin_anthropic.driver import AnthropicPromptDriver
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig


class AnthropicDriversConfig(DriversConfig):
    """The drivers of Anthropic, with its small current model; it makes no vectors."""

    def make_prompt_driver(self) -> BasePromptDriver:
        """Make the prompt driver; it imports the provider's package when it is first asked."""
        return AnthropicPromptDriver()
