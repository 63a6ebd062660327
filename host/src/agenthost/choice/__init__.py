"""Choose the drivers: the ones that are named, or the best that can be used."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from agenthost.choice.making import (
    key_name,
    key_of,
    make_embedding_driver,
    make_prompt_driver,
    read_name,
)
from agenthost.registry.plugins import Registry
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import NoDriverError, PluginError

__all__ = ["Choice", "choose_driver", "embedding_driver"]

Driver = TypeVar("Driver")

#: The plugin whose driver needs no key.
_KEYLESS = "agenthost-plugin-local"

#: Where an embedding driver stands whose provider has no prompt driver, as those of no rank do.
_RANK = 100

_log = logging.getLogger("agenthost")


class Choice(NamedTuple, Generic[Driver]):
    """A driver, and why it is the one."""

    #: As it is named, in `-m NAME:MODEL` or in the settings.
    name: str
    driver: Driver
    #: Why it runs, in a few words; "" where the caller named it.
    reason: str = ""
    #: A line for each driver that goes before it, and that its broken plugin keeps from running.
    passed_over: tuple[str, ...] = ()

    def logged(self) -> Driver:
        """Return the driver, and log which ones were passed over."""
        for line in self.passed_over:
            _log.warning("%s", line)
        return self.driver


def choose_driver(
    registry: Registry, named: str | None = None, **given: Any
) -> Choice[BasePromptDriver]:
    """Return the prompt driver that was named, or else the best that can be used.

    Without a name it is the one that the settings name; else, of those whose key is set, the one
    of lowest rank; else, of those that need no key, the one of lowest rank. One whose plugin is
    broken is passed over, unless it was named.

    Args:
        registry: What the plugins contribute, and the settings.
        named: "DRIVER" or "DRIVER:MODEL", with the name of a plugin's driver, or of a server
            that has a table in the settings.
        given: Fields of the driver, before those of the settings.

    Raises:
        NotFoundError: No driver has that name.
        NoDriverError: Nothing was named, and nothing can be used.
        PluginError: The plugin of what was named fails, or that of each that was not.
        SettingsError: The name is empty, or the settings give the driver a field that it does
            not have.
        OptionError: A given field is none of the driver's.
    """
    model = registry.settings.model
    if wanted := named or model:
        where = registry.settings.sources.get("model", "the settings")
        driver = make_prompt_driver(registry, wanted, given)
        name = read_name(registry.settings, wanted).name
        return Choice(name, driver, "" if named else f"set as model in {where}")
    return _best_driver(registry, given)


def embedding_driver(registry: Registry, named: str | None = None) -> BaseEmbeddingDriver:
    """Return the embedding driver that was named, or else the best that can be used.

    Without a name it is that of the provider whose model the settings name; else, of those whose
    key is set, the one whose prompt driver has the lowest rank; else one that needs no key.

    Args:
        registry: What the plugins contribute, and the settings.
        named: "DRIVER" or "DRIVER:MODEL".

    Raises:
        NotFoundError: No embedding driver has that name.
        NoDriverError: Nothing was named, and nothing can be used.
        PluginError: The plugin of what was named fails, or that of each that was not.
    """
    if named:
        return make_embedding_driver(registry, named)
    ranks = {row.name: row.rank for row in registry.drivers()}
    rows = [row for row, _ in registry.catalog.embeddings.values()]
    rows.sort(key=lambda row: (ranks.get(row.name, _RANK), row.name))
    candidates = _candidates(registry, [(row.name, row.key_env) for row in rows])
    # Where the model's own provider embeds, it does, also without a key.
    model = (registry.settings.model or "").partition(":")[0]
    ordered = sorted(candidates, key=lambda candidate: candidate.name != model)
    found = _first_that_works(ordered, lambda name: make_embedding_driver(registry, name))
    if found is None:
        raise NoDriverError(
            "There is no embedding driver to use. Install a plugin that has one, such as"
            f" {_KEYLESS}, which needs no key, or set the key of one that is installed."
        )
    return found.logged()


def _best_driver(registry: Registry, given: Mapping[str, Any]) -> Choice[BasePromptDriver]:
    rows = sorted(registry.drivers(), key=lambda row: (row.rank, row.name))
    candidates = _candidates(registry, [(row.name, row.key_env) for row in rows])
    found = _first_that_works(candidates, lambda name: make_prompt_driver(registry, name, given))
    if found is None:
        raise NoDriverError(_nothing_to_run_on(registry))
    return found


class _Candidate(NamedTuple):
    """A driver that can run, unless its plugin is broken."""

    name: str
    #: The variable of its key, which is set; "" for one that needs none.
    key: str


def _candidates(
    registry: Registry, drivers: Iterable[tuple[str, str | None]]
) -> Iterator[_Candidate]:
    """Yield those whose key is set, then those that need none, in the order that is given."""
    settings, keyless = registry.settings, []
    for name, key_env in drivers:
        key = key_name(settings, name, key_env)
        if not key:
            keyless.append(_Candidate(name, ""))
        elif read_name(settings, name).table.get("api_key") or key_of(settings, key):
            yield _Candidate(name, key)
    yield from keyless


def _first_that_works(
    candidates: Iterable[_Candidate], make: Callable[[str], Driver]
) -> Choice[Driver] | None:
    """Return the first driver that can be made; None where there are no candidates."""
    passed_over: list[str] = []
    has_key = False
    for name, key in candidates:
        has_key = has_key or bool(key)
        try:
            driver = make(name)
        except PluginError as error:
            passed_over.append(f"The driver {name!r} is passed over. {error}")
            continue
        no_key = "no other can be used" if has_key else "no key is set"
        return Choice(name, driver, f"{key} is set" if key else no_key, tuple(passed_over))
    if passed_over:
        raise PluginError(" ".join(passed_over))
    return None


def _nothing_to_run_on(registry: Registry) -> str:
    """Return what a person reads when there is nothing to run on."""
    name = _KEYLESS.rpartition("-")[2]
    off = registry.off_hint(name)
    is_there = any(plugin.distribution == _KEYLESS for plugin in registry.catalog.plugins)
    install = (
        "" if is_there else f"Install one that needs no key: `agenthost plugins install {name}`."
    )
    key = (
        f"{'Or set' if off or install else 'Set'} the key of a provider whose plugin is installed,"
        " such as OPENAI_API_KEY with agenthost-plugin-openai: `agenthost keys set"
        " OPENAI_API_KEY`."
    )
    return " ".join(part for part in ("There is no model to run on.", off, install, key) if part)
