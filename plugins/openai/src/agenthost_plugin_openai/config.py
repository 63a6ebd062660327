"""The drivers of OpenAI as one set."""

from __future__ import annotations

from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.embeddings import BaseEmbeddingDriver


class OpenAiDriversConfig(DriversConfig):
    """The drivers of OpenAI, with its small current models."""

    def make_prompt_driver(self) -> BasePromptDriver:
        """Make the chat driver; it imports the provider's package when it is first asked."""
        from agenthost_plugin_openai.driver import OpenAiChatPromptDriver

        return OpenAiChatPromptDriver()

    def make_embedding_driver(self) -> BaseEmbeddingDriver:
        """Make the embedding driver; it imports the provider's package likewise."""
        from agenthost_plugin_openai.embedding import OpenAiEmbeddingDriver

        return OpenAiEmbeddingDriver()
