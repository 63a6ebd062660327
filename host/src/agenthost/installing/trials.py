"""Try the host, with all that is installed now, in an interpreter that starts afresh."""

from __future__ import annotations

import json
import subprocess
import sys

from agenthost.installing.processes import wait_or_kill
from agenthost.registry.catalog import rebuild_catalog
from agenthost.registry.entries import PluginRecord
from agenthost.settings import Settings
from agenthost_sdk.errors import AgenthostError, SettingsError

#: How many seconds the host has to start, and to do so besides asking its plugins.
_START = 60.0

#: What takes the place of settings that cannot be read: who is off is not known, so all are.
NO_PLUGINS = Settings(only_plugins=())

_TELL = "from agenthost.installing.trials import tell; tell()"


class HostBrokenError(AgenthostError):
    """The host does not work any more; the message says what it ends with."""


def try_host(settings: Settings) -> list[PluginRecord]:
    """Start the command line, ask every plugin anew, and return what came of it.

    Raises:
        HostBrokenError: The host does not start, or cannot ask its plugins.
    """
    _run(["-P", "-m", "agenthost", "--version"], _START)
    told = _run(["-P", "-c", _TELL], _START + settings.catalog_timeout)
    return [PluginRecord.from_json(row) for row in json.loads(told)]


def tell() -> None:
    """Ask every plugin anew, and write their records to the standard output."""
    catalog = rebuild_catalog(_settings(), refresh=True)
    json.dump([plugin.to_json() for plugin in catalog.plugins], sys.stdout)


def _settings() -> Settings:
    try:
        return Settings.load()
    except SettingsError:  # which whoever tries the host knows; what is removed is removed
        return NO_PLUGINS


def _run(arguments: list[str], seconds: float) -> str:
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise HostBrokenError(f"agenthost did not start within {seconds:g} seconds.") from None
        except BaseException:  # an interrupt reached it too, and it ends those that ask plugins
            wait_or_kill(process)
            raise
    if process.returncode != 0:
        lines = [line.strip() for line in err.splitlines() if line.strip()]
        last = lines[-1].rstrip(".") if lines else "it says nothing"
        raise HostBrokenError(
            f"agenthost does not start any more, and ends with code {process.returncode}: {last}."
        )
    return out
