"""The kit for testing plugins: a scripted driver, and conformance classes to subclass.

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

_HOMES = {
    "DialectConformance": "conformance",
    "DriverConformance": "conformance",
    "OutputValidatorConformance": "conformance",
    "ScriptEndedError": "drivers",
    "ScriptedCall": "drivers",
    "ScriptedDriver": "drivers",
    "ScriptedReply": "drivers",
    "ToolConformance": "conformance",
    "calls": "drivers",
}

__all__ = [
    "DialectConformance",
    "DriverConformance",
    "OutputValidatorConformance",
    "ScriptEndedError",
    "ScriptedCall",
    "ScriptedDriver",
    "ScriptedReply",
    "ToolConformance",
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
