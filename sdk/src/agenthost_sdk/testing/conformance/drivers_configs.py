"""What the host expects of a drivers config."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import ClassVar

from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.errors import AgenthostError
from agenthost_sdk.testing.conformance.declared import declared
from agenthost_sdk.testing.conformance.faults import none_of


class DriversConfigConformance:
    """Hold a drivers config against what the host expects of one; no provider is asked."""

    config: ClassVar[type[DriversConfig]]

    def make_config(self) -> DriversConfig:
        """Return the config to be tested; called for each test."""
        made: DriversConfig = declared(self, "config")()
        return made

    def test_the_config_is_described(self) -> None:
        """If it fails: write a docstring that says whose drivers these are."""
        made = type(self.make_config())

        assert vars(made).get("__doc__"), f"{made.__name__} has no docstring."

    def test_it_makes_a_driver(self) -> None:
        """If it fails: write `make_prompt_driver`, or another `make_KIND_driver`."""
        made = type(self.make_config())

        assert made.made_kinds(), f"{made.__name__} makes no driver."

    def test_each_driver_can_be_made(self) -> None:
        """If it fails: `make_KIND_driver` returns a driver of that kind, takes no argument, and
        needs neither key nor network; the driver looks for these on first use.
        """
        none_of(_making_faults(self.make_config()))

    def test_each_driver_is_made_once(self) -> None:
        """If it fails: leave `driver` and the properties as they are; write `make_KIND_driver`."""
        config = self.make_config()

        none_of(
            f"The {kind} driver is another one each time."
            for kind in config.made_kinds()
            if config.driver(kind) is not config.driver(kind)
        )

    def test_a_given_driver_takes_the_place_of_its_own(self) -> None:
        """If it fails: an `__init__` of your own calls `super().__init__(**drivers)` with the
        drivers that it is given.
        """
        config = self.make_config()
        kinds = [kind for kind in config.made_kinds() if _takes(type(config), kind)]

        none_of(
            f"{kind}_driver=… is not the driver that it has then."
            for kind in kinds
            if type(config)(**{f"{kind}_driver": config.driver(kind)}).driver(kind)
            is not config.driver(kind)
        )


def _making_faults(config: DriversConfig) -> Iterator[str]:
    for kind in config.made_kinds():
        try:
            config.driver(kind)
        except AgenthostError as error:
            yield str(error)
        except Exception as error:  # whatever it is, it is the fault that is looked for
            yield f"The {kind} driver cannot be made: {type(error).__name__}: {error}"


def _takes(config: type[DriversConfig], kind: str) -> bool:
    """Return whether a class takes a driver by keyword; one that takes none may do so."""
    parameters = inspect.signature(config).parameters
    takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    return takes_all or f"{kind}_driver" in parameters
