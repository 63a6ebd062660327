"""A cache that is damaged, cannot be written, or whose writer was killed disturbs nobody."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from support.sites import CommandLine, Site, plugin_code

#: How often a listing is killed.
ROUNDS = 10

Damage = Callable[[Path], None]


def _folder(path: Path) -> None:
    path.unlink()
    (path / "within").mkdir(parents=True)


def _link_to_itself(path: Path) -> None:
    if os.name == "nt":
        pytest.skip("a link takes a privilege there")
    path.unlink()
    path.symlink_to(path)


def _unreadable(path: Path) -> None:
    if os.name == "nt" or os.geteuid() == 0:
        pytest.skip("whoever runs this may read everything")
    path.chmod(0)


def _written(content: bytes) -> Damage:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return write


def _changed(change: Callable[[bytes], bytes]) -> Damage:
    def write(path: Path) -> None:
        path.write_bytes(change(path.read_bytes()))

    return write


DAMAGES: dict[str, Damage] = {
    "empty": _written(b""),
    "half": _changed(lambda content: content[: len(content) // 2]),
    "one byte short": _changed(lambda content: content[:-2]),
    "one byte another": _changed(lambda content: content.replace(b"Greeter", b"Greet0r")),
    "garbage": _written(bytes(range(256)) * 16),
    "zeros, as after a power cut": _changed(lambda content: bytes(len(content))),
    "of another form": _changed(lambda content: content.replace(b'"form": ', b'"form": 9')),
    "JSON of another kind": _written(b"[]\n[]\n"),
    "JSON nested without end": _written(b"[" * 200_000),
    "a folder": _folder,
    "a link to itself": _link_to_itself,
    "unreadable": _unreadable,
}


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return a command line with one plugin, which is asked when the first test needs it."""
    place = tmp_path_factory.mktemp("cache")
    site = Site(place / "site")
    site.install("good", plugin_code())
    (place / "home").mkdir()
    return CommandLine(place / "home", site, {"AGENTHOST_PLUGINS": "good"})


@pytest.fixture
def kept(line: CommandLine) -> Iterator[list[Path]]:
    """Return the files of its cache, which it has again for the next test."""
    assert line("tools", "list").code == 0
    files = [path for path in cache_of(line).iterdir() if path.is_file()]
    yield files
    for path in files:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)


def cache_of(line: CommandLine) -> Path:
    return line.home / "cache"


def assert_all_works(line: CommandLine) -> None:
    """See that the tool is listed and can be called, and that nothing is said of it."""
    listed = line("tools", "list", "--json")
    called = line("tools", "call", "Greeter_hello", '{"name": "Ann"}')

    assert (listed.code, listed.err) == (0, "")
    assert [tool["name"] for tool in listed.json["data"]] == ["Greeter"]
    assert (called.code, called.out, called.err) == (0, "Hello Ann\n", "")


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_whatever_lies_in_the_cache_all_works_and_nothing_is_said(
    damage: Damage, line: CommandLine, kept: list[Path]
) -> None:
    assert kept
    for path in kept:
        damage(path)

    assert_all_works(line)


def test_a_cache_folder_that_cannot_be_made_disturbs_nothing(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("good", plugin_code())
    agenthost.environment["AGENTHOST_PLUGINS"] = "good"
    cache_of(agenthost).write_text("a file, where the folder is to be")

    assert_all_works(agenthost)
    assert cache_of(agenthost).read_text() == "a file, where the folder is to be"


@pytest.mark.skipif(os.name == "nt", reason="a folder's mode forbids nothing there")
def test_a_cache_folder_that_must_not_be_written_disturbs_nothing(
    site: Site, agenthost: CommandLine
) -> None:
    if os.geteuid() == 0:
        pytest.skip("whoever runs this may write everywhere")
    site.install("good", plugin_code())
    agenthost.environment["AGENTHOST_PLUGINS"] = "good"
    cache_of(agenthost).mkdir(mode=0o500)

    assert_all_works(agenthost)
    assert list(cache_of(agenthost).iterdir()) == []


def test_a_listing_killed_at_any_moment_leaves_nothing_wrong(
    site: Site, agenthost: CommandLine
) -> None:
    agenthost.environment["AGENTHOST_PLUGINS"] = "good"
    install_anew(site, 0)
    started = time.monotonic()
    agenthost("tools", "list")
    whole = time.monotonic() - started

    for moment in range(ROUNDS):
        install_anew(site, moment + 1)  # what is kept is old now
        killed(agenthost, after=whole * moment / ROUNDS)
        listed = agenthost("tools", "list", "--json")
        assert (listed.code, listed.err) == (0, "")
        assert [tool["name"] for tool in listed.json["data"]] == ["Greeter"]

    assert_all_works(agenthost)


def install_anew(site: Site, version: int) -> None:
    """Put another version of the plugin in the place of the last."""
    for metadata in site.folder.glob("*.dist-info"):
        shutil.rmtree(metadata)
    site.install("good", plugin_code(), version=f"1.{version}")


def killed(line: CommandLine, after: float) -> None:
    """Start a listing, and kill it and its child, wherever they are by then."""
    process = subprocess.Popen(
        [sys.executable, "-m", "agenthost", "tools", "list"],
        env=line.variables(),
        cwd=line.home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        for child in children_of(process):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        process.kill()
        process.wait()


def children_of(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the processes that one has started, where the system lists them."""
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(pid) for pid in listed.read_text().split()] if listed.exists() else []
