"""A name belongs to the plugin that comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agenthost.registry import conflicts
from agenthost.registry.entries import (
    ActivityEntry,
    CommandEntry,
    DriverEntry,
    DriversConfigEntry,
    PluginRecord,
    ToolEntry,
    ValidatorEntry,
)


def without_conflicts(
    records: Sequence[PluginRecord], choices: Mapping[str, str] | None = None
) -> list[PluginRecord]:
    return conflicts.without_conflicts(records, choices or {})


def tool(name: str, *paths: str) -> ToolEntry:
    activities = tuple(ActivityEntry(f"{name}_{path}", path, "", {}, {}) for path in paths)
    return ToolEntry(name, name, 0, "", activities)


def plugin(distribution: str, *tools: ToolEntry, name: str = "") -> PluginRecord:
    return PluginRecord(name or distribution, distribution, "1.0", "module", tools=tools)


def test_the_first_keeps_a_tools_name_and_the_other_plugin_keeps_the_rest() -> None:
    first, second = without_conflicts(
        [plugin("a", tool("Search", "web")), plugin("b", tool("Search", "x"), tool("Other", "y"))]
    )

    assert first.state == "ok"
    assert second.state == "conflict"
    assert [row.name for row in second.tools] == ["Other"]
    assert "'Search' is left out, since a 1.0 has" in second.error
    assert "`agenthost plugins disable b`" in second.error


def test_two_tools_whose_activities_share_a_native_name_lose_only_that() -> None:
    _, second = without_conflicts(
        [plugin("a", tool("A", "b_c")), plugin("b", tool("A_b", "c", "d"))]
    )

    assert [activity.native for activity in second.tools[0].activities] == ["A_b_d"]
    assert "native name 'A_b_c' is left out" in second.error


def test_a_plugin_with_one_name_twice_is_told_so() -> None:
    [only] = without_conflicts([plugin("a", tool("Search", "x"), tool("Search", "y"))])

    assert len(only.tools) == 1
    assert "since it has that one already" in only.error


def test_drivers_and_validators_are_kept_apart_by_kind() -> None:
    first = PluginRecord("a", "a", "1", "m", drivers=(DriverEntry("x", "", "", None, 1),))
    second = PluginRecord("b", "b", "1", "m", validators=(ValidatorEntry("x", ""),))

    assert [record.state for record in without_conflicts([first, second])] == ["ok", "ok"]


def test_a_drivers_config_that_another_plugin_has_is_left_out() -> None:
    config = DriversConfigEntry("x", "", ["prompt"])
    first = PluginRecord("a", "a", "1", "m", drivers_configs=(config,))
    second = PluginRecord("b", "b", "1", "m", drivers_configs=(config,))

    one, other = without_conflicts([first, second])

    assert one.drivers_configs == (config,)
    assert other.drivers_configs == ()
    assert "its drivers config 'x' is left out" in other.error


def test_two_entry_points_of_one_name_both_work() -> None:
    records = without_conflicts(
        [plugin("a", tool("A", "x"), name="same"), plugin("b", tool("B", "x"), name="same")]
    )

    assert [len(record.tools) for record in records] == [1, 1]
    assert records[1].state == "conflict"


def test_a_plugin_that_is_off_claims_no_name() -> None:
    off = plugin("a", name="same")._replace(disabled=True)
    _, second = without_conflicts([off, plugin("b", name="same")])

    assert second.state == "ok"


def test_a_choice_gives_a_tool_to_the_plugin_that_comes_later() -> None:
    both = [plugin("a", tool("Search", "web")), plugin("b", tool("Search", "x"))]

    first, second = without_conflicts(both, {"Search": "b"})

    assert (first.state, second.state) == ("ok", "ok")
    assert first.tools == ()
    assert [row.name for row in second.tools] == ["Search"]


def test_a_choice_that_nobody_can_meet_leaves_the_order() -> None:
    both = [plugin("a", tool("Search", "web")), plugin("b", tool("Search", "x"))]

    first, second = without_conflicts(both, {"Search": "c", "Other": "b"})

    assert [row.name for row in first.tools] == ["Search"]
    assert "`agenthost config set tools.choose.Search b`" in second.error
    assert "`agenthost config set tools.alias.Search2 b:Search`" in second.error


def test_a_command_of_the_hosts_own_name_is_left_out() -> None:
    rows = (CommandEntry("plugins", ""), CommandEntry("weather", ""))

    [only] = without_conflicts([PluginRecord("a", "a", "1", "m", commands=rows)])

    assert only.state == "conflict"
    assert [row.name for row in only.commands] == ["weather"]
    assert "its command 'plugins' is left out, since agenthost has that one itself" in only.error
