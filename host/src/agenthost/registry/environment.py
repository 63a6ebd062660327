"""Find out in what kind of environment this is, and which command changes it."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import NamedTuple


class Environment(NamedTuple):
    """How distributions come and go here."""

    #: What it is, in a few words.
    kind: str
    #: The command that uninstalls, with {name} for the distribution.
    removal: str

    def uninstall(self, distribution: str) -> str:
        """Return the command that uninstalls a distribution."""
        return self.removal.format(name=distribution)


def this_environment() -> Environment:
    """Return the environment that this Python runs in."""
    if _has("uv-receipt.toml"):
        removal = "uv tool install agenthost --with … (all plugins but {name})"
        return Environment("uv tool", removal)
    if _has("pipx_metadata.json"):
        return Environment("pipx", "pipx uninject agenthost {name}")
    if _has("conda-meta"):
        return Environment("conda", f"{_python()} -m pip uninstall {{name}}")
    kind = "virtual environment" if sys.prefix != sys.base_prefix else "the system's Python"
    if find_spec("pip") is not None:
        return Environment(kind, f"{_python()} -m pip uninstall {{name}}")
    return Environment(f"{kind}, without pip", f"uv pip uninstall --python {_python()} {{name}}")


def _has(name: str) -> bool:
    return os.path.exists(os.path.join(sys.prefix, name))


def _python() -> str:
    return f'"{sys.executable}"' if " " in sys.executable else sys.executable
