"""Say in which folders settings, data, caches and state live, and write files there whole.

`AGENTHOST_HOME` names one folder for all four; without it they are where the platform keeps such
things, apart where it keeps them apart. Paths are plain strings, since `pathlib` costs a tenth of
the start-up.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple, Self

#: The file that `agenthost config` reads and writes, in the settings folder.
SETTINGS_FILE = "agenthost.toml"

_APP = "agenthost"


class Folders(NamedTuple):
    """Where agenthost keeps its files; none of the folders is made before something is written."""

    #: What the person decided.
    config: str
    #: What agenthost was given to keep.
    data: str
    #: What is made anew where it is lost.
    cache: str
    #: What it remembers of its own doings, such as logs; worth keeping, and not worth moving.
    state: str

    @property
    def settings_file(self) -> str:
        """The file that holds the settings, whether or not it exists."""
        return os.path.join(self.config, SETTINGS_FILE)

    @classmethod
    def under(cls, home: str) -> Self:
        """Return the folders below one that holds everything, as `AGENTHOST_HOME` names it."""
        home = os.path.abspath(os.path.expanduser(home))
        return cls(home, *(os.path.join(home, name) for name in ("data", "cache", "state")))


def find_folders(environ: Mapping[str, str] = os.environ) -> Folders:
    """Return the folders of this person on this machine."""
    home = environ.get("AGENTHOST_HOME", "").strip()
    if home:
        return Folders.under(home)
    if sys.platform in ("darwin", "win32", "cygwin"):
        return _of_the_platform()
    return Folders(
        config=_xdg(environ, "XDG_CONFIG_HOME", ".config"),
        data=_xdg(environ, "XDG_DATA_HOME", ".local", "share"),
        cache=_xdg(environ, "XDG_CACHE_HOME", ".cache"),
        state=_xdg(environ, "XDG_STATE_HOME", ".local", "state"),
    )


def write_whole(path: str, text: str) -> None:
    """Write a file so that readers see the old text or the new one, never a part.

    Two processes may write at once: the last one wins. A link is followed, not replaced.
    """
    import tempfile  # only those who write pay for it

    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=folder, prefix=".agenthost-", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _xdg(environ: Mapping[str, str], variable: str, *default: str) -> str:
    # The same answer as platformdirs gives here, without the quarter more that importing it
    # adds to the start-up of every command.
    base = environ.get(variable, "").strip()
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), *default)
    return os.path.join(base, _APP)


def _of_the_platform() -> Folders:
    import platformdirs  # where folders are not a matter of three variables

    return Folders(
        config=platformdirs.user_config_dir(_APP, appauthor=False),
        data=platformdirs.user_data_dir(_APP, appauthor=False),
        cache=platformdirs.user_cache_dir(_APP, appauthor=False),
        state=platformdirs.user_state_dir(_APP, appauthor=False),
    )
