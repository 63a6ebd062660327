"""OpenAI and every server that speaks its chat completions, for agenthost."""

from __future__ import annotations

from collections.abc import Mapping

from agenthost_plugin_openai.config import OpenAiDriversConfig
from agenthost_plugin_openai.driver import OpenAiChatPromptDriver
from agenthost_plugin_openai.embedding import OpenAiEmbeddingDriver
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.hooks import hookimpl

__all__ = [
    "OpenAiChatPromptDriver",
    "OpenAiDriversConfig",
    "OpenAiEmbeddingDriver",
    "agenthost_drivers_configs",
    "agenthost_embedding_drivers",
    "agenthost_prompt_drivers",
]


@hookimpl
def agenthost_prompt_drivers() -> Mapping[str, type[BasePromptDriver]]:
    """Return the driver for `-m openai:MODEL`."""
    return {"openai": OpenAiChatPromptDriver}


@hookimpl
def agenthost_embedding_drivers() -> Mapping[str, type[BaseEmbeddingDriver]]:
    """Return the driver that embeds."""
    return {"openai": OpenAiEmbeddingDriver}


@hookimpl
def agenthost_drivers_configs() -> Mapping[str, type[DriversConfig]]:
    """Return both as one set."""
    return {"openai": OpenAiDriversConfig}
