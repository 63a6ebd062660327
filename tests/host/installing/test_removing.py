"""What Python compiled of a module goes with the module."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from agenthost.installing.removing import remove_compiled


def test_a_version_that_is_alike_in_second_and_size_is_compiled_anew(tmp_path: Path) -> None:
    module = tmp_path / "some_library.py"

    def seen() -> str:
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import some_library as it"
        command = [sys.executable, "-I", "-c", f"{code}; print(it.VERSION)"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    module.write_text("VERSION = 1\n")
    os.utime(module, (1_000_000_000, 1_000_000_000))
    assert seen() == "1"
    module.write_text("VERSION = 2\n")
    os.utime(module, (1_000_000_000, 1_000_000_000))

    assert seen() == "1"  # as Python goes by second and size
    remove_compiled(module)
    assert seen() == "2"
