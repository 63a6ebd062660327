"""Permissions: what may run, what may not, and what a person is asked about."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost import Decision, Permissions
from agenthost.actions.permission import OPEN
from agenthost_sdk.actions import Annotations, ToolAction, ToolSpec

READS = Annotations(read_only=True)


def spec(native: str = "Files_write", stated: Annotations = Annotations()) -> ToolSpec:
    name, path = native.split("_")
    empty: dict[str, Any] = {"type": "object"}
    return ToolSpec(native, name, path, "", empty, annotations=stated)


def yes(action: ToolAction, spec: ToolSpec) -> Decision:
    return Decision(True)


def is_allowed(permissions: Permissions, asked: ToolSpec) -> bool | None:
    decision = permissions.decide(asked)
    return None if decision is None else decision.allowed


def test_what_only_reads_runs_unasked() -> None:
    assert is_allowed(Permissions(), spec(stated=READS)) is True


@pytest.mark.parametrize(
    "stated",
    [
        Annotations(),
        Annotations(read_only=False),
        Annotations(destructive=True),
        Annotations(destructive=False),
        Annotations(idempotent=True),
        Annotations(read_only=True, destructive=True),
    ],
    ids=lambda stated: str(stated.to_dict()),
)
def test_all_else_is_asked_about(stated: Annotations) -> None:
    assert is_allowed(Permissions(approver=yes), spec(stated=stated)) is None


def test_without_anybody_to_ask_it_is_refused_with_what_allows_it_in_code() -> None:
    decision = Permissions().decide(spec())

    assert decision is not None
    assert not decision.allowed
    assert "there is nobody to ask" in decision.reason
    assert 'permissions=Permissions(allow=["Files_write"])' in decision.reason
    assert "agenthost.toml" in decision.reason
    assert "--" not in decision.reason


def test_who_starts_a_run_otherwise_is_advised_otherwise() -> None:
    decision = Permissions(advice="Press the button for {native}.").decide(spec())

    assert decision is not None
    assert decision.reason.endswith("nobody to ask. Press the button for Files_write.")


@pytest.mark.parametrize("pattern", ["Files_write", "Files_*", "*_write", "*", "Files_?rite"])
def test_a_pattern_allows_what_it_matches(pattern: str) -> None:
    assert is_allowed(Permissions(allow=[pattern]), spec()) is True


@pytest.mark.parametrize("pattern", ["files_write", "Files", "Files_writ", "", "Files_write "])
def test_a_pattern_matches_whole_names_in_their_own_case(pattern: str) -> None:
    assert is_allowed(Permissions(allow=[pattern]), spec()) is False


@pytest.mark.parametrize(
    "permissions",
    [
        Permissions(deny=["Files_*"], allow=["Files_write"]),
        Permissions(deny=["Files_*"], allow_all=True),
        Permissions(deny=["Files_*"], approver=yes),
        Permissions(deny=["*"]),
    ],
    ids=["allow", "yes", "a person", "reads"],
)
def test_a_deny_rule_comes_before_everything(permissions: Permissions) -> None:
    decision = permissions.decide(spec(stated=READS))

    assert decision is not None
    assert not decision.allowed
    assert "denies it" in decision.reason


def test_yes_allows_all_that_is_not_denied() -> None:
    permissions = Permissions(allow_all=True, deny=["*_delete"])

    assert is_allowed(permissions, spec(stated=Annotations(destructive=True))) is True
    assert is_allowed(permissions, spec("Files_delete")) is False


def test_what_code_was_given_is_open() -> None:
    assert is_allowed(OPEN, spec(stated=Annotations(destructive=True))) is True
