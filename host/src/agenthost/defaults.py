"""`Defaults`: what a task uses where it is told nothing."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from agenthost.choice import choose_driver, embedding_driver
from agenthost.keys import use_key_store
from agenthost.registry.plugins import Registry
from agenthost.settings import Settings
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig, entered_config
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import DefinitionError, how_to_make

use_key_store()


class InstalledDriversConfig(DriversConfig):
    """The drivers of the installed plugins, chosen by settings and by the keys that are set."""

    def make_prompt_driver(self) -> BasePromptDriver:
        """Make the driver that settings name, or else the best that can be used."""
        return choose_driver(self._registry).logged()

    def make_embedding_driver(self) -> BaseEmbeddingDriver:
        """Make the embedding driver of the same provider, or else the best that can be used."""
        return embedding_driver(self._registry)

    @cached_property
    def _registry(self) -> Registry:
        return Registry(Settings.load())


class _Defaults:
    """Holds the drivers that tasks use where they are given none.

    Defaults.drivers_config = OpenAiDriversConfig()
    del Defaults.drivers_config  # the installed ones again
    """

    def __init__(self) -> None:
        self._drivers_config: DriversConfig = InstalledDriversConfig()

    @property
    def drivers_config(self) -> DriversConfig:
        """The config whose `with` block this thread or task is in, the innermost of them; outside
        of any the one that was set for the process; else the installed drivers.

        Raises:
            DefinitionError: What it is set to is no `DriversConfig`.
        """
        entered = entered_config()
        return self._drivers_config if entered is None else entered

    @drivers_config.setter
    def drivers_config(self, config: DriversConfig) -> None:
        given: Any = config
        if not isinstance(given, DriversConfig):
            raise DefinitionError(
                f"Defaults.drivers_config is set to {given!r:.60}; it must be a DriversConfig."
                f"{how_to_make(given)}"
            )
        self._drivers_config = given

    @drivers_config.deleter
    def drivers_config(self) -> None:
        """Go back to the installed drivers."""
        self._drivers_config = InstalledDriversConfig()


#: One for the process.
Defaults = _Defaults()
