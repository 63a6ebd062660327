"""The wheels: built from the tree, whole, and installed without asking an index for our names."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from support.installed import InstalledHost
from support.wheelhouse import MEMBERS, Wheelhouse, is_ours, read_metadata


class Index:
    """A package index on the loopback that has nothing, and remembers what it was asked."""

    def __init__(self, address: str, asked: list[str]) -> None:
        self.asked = asked
        self.variables = {
            "UV_DEFAULT_INDEX": address,
            "UV_INDEX_URL": address,
            "PIP_INDEX_URL": address,
        }


@pytest.fixture
def index() -> Iterator[Index]:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the tests' output free of it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Index(f"http://127.0.0.1:{server.server_address[1]}/simple", asked)
        server.shutdown()
        thread.join()


def test_each_member_becomes_one_wheel_for_every_platform(wheelhouse: Wheelhouse) -> None:
    names = [wheel.name for wheel in wheelhouse.wheels]

    assert len(names) == len(MEMBERS)
    assert all(name.endswith("-py3-none-any.whl") for name in names)


def test_a_wheel_is_typed_and_licensed_and_holds_no_tests(wheelhouse: Wheelhouse) -> None:
    for wheel in wheelhouse.wheels:
        with ZipFile(wheel) as archive:
            names = archive.namelist()

        assert any(name.endswith("/py.typed") for name in names)
        assert not any("test_" in name or name.endswith(".pyc") for name in names)
        assert read_metadata(wheel)["License-Expression"] == "Apache-2.0"


def test_building_leaves_nothing_in_the_tree(wheelhouse: Wheelhouse) -> None:
    left = [
        path
        for sources in MEMBERS.values()
        for name in ("build", "dist", "*.egg-info", "**/*.whl")
        for path in sources.glob(name)
    ]

    assert left == []


def test_what_is_fetched_from_an_index_bears_none_of_our_names(wheelhouse: Wheelhouse) -> None:
    fetched = wheelhouse.requirements()

    assert fetched
    assert not any(is_ours(requirement) for requirement in fetched)


def test_our_names_are_never_looked_up_on_an_index(
    wheelhouse: Wheelhouse, tmp_path: Path, index: Index
) -> None:
    environment = wheelhouse.environment(tmp_path / "venv")

    environment.install("agenthost", **index.variables)

    assert environment.program("agenthost").exists()
    assert index.asked == []


def test_the_wheels_are_what_is_run(plain: InstalledHost) -> None:
    script = "import agenthost, agenthost_sdk; print(agenthost.__file__, agenthost_sdk.__file__)"

    result = plain.run([plain.environment.python, "-c", script])

    assert result.out.count(str(plain.environment.folder)) == 2
