"""`DriversConfig`: drivers that belong together, each made on first use."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Self, TypeAlias

from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import DefinitionError, NoDriverError, nearest
from agenthost_sdk.vector_stores import BaseVectorStoreDriver, LocalVectorStoreDriver

PromptDriverSource: TypeAlias = BasePromptDriver | Callable[[], BasePromptDriver]
EmbeddingDriverSource: TypeAlias = BaseEmbeddingDriver | Callable[[], BaseEmbeddingDriver]
VectorStoreDriverSource: TypeAlias = BaseVectorStoreDriver | Callable[[], BaseVectorStoreDriver]

#: What a driver of each of the kinds that every config knows has to be.
BASES: dict[str, type] = {
    "prompt": BasePromptDriver,
    "embedding": BaseEmbeddingDriver,
    "vector_store": BaseVectorStoreDriver,
}

#: The configs whose `with` blocks this thread or task is in, the innermost last.
_ENTERED: ContextVar[tuple[DriversConfig, ...]] = ContextVar("agenthost_drivers_configs")


def entered_config() -> DriversConfig | None:
    """Return the config whose `with` block this thread or task is in, the innermost of them."""
    return next(reversed(_ENTERED.get(())), None)


class DriversConfig:
    """A set of drivers that belong together, each made on first use, and once.

    A provider's plugin subclasses it and writes `make_KIND_driver` for what it has: the kinds
    are `prompt`, `embedding`, `vector_store`, and whatever else a subclass makes, which
    `driver(kind)` returns. A whole config:

        from agenthost_sdk import BasePromptDriver, DriversConfig
        from agenthost_sdk.testing import ScriptedDriver

        class PoliteDriversConfig(DriversConfig):
            '''A model that says hello, and a painter.'''

            def make_prompt_driver(self) -> BasePromptDriver:
                return ScriptedDriver(["Hello!"], repeat=True)

            def make_image_driver(self) -> str:
                return "a painter"

    Where it is used, single drivers can be others. Each is given as a driver, or as a function
    that makes one:

        config = PoliteDriversConfig(embedding_driver=LocalEmbeddingDriver)
        config = PoliteDriversConfig() | VectorsDriversConfig()  # what the second has wins

    In a `with` block it is the one that `agenthost.Defaults` gives, for this thread or task and
    the tasks that are started in it; not for others that run at the time, nor for threads of
    one's own, unless they are run in a copy of the context. One config serves many threads, also
    such blocks of several threads.

    Args:
        prompt_driver: Takes the place of the one that the class makes; the others likewise.
        embedding_driver: Turns texts into vectors.
        vector_store_driver: Keeps vectors; by default in memory.
        others: Drivers of further kinds, such as `image_driver`.

    Raises:
        DefinitionError: A driver of the wrong kind, or a name that cannot be one of a driver.
    """

    _lock: threading.RLock
    _sources: dict[str, Callable[[], Any]]
    _drivers: dict[str, Any]

    # Not in __init__, so that a subclass with one of its own need not call this class's.
    def __new__(cls, *_: object, **__: object) -> Self:
        """Return a config that holds nothing yet."""
        config = super().__new__(cls)
        config._lock = threading.RLock()
        config._sources, config._drivers = {}, {}
        return config

    def __init__(
        self,
        *,
        prompt_driver: PromptDriverSource | None = None,
        embedding_driver: EmbeddingDriverSource | None = None,
        vector_store_driver: VectorStoreDriverSource | None = None,
        **others: Any,  # what a driver of another kind is, only its users know
    ) -> None:
        known = {
            "prompt_driver": prompt_driver,
            "embedding_driver": embedding_driver,
            "vector_store_driver": vector_store_driver,
        }
        for name, driver in (known | others).items():
            if driver is not None:
                self.set_driver(self._kind(name), driver)

    @property
    def prompt_driver(self) -> BasePromptDriver:
        """The driver of the language model."""
        driver: BasePromptDriver = self.driver("prompt")
        return driver

    @prompt_driver.setter
    def prompt_driver(self, driver: BasePromptDriver) -> None:
        self.set_driver("prompt", driver)

    @property
    def embedding_driver(self) -> BaseEmbeddingDriver:
        """The driver that turns texts into vectors."""
        driver: BaseEmbeddingDriver = self.driver("embedding")
        return driver

    @embedding_driver.setter
    def embedding_driver(self, driver: BaseEmbeddingDriver) -> None:
        self.set_driver("embedding", driver)

    @property
    def vector_store_driver(self) -> BaseVectorStoreDriver:
        """The driver that keeps vectors."""
        driver: BaseVectorStoreDriver = self.driver("vector_store")
        return driver

    @vector_store_driver.setter
    def vector_store_driver(self, driver: BaseVectorStoreDriver) -> None:
        self.set_driver("vector_store", driver)

    def make_prompt_driver(self) -> BasePromptDriver:
        """Make the prompt driver; a provider that has one writes this."""
        raise self._lacking("prompt")

    def make_embedding_driver(self) -> BaseEmbeddingDriver:
        """Make the embedding driver; a provider that has one writes this."""
        raise self._lacking("embedding")

    def make_vector_store_driver(self) -> BaseVectorStoreDriver:
        """Make the vector store: one in memory, unless a provider writes this."""
        return LocalVectorStoreDriver()

    def driver(self, kind: str) -> Any:  # what a driver of a further kind is, only its users know
        """Return the driver of a kind, such as "prompt" or "image"; make it when first asked.

        Raises:
            NoDriverError: This config has none of that kind.
            DefinitionError: What was made is no driver of that kind.
        """
        with self._lock:
            if kind not in self._drivers:
                self._drivers[kind] = self._checked(kind, self._made(kind))
            return self._drivers[kind]

    def set_driver(self, kind: str, driver: Any) -> None:
        """Set the driver of a kind: a driver, or a function that makes one.

        Raises:
            DefinitionError: It is neither.
        """
        base = BASES.get(kind)
        makes = callable(driver) and not (base and isinstance(driver, base))
        made = {} if makes else {kind: self._checked(kind, driver)}
        with self._lock:
            self._drivers.pop(kind, None)
            self._sources[kind] = driver if makes else lambda: driver
            self._drivers |= made

    @classmethod
    def made_kinds(cls) -> tuple[str, ...]:
        """Return the kinds of which this class makes a driver itself.

        The vector store in memory, which every config has, does not count.
        """
        base = DriversConfig
        return tuple(kind for kind in _kinds(cls) if _maker(cls, kind) != _maker(base, kind))

    def merged(self, other: DriversConfig) -> DriversConfig:
        """Return a config with the drivers of both; what the other sets or makes itself wins.

        The three share their drivers: each is made once, by the config that has it.
        """
        return _MergedDriversConfig(self, other)

    def __or__(self, other: DriversConfig) -> DriversConfig:
        return self.merged(other) if isinstance(other, DriversConfig) else NotImplemented

    def __enter__(self) -> Self:
        _ENTERED.set((*_ENTERED.get(()), self))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Its own last entry, which need not be the innermost: generators leave blocks crosswise.
        entered = _ENTERED.get(())
        for place in reversed(range(len(entered))):
            if entered[place] is self:
                _ENTERED.set((*entered[:place], *entered[place + 1 :]))
                return

    def __repr__(self) -> str:
        return f"<{self._title}: {', '.join(self._own_kinds()) or 'no drivers of its own'}>"

    @property
    def _title(self) -> str:
        return type(self).__name__

    def _own_kinds(self) -> tuple[str, ...]:
        """Return the kinds that this config sets, or makes itself."""
        return tuple(dict.fromkeys((*self.made_kinds(), *self._sources)))

    def _made(self, kind: str) -> Any:
        make = self._sources.get(kind) or getattr(self, f"make_{kind}_driver", None)
        if make is None:
            raise self._lacking(kind)
        return make()

    def _checked(self, kind: str, driver: Any) -> Any:
        base = BASES.get(kind, object)
        if driver is None or not isinstance(driver, base):
            needed = base.__name__ if kind in BASES else f"{kind} driver"
            raise DefinitionError(
                f"The {_words(kind)} driver of {self._title} is {driver!r:.60}; it must be a"
                f" {needed}, or a function that makes one."
            )
        return driver

    def _kind(self, name: str) -> str:
        """Return the kind that an argument such as `image_driver` sets."""
        kind, known = name.removesuffix("_driver"), list(_kinds(type(self)))
        is_driver = re.fullmatch(r"\w+_driver", name) is not None
        near = [] if is_driver and kind in known else nearest(kind, known, most=1)
        if near or not is_driver:
            meant = f" Did you mean '{near[0]}_driver'?" if near else ""
            raise DefinitionError(
                f"{self._title} takes no {name!r}.{meant} It takes"
                f" {', '.join(f'{one}_driver' for one in known)}, and further kinds by a name that"
                " ends in _driver."
            )
        return kind

    def _lacking(self, kind: str) -> NoDriverError:
        return NoDriverError(
            f"{self._title} has no {_words(kind)} driver. Give it one, {kind}_driver=…, or merge"
            f" it with a config that has one: config | other. A subclass makes it in"
            f" make_{kind}_driver."
        )


class _MergedDriversConfig(DriversConfig):
    """Two configs as one."""

    def __init__(self, first: DriversConfig, second: DriversConfig) -> None:
        self._parts = (first, second)

    @property
    def _title(self) -> str:
        return " | ".join(part._title for part in self._parts)

    def _own_kinds(self) -> tuple[str, ...]:
        first, second = (part._own_kinds() for part in self._parts)
        return tuple(dict.fromkeys((*first, *second, *self._sources)))

    def _made(self, kind: str) -> Any:
        if kind in self._sources:
            return self._sources[kind]()
        first, second = self._parts
        if kind not in self._own_kinds() and kind != "vector_store":
            raise self._lacking(kind)
        return (second if kind in second._own_kinds() else first).driver(kind)


def _kinds(config: type[DriversConfig]) -> Iterator[str]:
    """Yield the kinds that a class has a method for, those that every config knows first."""
    yield from BASES
    found = (re.fullmatch(r"make_(\w+)_driver", name) for name in dir(config))
    yield from (match[1] for match in found if match and match[1] not in BASES)


def _maker(config: type[DriversConfig], kind: str) -> Any:
    return getattr(config, f"make_{kind}_driver", None)


def _words(kind: str) -> str:
    return kind.replace("_", " ")
