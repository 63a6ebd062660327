"""Tell whether a run goes in circles: the same actions, inputs and results again and again."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Mapping, Sequence
from typing import Any

from agenthost_sdk.actions import ToolAction

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


def _bytes(given: Mapping[str, Any]) -> bytes:
    try:
        return marshal.dumps(sorted(given.items()), 2)  # version 2 has no references in it
    except (ValueError, TypeError):  # the input is no JSON: somebody made it in code
        return repr(given).encode("utf-8", "surrogatepass")


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
