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

from agenthost.registry.answers import Answer, Answers, relevant
from agenthost.registry.conflicts import without_conflicts
from agenthost.registry.describing import (
    describe_commands,
    describe_dialects,
    describe_drivers,
    describe_drivers_configs,
    describe_embeddings,
    describe_executors,
    describe_guards,
    describe_options,
    describe_tools,
    describe_validators,
    event_listeners,
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
from agenthost.registry.making import Options, tool_makers, watched_files
from agenthost.registry.rebuild import START
from agenthost.registry.side_effects import Process, side_effects
from agenthost.registry.stamps import Stamp, seen, settled, stamps
from agenthost.registry.versions import misfit
from agenthost_sdk.activities import activity
from agenthost_sdk.tools import BaseTool

#: What an installer writes anew, in a folder that it makes anew, which the catalog sees by the
#: folder it lies in; so the answer of a plugin hangs on these, and not each start of a command.
_INSTALLED = ("METADATA", "RECORD")


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
    ours = _stamps_of_ours(found)
    answers = Answers(request["answers"], [request["answers_key"], ours])
    asking = _Asking(request, answers)
    given = [asking.answer(plugin) for plugin in found]
    answers.keep(answer for answer in given if not answer.record.disabled)
    records = [answer.record for answer in given]
    settled = without_conflicts(records, request["choices"])
    watched = {
        path: stamp
        for answer in given
        for path, stamp in answer.stamps.items()
        if not _is_written_by_installers(path)
    }
    return {"watched": {**ours, **watched}, "plugins": [record.to_json() for record in settled]}


class _Asking:
    """Asks one plugin after the other, those whose answer is known aside.

    Args:
        request: What is asked.
        answers: What is known.
    """

    def __init__(self, request: Mapping[str, Any], answers: Answers) -> None:
        self._request = request
        self._answers = answers
        self._deadline = time.monotonic() + request["timeout"]
        self._is_ready = False

    def answer(self, plugin: FoundPlugin) -> Answer:
        """Return what a plugin contributes, and the files that decide it."""
        bare = _bare(plugin)
        if _is_disabled(plugin, self._request):
            return Answer(bare._replace(disabled=True), stamps(_deciding(plugin)), {})
        known = None if self._request["refresh"] else self._answers.find(bare, self._request)
        if known is not None:
            return known
        before = seen(_deciding(plugin))  # what changes while it is asked is seen the next time
        record = self._record(plugin)
        stamped = {**settled(before), **stamps(record.watched)}
        return Answer(record, stamped, relevant(record, self._request))

    def _record(self, plugin: FoundPlugin) -> PluginRecord:
        is_forced = not {plugin.name, plugin.distribution}.isdisjoint(self._request["forced"])
        unfit = "" if is_forced else misfit(plugin.requires, plugin.name)
        if unfit:
            return _bare(plugin).with_faults(Fault("version", unfit))
        left = self._deadline - time.monotonic()
        if left <= 0:
            return _bare(plugin).with_faults(_not_reached(self._request["timeout"]))
        if not self._is_ready:
            _import_what_tools_need()
            self._is_ready = True
        seconds = min(left, self._request["plugin_timeout"])
        return _judged(plugin, _outcome(plugin, self._request, seconds))


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


def _deciding(plugin: FoundPlugin) -> list[str]:
    """Return the files that decide what a plugin contributes."""
    metadata = (plugin.metadata,) if plugin.metadata else ()
    folder = os.path.dirname(plugin.metadata)
    installed = [os.path.join(folder, name) for name in _INSTALLED] if folder else []
    return [*metadata, *installed, *plugin.needs, *sources_of(plugin.value, plugin.editable)]


def _is_written_by_installers(path: str) -> bool:
    folder, name = os.path.split(path)
    return name in _INSTALLED and folder.endswith(".dist-info")


def _stamps_of_ours(found: list[FoundPlugin]) -> dict[str, Stamp]:
    """Return the stamps of host and sdk where they are installed in editable form."""
    if any(plugin.editable and plugin.distribution == HOST for plugin in found):
        paths = [*sources_of("agenthost_sdk", editable=True), *sources_of(HOST, editable=True)]
        return stamps(sorted(paths))
    return {}


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
    return Options(
        request["options"],
        request["settings_file"],
        request["aliases"],
        request.get("given_here", {}),
    )


def _asked(plugin: FoundPlugin, options: Options, tell: Tell) -> PluginRecord:
    before = Process.now()
    loaded = LoadedPlugin(plugin.name, plugin.value, tell, quiet=False)
    makers = tool_makers(loaded, plugin.distribution, options.aliases)
    record = _bare(plugin)._replace(
        hooks=loaded.hooks,
        seconds=loaded.seconds,
        tools=describe_tools(loaded, makers, options),
        drivers=describe_drivers(loaded),
        validators=describe_validators(loaded),
        dialects=describe_dialects(loaded),
        embeddings=describe_embeddings(loaded),
        drivers_configs=describe_drivers_configs(loaded),
        guards=describe_guards(loaded),
        commands=describe_commands(loaded),
        executors=describe_executors(loaded),
        options=describe_options(makers),
        watched=watched_files(makers, options),
    )
    event_listeners(loaded)  # for what is wrong with them
    deeds = side_effects(before, loaded.seconds)
    return record.with_faults(*loaded.faults, *([_disturbing(plugin, deeds)] if deeds else []))


def _judged(plugin: FoundPlugin, outcome: Outcome) -> PluginRecord:
    record = _read(outcome)
    if record is None:
        doing = "its import" if outcome.phase in ("", "import") else outcome.phase
        text = f"{doing} {outcome.ending}."
        fault = Fault("failed", f"{text} {_advice(plugin)}", outcome.detail)
        record = _bare(plugin).with_faults(fault)
    if outcome.printed.strip():
        record = record.with_faults(_noisy(plugin, outcome.printed))
    return record._replace(faults=tuple(map(_writable, record.faults)))


def _read(outcome: Outcome) -> PluginRecord | None:
    """Return the record that a plugin's process gave; None where it gave none."""
    try:
        return None if outcome.result is None else PluginRecord.from_json(outcome.result)
    except (TypeError, ValueError, LookupError):  # the plugin wrote where only we should
        return None


def _writable(fault: Fault) -> Fault:
    """Return a fault in characters that UTF-8 has bytes for."""
    text, detail = (part.encode(errors="replace").decode() for part in (fault.text, fault.detail))
    return fault._replace(text=text, detail=detail)


def _advice(plugin: FoundPlugin) -> str:
    return f"Turn the plugin off: `agenthost plugins disable {plugin.name}`."


def _noisy(plugin: FoundPlugin, printed: str) -> Fault:
    shown = " ".join(printed.split())
    return Fault(
        "note",
        f"it prints while it is loaded ({shown[:60]!r}); this was kept out of the output. Its"
        f" author should remove the print. {_advice(plugin)}",
    )


def _disturbing(plugin: FoundPlugin, deeds: list[str]) -> Fault:
    *others, last = deeds
    done = f"{', '.join(others)} and {last}" if others else last
    return Fault(
        "note",
        f"while it is loaded, it {done}; that would stay so in the host. Its author should do it"
        f" when a tool is used, or not at all. {_advice(plugin)}",
    )


def _not_reached(seconds: float) -> Fault:
    return Fault(
        "failed",
        f"it was not asked, since the others took all of the {seconds:g} seconds. Raise the"
        " setting catalog.timeout, or turn off a slow one (`agenthost plugins list --timing`).",
    )
