"""A temporary plugin that is installed again takes the place of what it was."""

from __future__ import annotations

import pytest

from agenthost.testing import IsolatedHost, TemporaryPlugin
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.testing import DialectConformance, PluginConformance, ToolConformance
from support.sites import plugin_code


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_what_is_installed_again_is_as_it_was_installed_last(
    isolated_host: IsolatedHost, temporary_plugin: TemporaryPlugin, version: str
) -> None:
    before = isolated_host(temporary_plugin(plugin_code("Garden"))).toolbox().tools
    after = isolated_host(temporary_plugin(plugin_code("Window"), version=version)).toolbox().tools

    assert [tool.name for tool in before] == ["Garden"]
    assert [tool.name for tool in after] == ["Window"]


class OfAName(ToolConformance):
    """Name the class as a text."""

    tool = "Inventory"  # type: ignore[assignment]


class OfADialect(DialectConformance):
    """The same of a dialect."""

    dialect = "Shout"  # type: ignore[assignment]


class OfAClass(PluginConformance):
    """Give a class where a name is wanted."""

    plugin = ToolConformance  # type: ignore[assignment]


def test_a_name_in_place_of_a_class_is_told_with_what_to_write() -> None:
    with pytest.raises(
        DefinitionError, match=r"tests 'Inventory'\. Write `tool = Inventory`: the"
    ):
        OfAName().make_tool()
    with pytest.raises(DefinitionError, match="Write `dialect = Shout`: the class itself"):
        OfADialect().make_dialect()
    with pytest.raises(DefinitionError, match='Write `plugin = "weather"`: a name'):
        OfAClass().found()
