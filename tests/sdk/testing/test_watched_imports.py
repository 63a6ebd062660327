"""What a plugin does while it is loaded is seen, and told from what others do."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from agenthost_sdk.testing import (
    ConformanceWarning,
)
from agenthost_sdk.testing.plugins.found import matching
from agenthost_sdk.testing.plugins.imports import watch_import
from support.checked_plugins import GOOD, Install, failed, plugin_of, results_of

WORK = {
    "writes a file": ("open('odd.txt', 'w').close()", "writes the file odd.txt"),
    "makes a folder": ("os.mkdir('odd')", "makes the folder odd"),
    "removes a file": ("os.remove('there')", "removes the file there"),
    "renames a file": ("os.rename('there', 'gone')", "renames the file there"),
    "changes the folder": ("os.chdir('..')", "changes the working directory"),
    "changes a variable": ("os.environ['ODD'] = '1'", "changes the environment variable ODD"),
    "leaves a thread": (
        "threading.Thread(target=threading.Event().wait).start()",
        "leaves a thread running",
    ),
    "starts a process": (
        "subprocess.run([sys.executable, '-c', ''])",
        "runs the program",
    ),
    "opens a connection": (
        "import socket as s; s.socket(s.AF_INET, s.SOCK_DGRAM).connect(('127.0.0.1', 9))",
        "opens a connection",
    ),
    "opens a database": (
        "import sqlite3; sqlite3.connect(':memory:')",
        "opens the database :memory:",
    ),
    "handles a signal": (
        "import signal; signal.signal(signal.SIGINT, lambda *_: None)",
        "handles a signal",
    ),
    "patches builtins": ("import builtins; builtins._ = str", "patches builtins"),
    "patches json": ("import json; json.dumps = str", "patches json"),
    "adds a handler": ("import logging; logging.basicConfig()", "configures the root logger"),
    "filters warnings": (
        "import warnings; warnings.simplefilter('ignore')",
        "changes the warnings filters",
    ),
    "changes the path": ("sys.path.append('odd')", "changes sys.path"),
    "replaces a stream": ("import io; sys.stdin = io.StringIO()", "replaces a standard stream"),
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_work_at_import_is_seen_with_its_line(
    install: Install, work: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").touch()
    code, words = work
    (found,) = matching(install(f"import os, subprocess, sys, threading\n\n{code}\n{GOOD}"))

    report = watch_import(found, 60)

    assert [words in one for one in report.work] == [True]
    assert f"({found.value}, line 3)" in report.work[0] or "line" not in report.work[0]
    assert report.error == ""


def test_what_a_module_does_and_undoes_is_no_work(install: Install) -> None:
    undone = (
        "import warnings\nwith warnings.catch_warnings():\n"
        "    warnings.simplefilter('ignore')\n    import decimal, xml.dom\n"
        "open(__file__).close()\n"
    )
    (found,) = matching(install(undone + GOOD))

    assert watch_import(found, 60).work == ()


def test_the_work_of_what_a_plugin_imports_is_not_taken_for_its_own(
    install: Install, tmp_path: Path
) -> None:
    (tmp_path / "site" / "busy_library.py").write_text("import os\nos.environ['BUSY'] = '1'\n")
    name = install("import busy_library\n" + GOOD)

    result = results_of(name)["loading it does no work"]

    assert result.state == "passed"
    assert "changes the environment variable BUSY (busy_library, line 2)" in result.notes[0]


def test_work_that_a_hook_does_is_seen_too(install: Install) -> None:
    code = GOOD.replace("return [W", "import os; os.environ['ODD'] = '1'; return [W")

    found = failed(results_of(install(code)))

    assert list(found) == ["loading it does no work"]


def test_the_packages_that_an_import_adds_are_named(install: Install, tmp_path: Path) -> None:
    library = tmp_path / "site" / "heavy_library"
    library.mkdir()
    (library / "__init__.py").write_text("from heavy_library import more\n")
    (library / "more.py").write_text("")

    (found,) = matching(install("import heavy_library\n" + GOOD))

    report = watch_import(found, 60)

    assert report.packages(found.top) == {"heavy_library": 2}
    assert {"heavy_library.more", found.value} <= set(report.modules)


def test_a_warning_of_the_kit_is_one_of_pythons_too(install: Install, tmp_path: Path) -> None:
    (tmp_path / "site" / "busy_library.py").write_text("import os\nos.environ['BUSY'] = '1'\n")
    case = plugin_of(install("import busy_library\n" + GOOD))()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ConformanceWarning, match="What it imports does work"):
            case.test_loading_it_does_no_work()
