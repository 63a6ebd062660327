"""A small model that runs on this machine, for agenthost; no key needed."""

from __future__ import annotations

from collections.abc import Mapping

from agenthost_sdk import BaseEmbeddingDriver, BasePromptDriver, hookimpl


@hookimpl
def agenthost_prompt_drivers() -> Mapping[str, type[BasePromptDriver]]:
    """Return the local driver."""
    from agenthost_plugin_local.driver import LocalPromptDriver  # loaded when a driver is wanted

    return {"local": LocalPromptDriver}


@hookimpl
def agenthost_embedding_drivers() -> Mapping[str, type[BaseEmbeddingDriver]]:
    """Return the local embedding driver."""
    from agenthost_plugin_local.embedding import LocalEmbeddingDriver  # likewise

    return {"local": LocalEmbeddingDriver}
