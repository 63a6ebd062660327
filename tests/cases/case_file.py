"""Read the cases, and judge a result against what a case accepts."""

from __future__ import annotations

import json
import os
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Expected = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """One input that real hosts got wrong, and what is right."""

    id: str
    area: str
    input: Mapping[str, Any]
    expected: Expected


def read_cases() -> list[Case]:
    """Return the cases of `cases.jsonl`, or of the file that `AGENTHOST_CASES` names."""
    path = Path(os.environ.get("AGENTHOST_CASES") or Path(__file__).with_name("cases.jsonl"))
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [Case(line["id"], line["area"], line["input"], line["expected"]) for line in lines]


def written(case: Case) -> dict[str, Any]:
    """Return the names that the Python of a case defines, in a module of its own.

    The module stays known, since annotations are looked up in it when they are needed.
    """
    module = types.ModuleType(f"case_{case.id.replace('-', '_')}")
    sys.modules[module.__name__] = module
    exec(compile(case.input["python"], module.__name__, "exec", dont_inherit=True), vars(module))
    return vars(module)


def holds_for_one(case: Case, judge: Callable[[Expected], None]) -> None:
    """Assert that a result is the expected one, or one of those that `accept` lists.

    Args:
        case: The case.
        judge: Asserts that the result fits what it is given; keys of another accepted result
            come first in it, so that it can tell what is asked of it.
    """
    failures: list[AssertionError] = []
    for expected in _accepted(case.expected):
        try:
            judge(expected)
        except AssertionError as failure:
            failures.append(failure)
        else:
            return
    raise failures[0]


def _accepted(expected: Expected) -> Iterator[Expected]:
    yield expected
    for other in expected.get("accept", ()):
        yield {**other, **{key: value for key, value in expected.items() if key not in other}}
