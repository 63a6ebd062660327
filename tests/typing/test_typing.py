"""Type checkers see what authors write as authors mean it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

#: Only what stands in the snippets is judged here, not what they import.
MYPY = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]

#: The options differ from those of the whole tree, so its cache is left alone.
CACHE = ROOT / ".mypy_cache" / "snippets"


@pytest.mark.parametrize("name", ["authors.py"])
def test_what_must_check_checks_and_what_must_not_does_not(name: str) -> None:
    done = subprocess.run(
        [*MYPY, f"--cache-dir={CACHE}", str(HERE / name)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
