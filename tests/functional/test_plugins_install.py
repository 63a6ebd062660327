"""Plugins are installed, tried, undone, upgraded and removed by the installer that fits."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socketserver
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from support.installed import InstalledHost
from support.once import made_once
from support.plugin_wheels import write_wheel
from support.sites import Result, plugin_code
from support.wheelhouse import VirtualEnvironment, Wheelhouse, find_uv

#: A plugin that works beside the garden only.
IVY = "import agenthost_plugin_garden_module\n" + plugin_code("Ivy")

#: A plugin that leaves nothing of the interpreter that imports it.
DEADLY = "import os\nos._exit(9)\n"

#: What a wheel does to the host that it is installed beside.
VANDAL = {"agenthost/cli/root.py": "raise SystemExit(9)\n"}

#: What a wheel does to every Python that starts beside it.
FATAL = {"zzz_fatal.pth": "import os; os._exit(7)\n"}

#: What a wheel does to another plugin; and a plugin that lets nothing be written down.
OVERWRITES = {"agenthost_plugin_reliant_module.py": "raise SystemExit(3)\n"}
IN_THE_WAY = (
    "import os\nfrom pathlib import Path\n"
    "record = Path(os.environ['AGENTHOST_HOME'], 'plugins.toml')\n"
    "if not record.is_dir():\n    record.unlink(missing_ok=True)\n    record.mkdir()\n"
    + plugin_code("Blocker")
)

#: A plugin that works with the first version of a library only, and does not say so.
RELIANT = "from some_library import VERSION\nassert VERSION == '1.0'\n" + plugin_code("Reliant")

SAYS_IT_IS_GONE = "was removed again"


@dataclass(frozen=True)
class Shop:
    """An `agenthost` of its own, and a folder of wheels in place of an index."""

    host: InstalledHost
    wheels: Path
    further: dict[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str, **variables: str) -> Result:
        """Run `agenthost plugins`."""
        return self.run("plugins", *arguments, **variables)

    def run(self, *arguments: str, **variables: str) -> Result:
        """Run `agenthost`; its script may be that of the environment that this is a copy of."""
        python = self.host.environment.python
        given = {**self.variables, **self.further, **variables}
        return self.host.run([python, "-m", "agenthost", *arguments], variables=given)

    @property
    def variables(self) -> dict[str, str]:
        """What keeps the installers from any index."""
        return {
            "UV": find_uv() or "",
            "UV_OFFLINE": "1",
            "UV_FIND_LINKS": str(self.wheels),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels),
        }

    @property
    def record(self) -> dict[str, Any]:
        """What was written down of what was asked for."""
        path = self.host.folder / "plugins.toml"
        if not path.exists():
            return {}
        found: dict[str, Any] = tomllib.loads(path.read_text()).get("plugins", {})
        return found

    @property
    def installed(self) -> dict[str, str]:
        """The versions of what is installed."""
        folder = self.host.environment.folder
        places = [*folder.glob("lib/*/site-packages"), *folder.glob("Lib/site-packages")]
        found = distributions(path=[str(place) for place in places])
        return {one.name: one.version for one in found}

    def state(self) -> dict[str, str]:
        """Return the state of each plugin, by its name."""
        return {row["name"]: row["state"] for row in self("list", "--json").json["data"]}


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheels of plugins, good and bad."""

    def write(folder: Path) -> None:
        write_wheel(folder, "garden")
        write_wheel(folder, "garden", DEADLY, version="2.0")
        write_wheel(folder, "ivy", IVY)
        write_wheel(folder, "lake")
        write_wheel(folder, "lake", version="1.1")
        write_wheel(folder, "pond", plugin_code("Pond", "fill"))
        write_wheel(folder, "deadly", DEADLY)
        write_wheel(folder, "failing", "import nothing_of_that_name")
        write_wheel(folder, "vandal", files=VANDAL)
        write_wheel(folder, "fatal", files=FATAL)
        write_wheel(folder, "weed", files=OVERWRITES)
        write_wheel(folder, "blocker", IN_THE_WAY)
        write_wheel(folder, "blank", points="")
        write_wheel(folder, "needy", requires=["click<8"])
        write_wheel(folder, "elder", requires=["agenthost-sdk<0.1"])
        write_wheel(folder, "abacus", plugin_code("Calculator", "evaluate"))
        write_wheel(folder, "zeno", plugin_code("Calculator", "evaluate"))
        write_wheel(folder, "greedy", requires=["some-library>=2"])
        write_wheel(folder, "reliant", RELIANT, requires=["some-library"])
        for version in ("1.0", "2.0"):
            library = {"some_library.py": f"VERSION = {version!r}\n"}
            write_wheel(
                folder, "", "", version=version, points="", requires=(), files=library,
                distribution="some-library",
            )  # fmt: skip

    return made_once(tmp_path_factory, "plugin-wheels", write)


def copied(host: InstalledHost, place: Path) -> VirtualEnvironment:
    """Return a copy of an environment, whose files are the same as long as none is replaced."""

    def link(source: str, target: str) -> str:
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)
        return target

    folder = place / "venv"
    shutil.copytree(host.environment.folder, folder, symlinks=True, copy_function=link)
    return VirtualEnvironment(folder, host.environment.wheels)


@pytest.fixture(scope="module")
def make_shop(
    plain: InstalledHost, wheels: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[], Shop]:
    """Return what makes an environment without pip, which is changed by uv."""

    def make() -> Shop:
        place = tmp_path_factory.mktemp("shop")
        return Shop(InstalledHost(copied(plain, place), place), wheels)

    return make


@pytest.fixture(scope="module")
def shop(make_shop: Callable[[], Shop]) -> Shop:
    """Return an environment that is as it was after each test."""
    return make_shop()


@pytest.fixture(scope="module")
def pip_shop(make_shop: Callable[[], Shop]) -> Shop:
    """Return an environment with pip, and no uv to be found."""
    made = make_shop()
    subprocess.run(
        [made.host.environment.python, "-m", "ensurepip"], check=True, capture_output=True
    )
    made.further.update(UV="", PATH="")
    return made


@pytest.fixture
def whole(shop: Shop) -> Iterator[Shop]:
    """Lend an environment, and see that nothing is left in it and that the host works."""
    before = shop.installed
    yield shop
    assert shop.installed == before
    assert set(shop.state()) == {"agenthost", "calculator"}
    assert shop.record == {}


def test_a_plugin_is_installed_tried_and_written_down_and_removed_again(whole: Shop) -> None:
    installed = whole("install", "garden<2")
    record, state = whole.record, whole.state()
    shown = whole("show", "garden")
    whole("install", "ivy")
    removed = whole("uninstall", "garden")
    whole("uninstall", "ivy")

    assert (installed.code, removed.code) == (0, 0), installed.err
    assert "agenthost-plugin-garden 1.0 is installed." in installed.out
    assert "tools: Garden" in installed.out
    assert "agenthost tools show Garden" in installed.out
    assert record == {"agenthost-plugin-garden": {"requirement": "agenthost-plugin-garden<2"}}
    assert state["garden"] == "ok"
    assert "asked for    agenthost-plugin-garden<2" in shown.out
    assert "Garden_hello  [read-only]" in shown.out
    assert "agenthost-plugin-garden 1.0 is removed." in removed.out
    assert "gone with it: tools: Garden" in removed.out
    assert "ivy (agenthost-plugin-ivy 1.0) worked before, and now" in removed.err


BAD = {
    "vandal": (3, "root.py of agenthost is overwritten"),
    "blank": (3, "has no entry point in the group 'agenthost'"),
    "elder": (1, "It does not go with agenthost-sdk "),
    "nowhere": (1, "What was asked for could not be fetched"),  # uv may ask nobody here
}


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_work_is_named_and_nothing_of_it_stays(whole: Shop, name: str) -> None:
    code, words = BAD[name]

    result = whole("install", name)

    assert (result.code, result.out) == (code, "")
    assert words in result.err
    assert "Traceback" not in result.err
    assert "agenthost plugins disable" not in result.err
    assert (SAYS_IT_IS_GONE in result.err) == (code == 3)


def test_a_program_is_told_in_json_why_nothing_was_installed(whole: Shop) -> None:
    result = whole("install", "needy", "--json")

    error = result.json["error"]
    assert (result.code, result.err) == (1, "")
    assert error["exit"] == 1
    assert error["message"].startswith("It does not go with click ")
    assert "click<8" in error["message"]
    assert error["message"].endswith("Nothing was changed.")


def test_of_several_all_are_installed_or_none(whole: Shop) -> None:
    result = whole("install", "pond", "failing")

    assert result.code == 3
    assert "it needs the module 'nothing_of_that_name'" in result.err
    assert "agenthost-plugin-failing, agenthost-plugin-pond were removed again." in result.err


def test_one_that_is_kept_is_removed_later_though_it_ends_whoever_imports_it(whole: Shop) -> None:
    kept = whole("install", "deadly", "--keep", "--json")
    state = whole.state()
    report = whole.run("doctor")
    removed = whole("uninstall", "deadly")

    assert (kept.code, removed.code) == (3, 0)
    assert kept.json["data"]["defects"]
    assert state["deadly"] == "failed"
    assert "to remove it: agenthost plugins uninstall deadly" in report.out


def test_an_upgrade_that_does_not_work_is_undone(whole: Shop) -> None:
    whole("install", "garden==1.0")
    record = whole.host.folder / "plugins.toml"
    record.write_text(record.read_text().replace("==1.0", ""))

    upgraded = whole("upgrade", "garden")
    version, state = whole.installed["agenthost-plugin-garden"], whole.state()
    whole("uninstall", "agenthost-plugin-garden")

    assert upgraded.code == 3
    assert "garden (agenthost-plugin-garden 2.0) does not work" in upgraded.err
    assert "agenthost-plugin-garden 1.0 was put back." in upgraded.err
    assert (version, state["garden"]) == ("1.0", "ok")


def test_of_many_upgrades_those_are_made_that_work(whole: Shop) -> None:
    whole.host.environment.install(
        "--find-links", whole.wheels, "agenthost-plugin-garden==1.0", "agenthost-plugin-lake==1.0"
    )

    upgraded = whole("upgrade", "--all")
    there = whole.installed
    whole("uninstall", "garden", "lake")

    assert upgraded.code == 3
    assert "agenthost-plugin-lake 1.1 is installed, in place of 1.0." in upgraded.out
    assert "agenthost-plugin-calculator 0.1.0 is up to date." in upgraded.out
    assert "agenthost-plugin-garden 1.0 was put back." in upgraded.err
    assert there["agenthost-plugin-garden"] == "1.0"


def test_what_breaks_another_plugin_is_undone_with_what_it_brought(whole: Shop) -> None:
    whole.host.environment.install("--find-links", whole.wheels, "some-library==1.0")
    reliant = whole("install", "reliant")

    greedy = whole("install", "greedy")
    weed = whole("install", "weed")
    there, state = whole.installed, whole.state()
    whole("uninstall", "reliant")
    whole.host.environment.uninstall("some-library")

    assert (reliant.code, greedy.code, weed.code) == (0, 3, 3), reliant.err
    assert "reliant (agenthost-plugin-reliant 1.0) worked before, and now" in greedy.err
    assert "some-library 1.0 was put back." in greedy.err
    assert "The files of agenthost-plugin-reliant are as they were." in weed.err
    assert there["some-library"] == "1.0"
    assert (state["reliant"], "greedy" in state) == ("ok", False)


def test_what_cannot_be_written_down_is_not_kept(whole: Shop) -> None:
    result = whole("install", "blocker", "--json")
    (whole.host.folder / "plugins.toml").rmdir()

    assert result.code == 2
    assert "plugins.toml cannot be read" in result.json["error"]["message"]
    assert result.json["error"]["message"].endswith("agenthost-plugin-blocker was removed again.")


def test_two_that_change_something_do_it_one_after_the_other(whole: Shop) -> None:
    state = whole.host.folder / "state"
    state.mkdir(parents=True, exist_ok=True)
    python = whole.host.environment.python
    command = [str(python), "-m", "agenthost", "plugins", "sync"]
    variables = whole.host.environ(whole.variables)
    with FileLock(state / "installing.lock") as other:
        process = subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, text=True)
        assert process.stderr
        said = process.stderr.readline()
        other.release()
    with process:
        process.communicate(timeout=60)

    assert said.startswith("Another agenthost changes what is installed")
    assert process.returncode == 0


def test_a_name_that_another_plugin_had_is_told_of_and_harms_nobody(whole: Shop) -> None:
    installed = whole("install", "abacus")
    state = whole.state()
    whole("uninstall", "abacus")

    assert installed.code == 0
    assert "Plugin calculator (agenthost-plugin-calculator " in installed.err
    assert (state["abacus"], state["calculator"]) == ("ok", "conflict")


def test_one_that_finds_its_name_taken_is_told_so_once(whole: Shop) -> None:
    installed = whole("install", "zeno")
    state = whole.state()
    whole("uninstall", "zeno")

    assert (installed.code, state["zeno"]) == (0, "conflict")
    assert (installed.out + installed.err).count("agenthost-plugin-calculator") == 1


def test_one_is_removed_though_the_settings_cannot_be_read(whole: Shop) -> None:
    whole("install", "deadly", "pond", "--keep")
    settings = whole.host.folder / "agenthost.toml"
    settings.write_text("model = [")
    removed = whole("uninstall", "deadly", "pond")
    settings.unlink()

    assert removed.code == 0, removed.err
    assert "agenthost-plugin-deadly 1.0 is removed." in removed.out
    assert "agenthost.toml is no valid TOML" in removed.err


def test_one_that_is_turned_off_is_installed_and_not_tried(whole: Shop) -> None:
    installed = whole("install", "deadly", AGENTHOST_PLUGINS_DISABLED="deadly")
    removed = whole("uninstall", "deadly")

    assert (installed.code, removed.code) == (0, 0)
    assert "deadly is turned off, and was not tried." in installed.out
    assert "agenthost plugins enable deadly" in installed.out


def test_what_was_asked_for_and_is_gone_is_missed_and_restored(whole: Shop) -> None:
    wheel = whole.wheels / "agenthost_plugin_pond-1.0-py3-none-any.whl"
    whole("install", str(wheel), "garden<2")
    for name in ("pond", "garden"):
        whole.host.environment.uninstall(f"agenthost-plugin-{name}")
    report = whole.run("doctor", "--json").json["data"]

    restored = whole("sync", "--json")
    state = whole.state()
    again = whole("sync")
    whole("uninstall", "pond", "garden")

    gone = {"agenthost-plugin-garden", "agenthost-plugin-pond"}
    assert set(report["record"]["missing"]) == gone
    assert restored.code == 0
    assert not restored.json["data"]["failures"]
    assert (state["pond"], state["garden"]) == ("ok", "ok")
    assert "is installed." in again.out


def test_one_that_cannot_be_restored_stops_none_of_the_others(whole: Shop) -> None:
    whole("install", "pond")
    whole.host.environment.uninstall("agenthost-plugin-pond")
    record = whole.host.folder / "plugins.toml"
    lost = '[plugins.agenthost-plugin-deadly]\nrequirement = "agenthost-plugin-deadly"\n\n'
    record.write_text(lost + record.read_text())

    result = whole("sync")
    state = whole.state()
    whole("uninstall", "pond", "agenthost-plugin-deadly")

    assert result.code == 3
    assert "agenthost-plugin-pond 1.0 is installed." in result.out
    assert "agenthost-plugin-deadly" in result.err
    assert state == {"agenthost": "ok", "calculator": "ok", "pond": "ok"}


def test_a_dry_run_shows_the_command_and_changes_nothing(whole: Shop) -> None:
    result = whole("install", "garden", "--dry-run", "--", "--offline")

    command, held = result.out.splitlines()
    assert result.code == 0
    assert " pip install --python " in command
    assert command.endswith("--offline agenthost-plugin-garden")
    assert "click==" in held


def test_an_editable_plugin_is_in_place_and_never_upgraded(whole: Shop, tmp_path: Path) -> None:
    parrot = Path(__file__).parents[1] / "support" / "distributions" / "parrot"
    folder = shutil.copytree(parrot, tmp_path / "parrot")

    installed = whole("install", "-e", str(folder), "--", "--no-build-isolation")
    record = whole.record
    upgraded = whole("upgrade", "parrot")
    whole("uninstall", "parrot")

    assert installed.code == 0, installed.err
    assert record["agenthost-plugin-parrot"] == {
        "requirement": str(folder),
        "path": str(folder),
        "editable": True,
    }
    assert "is installed in place (editable)" in upgraded.err


def test_a_plugin_in_a_workspace_with_the_host_leaves_the_host_as_it_is(
    whole: Shop, tmp_path: Path
) -> None:
    parrot = Path(__file__).parents[1] / "support" / "distributions" / "parrot"
    shutil.copytree(parrot, tmp_path / "parrot")
    write_workspace(tmp_path, members=["parrot", "sdk"], source="agenthost-sdk")
    (tmp_path / "sdk").mkdir()
    (tmp_path / "sdk" / "pyproject.toml").write_text(
        f'[project]\nname = "agenthost-sdk"\nversion = "{whole.installed["agenthost-sdk"]}"\n'
    )

    installed = whole("install", str(tmp_path / "parrot"), "--", "--no-build-isolation")
    whole("uninstall", "parrot")

    assert installed.code == 0, installed.err


def write_workspace(folder: Path, members: list[str], source: str) -> None:
    """Write what makes projects a workspace of uv, where one of them serves the others."""
    (folder / "pyproject.toml").write_text(
        f"[tool.uv.workspace]\nmembers = {members}\n\n"
        f"[tool.uv.sources]\n{source} = {{ workspace = true }}\n"
    )


def test_pip_installs_where_it_is_there(pip_shop: Shop) -> None:
    before = pip_shop.installed
    installed = pip_shop("install", "garden<2")
    fatal = pip_shop("install", "fatal")
    nowhere = pip_shop("install", "nowhere")
    removed = pip_shop("uninstall", "garden")

    assert [one.code for one in (installed, fatal, nowhere, removed)] == [0, 3, 4, 0]
    assert "Successfully installed agenthost-plugin-garden-1.0" in installed.err
    assert "agenthost-plugin-fatal was removed again." in fatal.err
    assert pip_shop.installed == before


def test_without_pip_and_uv_a_person_is_told_what_to_do(whole: Shop) -> None:
    result = whole("install", "garden", UV="", PATH="")

    assert result.code == 1
    assert "This environment has no pip, and uv is not on the path." in result.err


class Silent(socketserver.BaseRequestHandler):
    """An index that takes a question and never answers it."""

    def handle(self) -> None:
        """Wait until the one who asked is gone."""
        self.request.recv(1)
        self.server.asked.set()  # type: ignore[attr-defined]
        while self.request.recv(1024):
            pass


@pytest.fixture
def silent_index() -> Iterator[tuple[str, threading.Event]]:
    """Return the address of an index that never answers, and what is set when it is asked."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Silent) as server:
        server.daemon_threads = True
        server.asked = asked = threading.Event()  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/simple", asked
        server.shutdown()
        thread.join()


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT for a group of processes there")
def test_an_interrupt_ends_the_installer_and_leaves_nothing_behind(
    whole: Shop, silent_index: tuple[str, threading.Event]
) -> None:
    address, asked = silent_index
    python = str(whole.host.environment.python)
    command = [python, "-m", "agenthost", "plugins", "install", "meadow", "--index-url", address]
    variables = {name: one for name, one in whole.variables.items() if name != "UV_OFFLINE"}
    process = subprocess.Popen(
        command,
        env=whole.host.environ(variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        was_asked = asked.wait(60)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert was_asked
    assert (process.returncode, out) == (130, "")
    assert "Nothing was changed." in err
    assert "Traceback" not in err


def test_an_uv_tool_keeps_its_plugins_in_its_receipt(
    wheelhouse: Wheelhouse, wheels: Path, tmp_path: Path
) -> None:
    uv = find_uv()
    assert uv
    places = {
        "UV_TOOL_DIR": str(tmp_path / "tools"),
        "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
        **_what_uv_knows(uv),
    }
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("\n".join(_versions_here()))
    links = ["--find-links", str(wheelhouse.folder), "--find-links", str(wheels)]
    subprocess.run(
        [
            *(uv, "tool", "install", "agenthost", *links, "--with", "agenthost-plugin-pond"),
            *("--constraints", str(constraints), "--python", sys.executable),
        ],
        env={**os.environ, **places},
        check=True,
        capture_output=True,
    )
    environment = VirtualEnvironment(tmp_path / "tools" / "agenthost", wheelhouse.folder)
    tool = Shop(InstalledHost(environment, tmp_path), wheels, places)

    installed = tool("install", "garden<2")
    failed = tool("install", "failing")
    receipt = _receipt(environment.folder)
    removed = tool("uninstall", "pond")

    assert [one.code for one in (installed, failed, removed)] == [0, 3, 0], installed.err
    assert receipt == {
        "agenthost": "",
        "agenthost-plugin-pond": "",
        "agenthost-plugin-garden": "<2",
    }
    assert set(_receipt(environment.folder)) == {"agenthost", "agenthost-plugin-garden"}
    assert set(tool.state()) == {"agenthost", "garden"}


def _what_uv_knows(uv: str) -> dict[str, str]:
    """Return the variables with which uv takes what it has, and asks no index for our names."""
    told = subprocess.run([uv, "cache", "dir"], check=True, capture_output=True, text=True)
    return {"UV_CACHE_DIR": told.stdout.strip(), "UV_OFFLINE": "1"}


def _versions_here() -> list[str]:
    names = {one.name: one.version for one in distributions()}
    return [f"{name}=={version}" for name, version in names.items() if "agenthost" not in name]


def _receipt(folder: Path) -> dict[str, str]:
    receipt = tomllib.loads((folder / "uv-receipt.toml").read_text())["tool"]
    return {row["name"]: row.get("specifier", "") for row in receipt["requirements"]}


def test_pipx_is_told_what_was_injected(
    wheelhouse: Wheelhouse, wheels: Path, tmp_path: Path
) -> None:
    pipx, variables = _with_pipx(wheelhouse, wheels, tmp_path)
    folder = tmp_path / "pipx" / "venvs" / "agenthost"
    environment = VirtualEnvironment(folder, wheelhouse.folder)
    shop = Shop(InstalledHost(environment, tmp_path), wheels, {**variables, "PIPX": str(pipx)})

    installed = shop("install", "garden<2")
    failed = shop("install", "failing")
    injected = _injected(folder)
    removed = shop("uninstall", "garden")

    assert [one.code for one in (installed, failed, removed)] == [0, 3, 0], installed.err
    assert injected == {"agenthost-plugin-garden": "agenthost-plugin-garden<2"}
    assert _injected(folder) == {}
    assert set(shop.state()) == {"agenthost"}


def _with_pipx(wheelhouse: Wheelhouse, wheels: Path, place: Path) -> tuple[Path, dict[str, str]]:
    """Install pipx into an environment of its own, and agenthost by it."""
    uv = find_uv()
    assert uv
    own = VirtualEnvironment(place / "own", wheelhouse.folder)
    subprocess.run([uv, "venv", "--quiet", own.folder, "--python", sys.executable], check=True)
    subprocess.run([uv, "pip", "install", "--quiet", "--python", own.python, "pipx"], check=True)
    constraints = place / "constraints.txt"
    constraints.write_text("\n".join(_versions_here()))
    variables = {
        "PIPX_HOME": str(place / "pipx"),
        "PIPX_BIN_DIR": str(place / "pipx-bin"),
        "PIPX_MAN_DIR": str(place / "pipx-man"),
        "PATH": os.pathsep.join([str(Path(uv).parent), os.environ["PATH"]]),
        **_what_uv_knows(uv),
    }
    subprocess.run(
        [own.program("pipx"), "install", "--backend", "uv", "agenthost"],
        env={
            **os.environ,
            **variables,
            "UV_FIND_LINKS": str(wheelhouse.folder),
            "UV_CONSTRAINT": str(constraints),
        },
        check=True,
        capture_output=True,
    )
    return own.program("pipx"), variables


def _injected(folder: Path) -> dict[str, str]:
    metadata = json.loads((folder / "pipx_metadata.json").read_text())
    return {name: one["package_or_url"] for name, one in metadata["injected_packages"].items()}
