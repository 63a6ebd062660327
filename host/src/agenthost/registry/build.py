"""Ask every installed plugin what it contributes; runs in a child process of its own.

Each plugin is asked in a fork (elsewhere in an interpreter) of its own, so that one that hangs,
crashes, patches or prints does so alone.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
import time
from collections.abc import Mapping
from typing import Any

from agenthost.registry.conflicts import without_conflicts
from agenthost.registry.describing import (
    Options,
    describe_dialects,
    describe_drivers,
    describe_drivers_configs,
    describe_embeddings,
    describe_tools,
    describe_validators,
)
from agenthost.registry.discovery import FoundPlugin, find_plugins, sources_of
from agenthost.registry.entries import HOST, Fault, PluginRecord
from agenthost.registry.isolation import (
    CAN_FORK,
    Outcome,
    Tell,
    answer,
    encode,
    in_fork,
    in_interpreter,
)
from agenthost.registry.loading import LoadedPlugin
from agenthost.registry.rebuild import START
from agenthost.registry.stamps import stamps
from agenthost_sdk.activities import activity
from agenthost_sdk.tools import BaseTool


def main(request: Mapping[str, Any]) -> None:
    """Write the records of all plugins, and the files to watch, to the standard output."""
    _say_where_it_is_stuck(request["timeout"] + 10)
    out = os.dup(1)
    os.dup2(2, 1)
    with os.fdopen(out, "w", encoding="ascii") as output:
        output.write(encode(_built(request)))


def _say_where_it_is_stuck(seconds: float) -> None:
    """End this process, should it not keep its own time limit, with a traceback on stderr."""
    if CAN_FORK:
        faulthandler.register(signal.SIGALRM, chain=True)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def answer_one(request: Mapping[str, Any]) -> None:
    """Ask one plugin, and write its record to the standard output."""
    found = FoundPlugin(**request["plugin"])
    answer(lambda tell: _asked(found, _options(request), tell).to_json())


def _built(request: Mapping[str, Any]) -> dict[str, Any]:
    found = find_plugins()
    watched = _watched(found)
    _import_what_tools_need()
    deadline = time.monotonic() + request["timeout"]
    records = [_record(plugin, request, deadline) for plugin in found]
    settled = without_conflicts(records)
    return {"watched": watched, "plugins": [record.to_json() for record in settled]}


def _import_what_tools_need() -> None:
    """Make a schema once, so that not every fork imports on its own what that takes."""
    # Plugins of pydantic change no schema, and looking for them fails where some distribution's
    # metadata is damaged.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

    class Sample(BaseTool):
        """Take something."""

        @activity
        def thing(self, size: int, name: str = "") -> str:
            """Take it.

            Args:
                size: How large it is.
                name: What it is called.
            """
            return name * size

    with contextlib.suppress(Exception):  # what fails here fails for each tool, and is told there
        Sample().specs()


def _watched(found: list[FoundPlugin]) -> dict[str, Any]:
    """Return the stamps of what decides the catalog's contents; taken before it is read."""
    paths = {plugin.metadata for plugin in found if plugin.metadata}
    for plugin in found:
        paths.update(sources_of(plugin.value, plugin.editable))
    if any(plugin.editable and plugin.distribution == HOST for plugin in found):
        paths.update(sources_of("agenthost_sdk", editable=True))
    return stamps(sorted(paths))


def _record(plugin: FoundPlugin, request: Mapping[str, Any], deadline: float) -> PluginRecord:
    if _is_disabled(plugin, request):
        return _bare(plugin)._replace(disabled=True)
    left = deadline - time.monotonic()
    if left <= 0:
        return _bare(plugin).with_faults(_not_reached(request["timeout"]))
    seconds = min(left, request["plugin_timeout"])
    return _judged(plugin, _outcome(plugin, request, seconds))


def _is_disabled(plugin: FoundPlugin, request: Mapping[str, Any]) -> bool:
    names = {plugin.name, plugin.distribution}
    only = request["only"]
    if plugin.distribution == HOST:
        return False
    return bool(names.intersection(request["disabled"])) or (
        only is not None and not names.intersection(only)
    )


def _bare(plugin: FoundPlugin) -> PluginRecord:
    return PluginRecord(plugin.name, plugin.distribution, plugin.version, plugin.value)


def _outcome(plugin: FoundPlugin, request: Mapping[str, Any], seconds: float) -> Outcome:
    if CAN_FORK:
        return in_fork(lambda tell: _asked(plugin, _options(request), tell).to_json(), seconds)
    single = {**request, "plugin": plugin._asdict()}
    command = [sys.executable, "-P", "-c", f"{START}build.answer_one(request)"]
    return in_interpreter(command, single, seconds)


def _options(request: Mapping[str, Any]) -> Options:
    return Options(request["options"], request["settings_file"])


def _asked(plugin: FoundPlugin, options: Options, tell: Tell) -> PluginRecord:
    loaded = LoadedPlugin(plugin.name, plugin.value, tell, quiet=False)
    record = _bare(plugin)._replace(
        hooks=loaded.hooks,
        seconds=loaded.seconds,
        tools=describe_tools(loaded, options),
        drivers=describe_drivers(loaded),
        validators=describe_validators(loaded),
        dialects=describe_dialects(loaded),
        embeddings=describe_embeddings(loaded),
        drivers_configs=describe_drivers_configs(loaded),
    )
    return record.with_faults(*loaded.faults)


def _judged(plugin: FoundPlugin, outcome: Outcome) -> PluginRecord:
    if outcome.result is not None:
        record = PluginRecord.from_json(outcome.result)
    else:
        doing = "its import" if outcome.phase in ("", "import") else outcome.phase
        text = f"{doing} {outcome.ending}."
        record = _bare(plugin).with_faults(Fault("failed", f"{text} {_advice(plugin)}"))
    if outcome.printed.strip():
        record = record.with_faults(_noisy(outcome.printed))
    return record


def _advice(plugin: FoundPlugin) -> str:
    return f"Turn the plugin off: `agenthost plugins disable {plugin.name}`."


def _noisy(printed: str) -> Fault:
    shown = " ".join(printed.split())
    return Fault(
        "note",
        f"it prints while it is loaded ({shown[:60]!r}); this was kept out of the output. Its"
        " author should remove the print.",
    )


def _not_reached(seconds: float) -> Fault:
    return Fault(
        "failed",
        f"it was not asked, since the others took all of the {seconds:g} seconds. Raise the"
        " setting catalog.timeout, or turn off a slow one (`agenthost plugins list --timing`).",
    )
