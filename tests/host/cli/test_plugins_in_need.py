"""Plugins are managed where the settings are broken, and the host is not taken for one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.sites import CommandLine, plugin_code


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return CommandLine.with_plugins(tmp_path_factory.mktemp("need"), {"garden": plugin_code()})


@pytest.fixture
def broken(planted: CommandLine) -> Iterator[CommandLine]:
    """Lend a command line whose settings file is no TOML."""
    settings = planted.home / "agenthost.toml"
    settings.write_text("model = [")
    yield planted
    settings.unlink()


def test_a_removal_needs_no_settings(broken: CommandLine) -> None:
    planned = broken("plugins", "uninstall", "garden", "--dry-run", "--json")

    assert planned.code == 0, planned.err
    assert "agenthost-plugin-garden" in planned.json["data"]["commands"][0]
    assert "agenthost.toml is no valid TOML" in planned.err


@pytest.mark.parametrize(("command", "word"), [("disable", "off"), ("enable", "on")])
def test_a_switch_says_what_to_do_where_the_settings_are_broken(
    broken: CommandLine, command: str, word: str
) -> None:
    refused = broken("plugins", command, "garden")

    assert (refused.code, refused.out) == (2, "")
    assert "agenthost.toml is no valid TOML" in refused.err
    assert f"garden was not turned {word}" in refused.err
    assert "`agenthost plugins uninstall garden`" in refused.err
    assert "Traceback" not in refused.err


@pytest.mark.parametrize("name", ["agenthost", "agenthost-sdk"])
def test_the_refusal_to_remove_the_host_names_the_command_for_what_was_named(
    planted: CommandLine, name: str
) -> None:
    refused = planted("plugins", "uninstall", name)

    assert refused.code == 2
    assert f"uninstall {name}`" in refused.err.replace("\n", " ")
