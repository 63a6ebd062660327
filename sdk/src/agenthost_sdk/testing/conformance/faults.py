"""Report all faults that a check found, not the first alone; say what is none, or was not seen."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from unittest import SkipTest

from agenthost_sdk.errors import shortened


class ConformanceWarning(UserWarning):
    """Something that works, and that an author should know of."""


def none_of(faults: Iterable[str]) -> None:
    """Fail with every fault on a line of its own; pass when there is none."""
    found = list(faults)
    assert not found, "\n".join(found)


def note(text: str) -> None:
    """Tell the author of something that is no fault."""
    warnings.warn(text, ConformanceWarning, stacklevel=2)


def all_seen(unseen: Sequence[str]) -> None:
    """Leave the test out where some of what it is about was not looked at.

    Raises:
        SkipTest: It names what that was.
    """
    if unseen:
        raise SkipTest(unseen_words(unseen))


def unseen_words(unseen: Sequence[str]) -> str:
    """Say what was not looked at, where no fault was found in the rest."""
    return f"Not looked at: {shortened(unseen, most=5)}. In the rest there is no fault."
