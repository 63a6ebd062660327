"""The catalog holds for what was asked, where it was asked, and as long as nothing changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.sites import CommandLine, Site, plugin_code

FUNCTION = '''
def %s(size: int) -> int:
    """Measure.

    Args:
        size: How large it is.
    """
    return size
'''


def listed(command: CommandLine, folder: Path, *options: str) -> str:
    """Return the tools as they are listed where a person stands in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "agenthost", *options, "tools", "list"],
        cwd=folder,
        env=command.variables(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    return done.stdout


def test_a_file_of_functions_is_the_one_where_the_person_stands(
    agenthost: CommandLine, tmp_path: Path
) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text(FUNCTION % name)

    for name, other in (("here", "there"), ("there", "here"), ("here", "there")):
        found = listed(agenthost, tmp_path / name, "--functions", "mine.py")
        assert f"Functions_{name}" in found
        assert f"Functions_{other}" not in found


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be removed there")
def test_who_stands_in_a_folder_that_is_gone_sees_what_there_is(
    site: Site, agenthost: CommandLine, tmp_path: Path
) -> None:
    site.install("good", plugin_code())
    folder = tmp_path / "gone"
    folder.mkdir()
    command = f"import os; os.rmdir({str(folder)!r}); from agenthost.cli import main; main()"

    shown = subprocess.run(
        [sys.executable, "-c", command, "tools", "list"],
        cwd=folder,
        env=agenthost.variables(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )

    assert shown.stderr == ""
    assert "Greeter_hello" in shown.stdout


def test_a_wrong_option_that_names_files_is_the_settings_fault(agenthost: CommandLine) -> None:
    (agenthost.home / "agenthost.toml").write_text("[tools.Functions]\nfiles = 3\n")

    told = agenthost("tools", "list")

    assert "[tools.Functions] files is wrong." in told.err
    assert "Plugin functions" not in told.err


def test_what_cannot_be_tidied_up_in_the_cache_is_left(site: Site, agenthost: CommandLine) -> None:
    site.install("good", plugin_code())
    folder = agenthost.home / "cache" / "catalog-of-another-kind"
    folder.mkdir(parents=True)
    os.utime(folder, (1, 1))

    found = agenthost("tools", "list")

    assert (found.code, found.err) == (0, "")
    assert "Greeter_hello" in found.out
    assert folder.is_dir()


def installed(site: Site, name: str, files: dict[str, str]) -> Path:
    """Write a package that is installed in editable form; return its folder."""
    site.install(name, None, value=f"package_{name}")
    metadata = site.folder / f"agenthost_plugin_{name}-1.0.dist-info"
    (metadata / "direct_url.json").write_text('{"url": "", "dir_info": {"editable": true}}')
    folder = site.folder / f"package_{name}"
    folder.mkdir()
    for path, text in files.items():
        (folder / path).write_text(text)
    return folder


GATHERED = """
from importlib import import_module
from pkgutil import iter_modules
from agenthost_sdk import hookimpl

@hookimpl
def agenthost_tools():
    modules = [import_module(f"{__name__}.{one.name}") for one in iter_modules(__path__)]
    return [tool for module in modules for tool in module.agenthost_tools()]
"""


def test_a_module_that_is_added_to_an_editable_package_is_seen(
    site: Site, agenthost: CommandLine
) -> None:
    folder = installed(site, "many", {"__init__.py": GATHERED, "one.py": plugin_code("One")})
    assert "One_hello" in agenthost("tools", "list").out

    (folder / "two.py").write_text(plugin_code("Two"))
    grown = agenthost("tools", "list").out
    (folder / "one.py").unlink()
    shrunk = agenthost("tools", "list").out

    assert ("One_hello" in grown, "Two_hello" in grown) == (True, True)
    assert ("One_hello" in shrunk, "Two_hello" in shrunk) == (False, True)


def test_data_of_an_editable_package_is_looked_at_afresh(
    site: Site, agenthost: CommandLine
) -> None:
    read = "from pathlib import Path\nNAME = (Path(__file__).parent / 'name.json').read_text()\n"
    code = read + plugin_code("Named").replace("'''Answer a greeting.'''", "__doc__ = NAME")
    folder = installed(site, "named", {"__init__.py": code, "name.json": "First."})
    assert "First." in agenthost("tools", "list").out

    (folder / "name.json").write_text("The second.")

    assert "The second." in agenthost("tools", "list").out


def test_a_package_is_asked_once_though_its_import_compiles_it(
    site: Site, agenthost: CommandLine, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    code = f"open({str(mark)!r}, 'a').write('.')\n" + plugin_code()
    folder = installed(site, "marking", {"__init__.py": code})

    for _ in range(3):
        agenthost("tools", "list", PYTHONDONTWRITEBYTECODE="")

    assert (folder / "__pycache__").is_dir()
    assert mark.read_text() == "."


def test_a_plugin_whose_dependency_is_taken_away_is_asked_anew(
    site: Site, agenthost: CommandLine
) -> None:
    needed = site.install("needed", "", distribution="needed", points="[other]\na = b\n")
    site.install("needing", f"import {needed.stem}\n{plugin_code()}", requires="needed>=0")
    assert "Greeter_hello" in agenthost("tools", "list").out

    needed.unlink()
    site.uninstall("needed", distribution="needed")
    left = agenthost("tools", "list")

    assert "Greeter_hello" not in left.out
    assert f"it needs the module '{needed.stem}'" in left.err


def test_a_wrong_file_of_functions_is_told_as_what_this_call_named(
    agenthost: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("def (")

    told = agenthost("tools", "list", "--functions", str(file)).err
    called = agenthost("tools", "call", "Functions_f", "--functions", str(file))

    assert f"--functions: {file}, line 1" in told
    assert "agenthost.toml" not in told + called.err
    assert called.code == 2
