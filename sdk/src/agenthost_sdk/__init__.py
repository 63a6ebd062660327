"""What the author of an agenthost plugin imports.

Names are loaded when they are first read, so that a plugin pays only for what it uses.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agenthost_sdk.actions import (
        ActionArtifact,
        Annotations,
        Example,
        NativeNames,
        ToolAction,
        ToolSpec,
    )
    from agenthost_sdk.activities import Activity, activity
    from agenthost_sdk.artifacts import (
        AudioArtifact,
        BaseArtifact,
        BlobArtifact,
        BooleanArtifact,
        ErrorArtifact,
        GenericArtifact,
        ImageArtifact,
        ImageUrlArtifact,
        InfoArtifact,
        JsonArtifact,
        ListArtifact,
        ModelArtifact,
        TextArtifact,
        to_artifact,
    )
    from agenthost_sdk.dialects import BaseDialect, Offer, Reply
    from agenthost_sdk.drivers import BasePromptDriver
    from agenthost_sdk.drivers_config import DriversConfig
    from agenthost_sdk.embeddings import BaseEmbeddingDriver
    from agenthost_sdk.errors import AgenthostError, DeniedError, DriverError, ToolError
    from agenthost_sdk.guards import BaseActionGuard
    from agenthost_sdk.hooks import hookimpl
    from agenthost_sdk.messages import DeltaMessage, Message, PromptStack, Usage
    from agenthost_sdk.tools import BaseTool
    from agenthost_sdk.validators import BaseOutputValidator, Verdict
    from agenthost_sdk.vector_stores import (
        BaseVectorStoreDriver,
        LocalVectorStoreDriver,
        VectorEntry,
    )

_HOMES = {
    "actions": (
        "ActionArtifact",
        "Annotations",
        "Example",
        "NativeNames",
        "ToolAction",
        "ToolSpec",
    ),
    "activities": ("Activity", "activity"),
    "artifacts": (
        "AudioArtifact",
        "BaseArtifact",
        "BlobArtifact",
        "BooleanArtifact",
        "ErrorArtifact",
        "GenericArtifact",
        "ImageArtifact",
        "ImageUrlArtifact",
        "InfoArtifact",
        "JsonArtifact",
        "ListArtifact",
        "ModelArtifact",
        "TextArtifact",
        "to_artifact",
    ),
    "dialects": ("BaseDialect", "Offer", "Reply"),
    "drivers": ("BasePromptDriver",),
    "drivers_config": ("DriversConfig",),
    "embeddings": ("BaseEmbeddingDriver",),
    "errors": ("AgenthostError", "DeniedError", "DriverError", "ToolError"),
    "guards": ("BaseActionGuard",),
    "hooks": ("hookimpl",),
    "messages": ("DeltaMessage", "Message", "PromptStack", "Usage"),
    "tools": ("BaseTool",),
    "validators": ("BaseOutputValidator", "Verdict"),
    "vector_stores": ("BaseVectorStoreDriver", "LocalVectorStoreDriver", "VectorEntry"),
}

_MODULES = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "ActionArtifact",
    "Activity",
    "AgenthostError",
    "Annotations",
    "AudioArtifact",
    "BaseActionGuard",
    "BaseArtifact",
    "BaseDialect",
    "BaseEmbeddingDriver",
    "BaseOutputValidator",
    "BasePromptDriver",
    "BaseTool",
    "BaseVectorStoreDriver",
    "BlobArtifact",
    "BooleanArtifact",
    "DeltaMessage",
    "DeniedError",
    "DriverError",
    "DriversConfig",
    "ErrorArtifact",
    "Example",
    "GenericArtifact",
    "ImageArtifact",
    "ImageUrlArtifact",
    "InfoArtifact",
    "JsonArtifact",
    "ListArtifact",
    "LocalVectorStoreDriver",
    "Message",
    "ModelArtifact",
    "NativeNames",
    "Offer",
    "PromptStack",
    "Reply",
    "TextArtifact",
    "ToolAction",
    "ToolError",
    "ToolSpec",
    "Usage",
    "VectorEntry",
    "Verdict",
    "activity",
    "hookimpl",
    "to_artifact",
]


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
