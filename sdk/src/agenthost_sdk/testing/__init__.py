"""The kit for testing plugins: drivers that follow a script or misbehave, and conformance classes.

    from agenthost_sdk.testing import PluginConformance, ScriptedDriver, ToolConformance

    class TestInventory(ToolConformance):
        tool = Inventory

    class TestPlugin(PluginConformance):
        plugin = "inventory"

The classes are for pytest to collect; the driver serves any program. Nothing here needs a host,
and names are loaded when they are first read.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agenthost_sdk.testing.conformance import (
        ActionGuardConformance,
        ConformanceWarning,
        DialectConformance,
        DriverConformance,
        DriversConfigConformance,
        EmbeddingDriverConformance,
        OutputValidatorConformance,
        PluginConformance,
        ToolConformance,
        VectorStoreDriverConformance,
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
    from agenthost_sdk.testing.whole import conformance_of

_HOMES = {
    "ActionGuardConformance": "conformance",
    "ConformanceWarning": "conformance",
    "DialectConformance": "conformance",
    "DriverConformance": "conformance",
    "DriversConfigConformance": "conformance",
    "EmbeddingDriverConformance": "conformance",
    "MisbehavingDriver": "misbehaving",
    "OutputValidatorConformance": "conformance",
    "PluginConformance": "conformance",
    "ScriptEndedError": "drivers",
    "ScriptedCall": "drivers",
    "ScriptedDriver": "drivers",
    "ScriptedReply": "drivers",
    "ToolConformance": "conformance",
    "VectorStoreDriverConformance": "conformance",
    "WordsEmbeddingDriver": "embeddings",
    "calls": "drivers",
    "conformance_of": "whole",
}

__all__ = [
    "ActionGuardConformance",
    "ConformanceWarning",
    "DialectConformance",
    "DriverConformance",
    "DriversConfigConformance",
    "EmbeddingDriverConformance",
    "MisbehavingDriver",
    "OutputValidatorConformance",
    "PluginConformance",
    "ScriptEndedError",
    "ScriptedCall",
    "ScriptedDriver",
    "ScriptedReply",
    "ToolConformance",
    "VectorStoreDriverConformance",
    "WordsEmbeddingDriver",
    "calls",
    "conformance_of",
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
