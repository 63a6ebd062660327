"""A plugin says which host it was made for; one of another is named and not imported."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from agenthost.registry.versions import misfit
from support.sites import CommandLine, Site, plugin_code

HERE = version("agenthost-sdk")


@pytest.mark.parametrize(
    ("requirement", "words"),
    [
        ("agenthost-sdk>=99", "made for a later host: it asks for agenthost-sdk >=99"),
        ("agenthost-sdk==99.*", "made for a later host"),
        ("agenthost-sdk~=99.1", "made for a later host"),
        ("agenthost-sdk<0.0.1", "made for an earlier host: it asks for agenthost-sdk <0.0.1"),
        ("agenthost_SDK (<0.0.1)", "made for an earlier host"),
        ("agenthost<0.0.1", "this is agenthost"),
        (f"agenthost-sdk!={HERE}", "made for an earlier host"),
        ("agenthost-sdk", ""),
        (f"agenthost-sdk>={HERE},<99", ""),
        ('agenthost-sdk>=99; python_version < "3"', ""),
        ('agenthost-sdk>=99; extra == "dev"', ""),
        ("agenthost-sdk @ file:///somewhere", ""),
        ("agenthost-sdk what is this", ""),
    ],
)
def test_a_requirement_says_which_host_it_is_for(requirement: str, words: str) -> None:
    told = misfit([requirement], "x")

    assert words in told
    assert bool(told) == bool(words)


def test_a_plugin_for_another_host_is_listed_and_not_imported(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("good", plugin_code())
    code = "print('imported')\n" + plugin_code("Past")
    site.install("past", code, requires="agenthost-sdk<0.0.1")

    shown = agenthost("plugins", "list", "--json")
    tools = agenthost("tools", "list", "--json")

    [row] = [row for row in shown.json["data"] if row["name"] == "past"]
    assert row["state"] == "incompatible"
    assert "`agenthost plugins upgrade past`" in row["error"]
    assert "Plugin past" in tools.err
    assert "prints" not in tools.err
    assert "Greeter" in tools.out
    assert "Past" not in tools.out
    assert agenthost("doctor").code == 3


def test_settings_have_it_imported_all_the_same(site: Site, agenthost: CommandLine) -> None:
    site.install("past", plugin_code("Past"), requires="agenthost-sdk<0.0.1")

    agenthost("config", "set", "plugins.forced", "past")

    assert agenthost("tools", "call", "Past_hello", '{"name": "hen"}').out == "Hello hen\n"
