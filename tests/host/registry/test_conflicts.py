"""A name belongs to the plugin that comes first."""

from __future__ import annotations

from agenthost.registry.conflicts import without_conflicts
from agenthost.registry.entries import (
    ActivityEntry,
    DriverEntry,
    DriversConfigEntry,
    PluginRecord,
    ToolEntry,
    ValidatorEntry,
)


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
