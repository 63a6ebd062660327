"""Anthropic, and every server that speaks its Messages API, for agenthost."""

from __future__ import annotations

from collections.abc import Mapping

from agenthost_plugin_anthropic.config import AnthropicDriversConfig
from agenthost_plugin_anthropic.driver import AnthropicPromptDriver
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.hooks import hookimpl

__all__ = ["AnthropicDriversConfig", "AnthropicPromptDriver"]


@hookimpl
def agenthost_prompt_drivers() -> Mapping[str, type[BasePromptDriver]]:
    """Return the driver for `-m anthropic:MODEL`."""
    return {AnthropicPromptDriver.provider: AnthropicPromptDriver}


@hookimpl
def agenthost_drivers_configs() -> Mapping[str, type[DriversConfig]]:
    """Return the set of drivers that the settings call by name."""
    return {AnthropicPromptDriver.provider: AnthropicDriversConfig}
