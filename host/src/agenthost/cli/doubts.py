"""Say of a setting that was just made why it may not do what was meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agenthost.cli.session import Session
from agenthost.registry.catalog import Catalog
from agenthost.registry.selection import off_hint
from agenthost.settings import SETTINGS
from agenthost_sdk.errors import AgenthostError, NotFoundError


def doubts(session: Session, key: str) -> Iterator[str]:
    """Yield a line for each thing that the setting names and nothing bears, and so on."""
    try:
        settings, catalog = session.settings, session.registry.catalog
    except AgenthostError as error:
        yield str(error)
        return
    for setting in SETTINGS:
        if setting.key == key and settings.sources.get(key) == setting.variable:
            yield f"{setting.variable} is set, and goes before the settings file."
    for kind, name, known in _named(session, catalog, key):
        if name not in known:
            yield str(NotFoundError(kind, name, known, off_hint(catalog, settings, name)))
    if key.startswith("tools."):
        yield from filter(None, [catalog.stopped_by_setting(key.split(".")[1])])


def _named(
    session: Session, catalog: Catalog, key: str
) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield what a setting names: its kind, the name, and the names that there are."""
    settings = session.settings
    table, _, rest = key.partition(".")
    keys = {owned.tool.key for owned in catalog.tools}
    match table, rest:
        case "model", "":
            known = {*catalog.drivers, *settings.servers}
            yield "driver", (settings.model or "").partition(":")[0], known
        case "dialect", "":
            yield "dialect", settings.dialect or "", catalog.dialects
        case "tools", "disabled":
            natives = {one.native for owned in catalog.tools for one in owned.tool.activities}
            known = keys | natives | {owned.tool.name for owned in catalog.tools}
            yield from (("tool", name, known) for name in settings.disabled_tools)
        case "plugins", "disabled" | "only":
            known = {word for one in catalog.plugins for word in (one.name, one.distribution)}
            named = settings.disabled_plugins if rest == "disabled" else settings.only_plugins
            yield from (("plugin", name, known) for name in named or ())
        case "drivers", _:
            name = rest.partition(".")[0]
            yield "driver", settings.servers.get(name, name), catalog.drivers
        case "tools", _:
            stopped = {fault.tool for one in catalog.plugins for fault in one.faults}
            yield "tool", rest.partition(".")[0], keys | stopped
