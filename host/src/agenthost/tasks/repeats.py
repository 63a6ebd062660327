"""Tell whether a run goes in circles: the same actions, inputs and results again and again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from agenthost_sdk.actions import ToolAction

#: The longest cycle that is looked for: A B C A B C.
LONGEST_CYCLE = 3

_encode = json.JSONEncoder(sort_keys=True, default=str).encode


def signature(actions: Iterable[ToolAction]) -> bytes:
    """Return what two rounds have in common that did the same and came to the same."""
    digest = hashlib.blake2b(digest_size=16)
    for action in actions:
        output = action.output.to_text() if action.output else ""
        for part in (action.name, action.path or "", _encode(dict(action.input)), output):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
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
