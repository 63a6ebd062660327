"""The plugin loads no more than what is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def loaded_by(code: str) -> set[str]:
    shown = f"{code}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", shown], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


def test_the_plugin_is_imported_without_its_tool() -> None:
    loaded = loaded_by("import agenthost_plugin_files")

    assert loaded.isdisjoint({"agenthost_plugin_files.tool", "re2", "pydantic"})


def test_a_file_is_read_and_found_without_the_library_for_searching(root: Path) -> None:
    code = (
        "import agenthost_plugin_files as plugin\n[tool] = plugin.agenthost_tools()\n"
        f"files = tool(roots={str(root)!r})\nfiles.read('hello.txt')\nfiles.find('*.txt')"
    )

    assert "re2" not in loaded_by(code)
