"""Plugins that wait for something, or are not here, are told of with what they lack."""

from __future__ import annotations

from support.sites import CommandLine, Site, plugin_code

#: A plugin whose tool cannot be made before a person says where.
GARDEN = plugin_code("Garden", "water").replace(
    "    @activity", "    place: str\n\n    @activity", 1
)


def test_the_list_names_the_option_that_a_plugin_lacks(site: Site, agenthost: CommandLine) -> None:
    site.install("garden", GARDEN)

    [row] = [line for line in agenthost("plugins", "list").out.splitlines() if "garden" in line]

    assert "not set up" in row
    assert row.endswith("lacks tools.Garden.place")


def test_the_doctor_exits_with_1_where_a_plugin_is_missed(agenthost: CommandLine) -> None:
    well = agenthost("doctor", OPENAI_API_KEY="x")
    record = agenthost.home / "plugins.toml"
    record.write_text('[plugins.agenthost-plugin-pond]\nrequirement = "agenthost-plugin-pond"\n')

    missed = agenthost("doctor", OPENAI_API_KEY="x")

    assert (well.code, missed.code) == (0, 1)
    assert "agenthost-plugin-pond was asked for once, and is not installed here." in missed.out
