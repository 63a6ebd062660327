"""What is a defect of a new plugin, and what a person is only told of."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost.installing.judging import Judge
from agenthost.registry.entries import Fault, PluginRecord

NEW = "agenthost-plugin-new"


def record(name: str, *kinds: Any, text: str = "it fails. Mend it.") -> PluginRecord:
    """Return what is known of a plugin with faults of these kinds."""
    faults = tuple(Fault(kind, text) for kind in kinds)
    return PluginRecord(name, f"agenthost-plugin-{name}", "1.0", name, faults=faults)


@pytest.mark.parametrize("kind", ["failed", "version"])
def test_one_that_fails_or_is_for_another_host_is_defective(kind: str) -> None:
    found = Judge([]).defects([NEW], [record("new", kind)])

    assert found == ["new (agenthost-plugin-new 1.0) does not work: it fails. Mend it."]


@pytest.mark.parametrize("kind", ["setting", "unset", "conflict", "note"])
def test_one_that_waits_for_a_setting_or_lost_a_name_is_not(kind: str) -> None:
    assert Judge([]).defects([NEW], [record("new", kind)]) == []


def test_one_that_is_turned_off_is_not() -> None:
    assert Judge([]).defects([NEW], [record("new")._replace(disabled=True)]) == []


def test_what_has_no_entry_point_is_no_plugin() -> None:
    [found] = Judge([]).defects([NEW], [record("other")])

    assert found.startswith("agenthost-plugin-new has no entry point in the group 'agenthost'")


def test_one_that_was_broken_before_is_not_held_against_the_new_one() -> None:
    judge = Judge([record("old", "failed"), record("off")._replace(disabled=True)])

    found = judge.defects([NEW], [record("new"), record("old", "failed"), record("off", "failed")])

    assert found == []


def test_one_that_worked_before_is_held_against_the_new_one() -> None:
    judge = Judge([record("old", "note")])

    [found] = judge.defects([NEW], [record("new"), record("old", "failed", "note")])

    assert found.startswith("old (agenthost-plugin-old 1.0) worked before, and now: it fails.")


def test_the_advice_to_turn_off_what_is_removed_is_left_out() -> None:
    text = "it needs the module 'x'. Mend it, or turn it off: `agenthost plugins disable new`."

    [found] = Judge([]).defects([NEW], [record("new", "failed", text=text)])

    assert found.endswith("does not work: it needs the module 'x'.")


def test_only_conflicts_that_are_new_are_told() -> None:
    judge = Judge([record("old", "conflict", text="a is taken.")])
    now = [
        record("old", "conflict", text="a is taken."),
        record("new", "conflict", text="b is taken."),
    ]

    assert list(judge.losses(now)) == ["Plugin new (agenthost-plugin-new 1.0): b is taken."]
