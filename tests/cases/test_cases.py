"""Run every case of an area that has a runner in `areas/`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from cases.case_file import Case, read_cases


def _runners() -> dict[str, Callable[[Case], None]]:
    """Return the runner of each area: `run` of the module that bears its name."""
    stems = sorted(path.stem for path in Path(__file__).with_name("areas").glob("*.py"))
    return {
        stem.replace("_", "-"): importlib.import_module(f"cases.areas.{stem}").run
        for stem in stems
    }


RUNNERS = _runners()


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.id) for case in read_cases() if case.area in RUNNERS]
)
def test_a_case_comes_out_right(case: Case) -> None:
    RUNNERS[case.area](case)
