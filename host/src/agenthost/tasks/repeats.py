"""Notice where a run goes in circles, and tell the model: the same actions, the same results."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agenthost.tasks.results import with_media
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import ErrorArtifact, TextArtifact

#: The longest cycle of rounds that is looked for.
LONGEST_CYCLE = 6

#: What two actions have in common that did the same and came to the same.
Signature = bytes


def signatures(actions: Sequence[ToolAction], texts: Sequence[str]) -> list[Signature]:
    """Return the signature of each action of a round.

    Args:
        actions: The actions of the round.
        texts: What each of them came to, in words.
    """
    found = []
    for action, text in zip(actions, texts, strict=True):
        named = f"{action.name}\0{action.path}\0".encode("utf-8", "surrogatepass")
        came = text.encode("utf-8", "surrogatepass")
        found.append(hashlib.blake2b(named + _bytes(action.input) + came, digest_size=16).digest())
    return found


def times_repeated(signatures: Sequence[tuple[Signature, ...]]) -> int:
    """Return how often the last round, or the last cycle of rounds, came in a row.

    Args:
        signatures: Those of the rounds, oldest first; the last few are enough.
    """
    most = 1
    for length in range(1, LONGEST_CYCLE + 1):
        cycle, times = signatures[-length:], 1
        while signatures[-(times + 1) * length : -times * length] == cycle:
            times += 1
        most = max(most, times)
    return most


def noted(action: ToolAction, times: int) -> ToolAction:
    """Return an action whose result tells the model how often it came to the same."""
    words = (
        f"Note: this is the {_ORDINALS.get(times, f'{times}th')} time in a row that this came to"
        " the same. Do something else, or answer from what you have."
    )
    output = action.output
    text = f"{output}\n\n{words}"
    if isinstance(output, ErrorArtifact):
        return action.with_output(replace(output, value=text))
    return action.with_output(with_media(TextArtifact(text), output))


_ORDINALS = {2: "second", 3: "third"}


def _bytes(given: Mapping[str, Any]) -> bytes:
    try:
        return marshal.dumps(sorted(given.items()), 2)  # version 2 has no references in it
    except (ValueError, TypeError):  # the input is no JSON: somebody made it in code
        return repr(given).encode("utf-8", "surrogatepass")
