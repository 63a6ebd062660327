"""What the tests of the local model share: two tools' specs, and the models, fetched once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from agenthost_plugin_local.driver import LocalPromptDriver
from agenthost_plugin_local.fetching import fetched
from agenthost_plugin_local.models import MINILM, SMOLLM2
from agenthost_sdk.actions import Example, ToolSpec


@pytest.fixture(scope="session")
def sums() -> ToolSpec:
    examples = {
        "What is 48 plus 17?": "48 + 17",
        "How much is 6 times 13?": "6 * 13",
        "What is 52 minus 17?": "52 - 17",
        "What is half of 58?": "58 / 2",
        "If one ticket costs 14 euros, how much do 9 tickets cost?": "14 * 9",
        "What is the largest of 8, 21 and 13?": "max(8, 21, 13)",
        "Add up 15, 27 and 8": "15 + 27 + 8",
    }
    return ToolSpec(
        "Sums_work_out",
        "Sums",
        "work_out",
        "Work out an arithmetic expression.",
        {
            "type": "object",
            "properties": {"expression": {"type": "string", "description": "Signs: + - * /"}},
            "required": ["expression"],
        },
        tuple(Example(question, {"expression": text}) for question, text in examples.items()),
    )


@pytest.fixture(scope="session")
def lengths() -> ToolSpec:
    examples = {
        "Convert 10 km to miles": (10, "km", "miles"),
        "How many inches are in 4 feet?": (4, "feet", "inches"),
        "I am 180 centimetres tall. How much is that in feet?": (180, "centimetres", "feet"),
        "Change 90 metres into yards": (90, "metres", "yards"),
        "How much is 3.5 yards in metres?": (3.5, "yards", "metres"),
        "25 mm in inches": (25, "mm", "inches"),
    }
    return ToolSpec(
        "Lengths_convert",
        "Lengths",
        "convert",
        "Convert a length from one unit to another.",
        {
            "type": "object",
            "properties": {
                "value": {"type": "number"},
                "from_unit": {"type": "string"},
                "to_unit": {"type": "string"},
            },
            "required": ["value", "from_unit", "to_unit"],
        },
        tuple(
            Example(question, dict(zip(("value", "from_unit", "to_unit"), given, strict=True)))
            for question, given in examples.items()
        ),
    )


@pytest.fixture(scope="session")
def letters() -> ToolSpec:
    examples = {
        "Write 'good evening' in upper case": ("good evening", "upper"),
        "Make 'PLEASE STOP' lower case": ("PLEASE STOP", "lower"),
        "Write good luck in capitals": ("good luck", "upper"),
        "lowercase this: PLEASE READ": ("PLEASE READ", "lower"),
    }
    return ToolSpec(
        "Letters_change",
        "Letters",
        "change",
        "Write a text in capital or small letters.",
        {
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "case": {"type": "string", "enum": ["upper", "lower"]},
            },
            "required": ["text", "case"],
        },
        tuple(
            Example(question, {"text": text, "case": case})
            for question, (text, case) in examples.items()
        ),
    )


@pytest.fixture(scope="session")
def models_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home into which both models were fetched, by the real installer from the real index.

    A fetch that fails fails the tests: it may be the plugin's own fault.
    """
    home = tmp_path_factory.mktemp("home")
    before = os.environ.get("AGENTHOST_HOME")
    os.environ["AGENTHOST_HOME"] = str(home)
    try:
        fetched(SMOLLM2)
        fetched(MINILM)
        yield home
    finally:
        os.environ.pop("AGENTHOST_HOME", None)
        if before is not None:
            os.environ["AGENTHOST_HOME"] = before


@pytest.fixture
def driver(models_home: Path, monkeypatch: pytest.MonkeyPatch) -> LocalPromptDriver:
    monkeypatch.setenv("AGENTHOST_HOME", str(models_home))
    return LocalPromptDriver()
