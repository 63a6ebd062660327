"""Names under which activities are offered to a model, and which of them a name means."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agenthost_sdk.actions import NativeNames, native_specs
from agenthost_sdk.errors import NativeNameError, NotFoundError
from cases.case_file import Case, Expected, holds_for_one


def run(case: Case) -> None:
    """Build the table of a case, or resolve a name in it."""
    pairs = [(name, path) for name, path in case.input["tools"]]
    judge = _judge_table if case.input["op"] == "build" else _judge_name
    holds_for_one(case, lambda expected: judge(pairs, case.input.get("native", ""), expected))


def _judge_table(pairs: list[tuple[str, str | None]], _native: str, expected: Expected) -> None:
    if next(iter(expected)) == "error":
        with _refusal(NativeNameError) as raised:
            NativeNames(native_specs(pairs))
        for name in re.findall(r"'([^']+)'", expected["error"]):
            assert name in str(raised.value)
        return
    table = _table(pairs)
    if "names_match" in expected:
        assert all(re.fullmatch(expected["names_match"], name) for name in table.specs)
    assert len(table) == len(pairs), "the names are distinct"
    for native, spec in table.specs.items():
        assert table.resolve(native) is spec
    assert {(spec.name, spec.path) for spec in table.specs.values()} == set(pairs)


def _judge_name(pairs: list[tuple[str, str | None]], native: str, expected: Expected) -> None:
    table = _table(pairs)
    if next(iter(expected)) == "error":
        with _refusal(NotFoundError) as raised:
            table.resolve(native)
        for word in expected.get("message_has", ()):
            assert word in str(raised.value)
        return
    try:
        spec = table.resolve(native)
    except NotFoundError as error:
        raise AssertionError(f"{native} was not found: {error}") from error
    assert [spec.name, spec.path] == expected["tool"]


def _table(pairs: list[tuple[str, str | None]]) -> NativeNames:
    try:
        return NativeNames(native_specs(pairs))
    except NativeNameError as error:
        raise AssertionError(f"the names were refused: {error}") from error


def _refusal(kind: type[Exception]) -> Any:
    return pytest.raises(kind)
