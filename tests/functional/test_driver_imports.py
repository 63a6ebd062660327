"""A run loads the package of the provider that it asks, and of no other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.provider_server import ProviderServer
from support.sites import CommandLine, Site

#: What a provider's plugin stands on; none of them is light.
PACKAGES = {"openai", "anthropic", "xllamacpp"}

#: Modules that `import agenthost` may load, those of a bare interpreter among them.
MOST = 250

CALL = {"id": "c1", "name": "Calculator_evaluate", "input": {"expression": "6*7"}}

REPLIES: list[dict[str, Any]] = [{"tool_calls": [CALL]}, {"text": "It is 42."}]

#: Runs the command line, and writes the names of all modules to a file at the end.
RUN = """
import atexit, json, pathlib, sys
from agenthost.cli import main
def tell():
    pathlib.Path(sys.argv[1]).write_text(json.dumps(list(sys.modules)))
atexit.register(tell)
main(sys.argv[2:])
"""


@pytest.fixture
def provider() -> Iterator[ProviderServer]:
    with ProviderServer(REPLIES) as provider:
        yield provider


@pytest.mark.parametrize("stream", ["--stream", "--no-stream"])
@pytest.mark.parametrize("driver", ["openai", "anthropic"])
def test_a_run_with_one_driver_loads_no_other_providers_package(
    driver: str, stream: str, provider: ProviderServer, tmp_path: Path
) -> None:
    url = provider.openai_url if driver == "openai" else provider.anthropic_url
    asked = ["run", "-t", "Calculator", "-m", f"{driver}:m", "--base-url", url, stream, "6 * 7?"]

    answer, loaded = run_with(asked, tmp_path)

    assert answer.strip() == "It is 42."
    assert loaded & PACKAGES == {driver}


def run_with(arguments: list[str], place: Path) -> tuple[str, set[str]]:
    """Return what the command line writes, and the modules that are loaded in the end."""
    told = place / "modules.json"
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(told), *arguments],
        env=CommandLine(place, Site(place / "site")).variables(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, set(json.loads(told.read_text()))


@pytest.mark.parametrize("driver", ["openai", "anthropic", "local"])
def test_importing_a_plugin_and_asking_for_its_drivers_loads_no_providers_package(
    driver: str,
) -> None:
    code = (
        f"import agenthost_plugin_{driver} as plugin\n"
        "classes = plugin.agenthost_prompt_drivers()\n"
        f"assert {driver!r} in classes\n"
    )

    assert loaded_by(code).isdisjoint({*PACKAGES, "httpx2", "tiktoken"})


def test_importing_the_host_is_light() -> None:
    loaded = loaded_by("import agenthost")

    assert len(loaded) < MOST
    assert loaded.isdisjoint({*PACKAGES, "pluggy", "pydantic", "tenacity", "jinja2"})


def loaded_by(code: str) -> set[str]:
    """Return the modules that are loaded in an interpreter once it has run the code."""
    shown = f"{code}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", shown], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())
