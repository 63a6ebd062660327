"""Find the reference provider, a second strict server that may lie beside the repository."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

_BESIDE = Path(__file__).parents[2].parent / "shared" / "providers"

#: Where it is looked for: beside the repository, or where `AGENTHOST_PROVIDERS` says.
FOLDER = Path(os.environ.get("AGENTHOST_PROVIDERS") or _BESIDE)

#: Recorded replies and other data, which may lie there too.
DATA = FOLDER.with_name("data")


def is_there() -> bool:
    """Say whether the tests can run against it too."""
    return FOLDER.is_dir()


def reference(name: str) -> ModuleType:
    """Import one of its modules, in a package of their own so that they find each other."""
    package = ModuleType("reference_provider")
    package.__path__ = [str(FOLDER)]
    sys.modules.setdefault(package.__name__, package)
    return importlib.import_module(f"{package.__name__}.{name}")
