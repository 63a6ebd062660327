"""OpenAI and every server that speaks its chat completions, for agenthost."""

from __future__ import annotations

from collections.abc import Mapping

from agenthost_plugin_openai.driver import OpenAiChatPromptDriver, OpenAiDriversConfig
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.hooks import hookimpl

__all__ = ["OpenAiChatPromptDriver", "OpenAiDriversConfig", "agenthost_prompt_drivers"]


@hookimpl
def agenthost_prompt_drivers() -> Mapping[str, type[BasePromptDriver]]:
    """Return the driver for `-m openai:MODEL`."""
    return {OpenAiChatPromptDriver.provider: OpenAiChatPromptDriver}
