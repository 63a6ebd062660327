"""What the host expects of a prompt driver."""

from __future__ import annotations

from typing import ClassVar

from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.testing.conformance.any_driver import AnyDriverConformance
from agenthost_sdk.testing.conformance.faults import none_of


class DriverConformance(AnyDriverConformance[BasePromptDriver]):
    """Hold a prompt driver against what the host expects of one; no model is asked."""

    driver: ClassVar[type[BasePromptDriver]]

    def test_the_switches_are_fields(self) -> None:
        """If it fails: decorate the class with `@dataclass(kw_only=True, eq=False)`, and write
        no `__init__` that drops what the base class takes.
        """
        asked = {
            "stream": True,
            "use_native_tools": True,
            "structured_output_strategy": "tool",
            "temperature": 0.5,
            "max_tokens": 7,
            "extra_params": {"seed": 1},
        }

        driver = self.make_driver(**asked)

        none_of(
            f"{name} is {getattr(driver, name, None)!r}; it was given {value!r}."
            for name, value in asked.items()
            if getattr(driver, name, None) != value
        )
