"""`Defaults`: what a task uses where it is told nothing."""

from __future__ import annotations

from agenthost.choice import chosen_driver
from agenthost.registry.plugins import Registry
from agenthost.settings import Settings
from agenthost_sdk.drivers import BasePromptDriver, DriversConfig


class InstalledDriversConfig(DriversConfig):
    """The drivers of the installed plugins, chosen by settings and by the keys that are set."""

    def make_prompt_driver(self) -> BasePromptDriver:
        """Make the driver that settings name, or else the best that can be used."""
        settings = Settings.load()
        return chosen_driver(Registry(settings), settings.model)


class _Defaults:
    """Holds the drivers that tasks use where they are given none.

    Defaults.drivers_config = OpenAiDriversConfig()
    """

    def __init__(self) -> None:
        self.drivers_config: DriversConfig = InstalledDriversConfig()


#: One for the process.
Defaults = _Defaults()
