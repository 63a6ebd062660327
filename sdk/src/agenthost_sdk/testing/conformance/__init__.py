"""Classes of tests that the author of a plugin subclasses: one line names what is tested.

    from agenthost_sdk.testing import ToolConformance

    class TestInventory(ToolConformance):
        tool = Inventory

pytest collects the subclass like any class of tests. The docstring of each test says what to do
when it fails.
"""

from __future__ import annotations

from agenthost_sdk.testing.conformance.dialects import DialectConformance
from agenthost_sdk.testing.conformance.drivers import DriverConformance
from agenthost_sdk.testing.conformance.drivers_configs import DriversConfigConformance
from agenthost_sdk.testing.conformance.embeddings import EmbeddingDriverConformance
from agenthost_sdk.testing.conformance.faults import ConformanceWarning
from agenthost_sdk.testing.conformance.guards import ActionGuardConformance
from agenthost_sdk.testing.conformance.plugins import PluginConformance
from agenthost_sdk.testing.conformance.tools import ToolConformance
from agenthost_sdk.testing.conformance.validators import OutputValidatorConformance
from agenthost_sdk.testing.conformance.vector_stores import VectorStoreDriverConformance

__all__ = [
    "ActionGuardConformance",
    "ConformanceWarning",
    "DialectConformance",
    "DriverConformance",
    "DriversConfigConformance",
    "EmbeddingDriverConformance",
    "OutputValidatorConformance",
    "PluginConformance",
    "ToolConformance",
    "VectorStoreDriverConformance",
]
