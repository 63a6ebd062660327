"""The fixtures for the tests of a plugin that need a host; pytest finds them by itself.

    def test_the_weather_is_told(isolated_host, scripted_model, temporary_plugin):
        host = isolated_host(temporary_plugin(Weather))
        model = scripted_model(calls(("Weather_now", {"city": "Rome"})), "It is warm.")

        run = host.run("How is it in Rome?", prompt_driver=model)

        assert run.value == "It is warm."

This module is loaded in every run of pytest where agenthost is installed; so it imports nothing
of agenthost before a fixture is used. `-p no:agenthost` leaves it out.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from agenthost.host import Host
    from agenthost_sdk.artifacts import BaseArtifact
    from agenthost_sdk.testing import MisbehavingDriver, ScriptedDriver
    from agenthost_sdk.testing.drivers import ScriptedReply
    from agenthost_sdk.tools import BaseTool


class IsolatedHost(Protocol):
    """What the fixture `isolated_host` gives."""

    def __call__(self, *plugins: str, settings: str = "") -> Host:
        """Make a host.

        Args:
            plugins: The only plugins that it asks; all that are installed where none is named.
            settings: What stands in its agenthost.toml.
        """


class TemporaryPlugin(Protocol):
    """What the fixture `temporary_plugin` gives."""

    def __call__(
        self,
        source: str | ModuleType | type | Sequence[type],
        name: str = "temporary",
        *,
        distribution: str = "",
        version: str = "1.0",
    ) -> str:
        """Install a plugin for the time of the test, and return its name.

        It takes the place of what was installed of its distribution before.

        Args:
            source: Its code; or the module with its hooks; or what it contributes: classes of
                tools, drivers, validators or dialects, from the top level of a module.
            name: The name of its entry point.
            distribution: Its distribution; `agenthost-plugin-NAME` where it is not given.
            version: The version of that.
        """


class CallTool(Protocol):
    """What the fixture `call_tool` gives."""

    def __call__(self, tool: BaseTool, activity: str, **input: Any) -> BaseArtifact:
        """Run an activity as if a model had asked for it; what it raises is an `ErrorArtifact`."""


@pytest.fixture
def isolated_host(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[IsolatedHost]:
    """Make hosts that know nothing of this person: no settings, no keys, no variables.

        def test_it_is_listed(isolated_host):
            host = isolated_host("weather", settings='[tools.Weather]\\nunit = "kelvin"')

            assert [tool.name for tool in host.toolbox().tools] == ["Weather"]

    Each has a home of its own, and is closed in the end. The variables are gone for what the
    test starts, too.
    """
    made: list[Host] = []
    for variable in list(os.environ):
        if variable.startswith("AGENTHOST_") or variable.endswith("_API_KEY"):
            monkeypatch.delenv(variable)
    monkeypatch.setenv("AGENTHOST_HOME", str(tmp_path_factory.mktemp("agenthost-home")))

    def make(*plugins: str, settings: str = "") -> Host:
        from agenthost.host import Host
        from agenthost.settings import Settings

        home = tmp_path_factory.mktemp("agenthost-home")
        (home / "agenthost.toml").write_text(settings, encoding="utf-8")
        loaded = Settings.load(home)
        host = Host(settings=loaded._replace(only_plugins=plugins) if plugins else loaded)
        made.append(host)
        return host

    yield make
    for host in made:
        host.close()


@pytest.fixture
def scripted_model() -> Callable[..., ScriptedDriver]:
    """Make models that reply from a script: `agenthost_sdk.testing.ScriptedDriver`.

    def test_it_is_called(isolated_host, scripted_model):
        model = scripted_model(calls(("Weather_now", {"city": "Rome"})), "Warm.")
    """

    def make(*replies: ScriptedReply, **fields: Any) -> ScriptedDriver:
        from agenthost_sdk.testing import ScriptedDriver

        return ScriptedDriver(list(replies), **fields)

    return make


@pytest.fixture
def misbehaving_model() -> Callable[..., MisbehavingDriver]:
    """Make models that misbehave in a named way: `agenthost_sdk.testing.MisbehavingDriver`.

    def test_a_trailing_comma_does_no_harm(isolated_host, misbehaving_model):
        model = misbehaving_model("trailing_comma", answer="Warm.")
    """

    def make(scene: str, **fields: Any) -> MisbehavingDriver:
        from agenthost_sdk.testing import MisbehavingDriver

        return MisbehavingDriver(scene, **fields)

    return make


@pytest.fixture
def call_tool() -> CallTool:
    """Run activities as a model's action would.

    def test_it_is_warm(call_tool):
        assert call_tool(Weather(), "now", city="Rome").value == "warm"
    """

    def call(tool: BaseTool, activity: str, **input: Any) -> BaseArtifact:
        from agenthost_sdk.actions import ToolAction

        return tool.run(ToolAction("1", tool.name, activity, input))

    return call


@pytest.fixture
def temporary_plugin(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TemporaryPlugin]:
    """Install plugins for the time of the test, so that a host finds them as it finds any.

        def test_a_host_has_it(isolated_host, temporary_plugin):
            host = isolated_host(temporary_plugin(Weather))

    Install them before the host is asked for anything; other processes find them, where they are
    started with this one's `sys.path`.
    """
    folder = tmp_path_factory.mktemp("agenthost-plugins")
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])

    def install(
        source: str | ModuleType | type | Sequence[type],
        name: str = "temporary",
        *,
        distribution: str = "",
        version: str = "1.0",
    ) -> str:
        from agenthost_sdk.testing.plugins.temporary import install_plugin

        code = dedent(source) if isinstance(source, str) else source
        owner = distribution or f"agenthost-plugin-{name}"
        module = install_plugin(folder, code, name, owner, version)
        sys.modules.pop(module, None)
        importlib.invalidate_caches()
        return name

    yield install
    _forget_modules(folder)


def _forget_modules(folder: Path) -> None:
    """Let the next test's plugin of the same name be imported anew."""
    for name, module in list(sys.modules.items()):
        if Path(getattr(module, "__file__", None) or "/").parent == folder:
            del sys.modules[name]
    importlib.invalidate_caches()
