"""Find the public data that may lie beside the repository: functions, and suites of tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).parents[2].parent / "shared" / "data"

#: Where it is looked for: beside the repository, or where `AGENTHOST_DATA` says.
FOLDER = Path(os.environ.get("AGENTHOST_DATA") or _BESIDE)

FUNCTIONS = FOLDER / "bfcl"
SCHEMA_SUITE = FOLDER / "json-schema-test-suite"


def needs(folder: Path) -> pytest.MarkDecorator:
    """Return a mark that skips a test where the folder is missing."""
    return pytest.mark.skipif(
        not folder.is_dir(), reason=f"{folder} is not there; AGENTHOST_DATA may name its parent"
    )
