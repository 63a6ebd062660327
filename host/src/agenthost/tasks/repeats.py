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

#: The longest cycle that is looked for: A B C A B C.
LONGEST_CYCLE = 3


def signature(actions: Sequence[ToolAction], texts: Sequence[str]) -> bytes:
    """Return what two rounds have in common that did the same and came to the same.

    Args:
        actions: The actions of the round.
        texts: What each of them came to, in words.
    """
    digest = hashlib.blake2b(digest_size=16)
    for action, text in zip(actions, texts, strict=True):
        digest.update(f"{action.name}\0{action.path}\0".encode("utf-8", "surrogatepass"))
        digest.update(_bytes(action.input))
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.digest()


def times_repeated(signatures: Sequence[bytes]) -> int:
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
        f"Note: this is the {_ORDINALS.get(times, f'{times}th')} time that the same actions, with"
        " the same input, came to the same result. Do something else, or answer from what you"
        " have."
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
