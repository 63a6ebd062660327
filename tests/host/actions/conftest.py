"""A toolbox for the tests of what becomes of an action, and a record of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agenthost.actions.toolbox import Toolbox
from support.recorded_actions import Record
from support.trial_tools import Clock, Store


@pytest.fixture
def clock() -> Iterator[Clock]:
    tool = Clock()
    yield tool
    tool.gate.set()


@pytest.fixture
def toolbox(clock: Clock) -> Toolbox:
    return Toolbox([Store(), clock])


@pytest.fixture
def record() -> Record:
    return Record()
