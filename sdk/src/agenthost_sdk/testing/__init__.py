"""The kit for testing plugins: drivers that follow a script or misbehave, and conformance classes.

    from agenthost_sdk.testing import ScriptedDriver, ToolConformance

    class TestInventory(ToolConformance):
        tool = Inventory

The classes are for pytest to collect; the driver serves any program. Nothing here needs a host,
and names are loaded when they are first read.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agenthost_sdk.testing.conformance import (
        DialectConformance,
        DriverConformance,
        EmbeddingDriverConformance,
        OutputValidatorConformance,
        ToolConformance,
    )
    from agenthost_sdk.testing.drivers import (
        ScriptedCall,
        ScriptedDriver,
        ScriptedReply,
        ScriptEndedError,
        calls,
    )
    from agenthost_sdk.testing.embeddings import WordsEmbeddingDriver
    from agenthost_sdk.testing.misbehaving import MisbehavingDriver

_HOMES = {
    "DialectConformance": "conformance",
    "DriverConformance": "conformance",
    "EmbeddingDriverConformance": "conformance",
    "MisbehavingDriver": "misbehaving",
    "OutputValidatorConformance": "conformance",
    "ScriptEndedError": "drivers",
    "ScriptedCall": "drivers",
    "ScriptedDriver": "drivers",
    "ScriptedReply": "drivers",
    "ToolConformance": "conformance",
    "WordsEmbeddingDriver": "embeddings",
    "calls": "drivers",
}

__all__ = [
    "DialectConformance",
    "DriverConformance",
    "EmbeddingDriverConformance",
    "MisbehavingDriver",
    "OutputValidatorConformance",
    "ScriptEndedError",
    "ScriptedCall",
    "ScriptedDriver",
    "ScriptedReply",
    "ToolConformance",
    "WordsEmbeddingDriver",
    "calls",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
