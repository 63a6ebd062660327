"""Write the inputs of calls as a request holds them."""

from __future__ import annotations

import json
from typing import Any

from agenthost_sdk.wire import written

Json = dict[str, Any]


def sound_object(text: str) -> bytes:
    """Return an object that stands as JSON in a text; `{}` where there is none.

    A provider refuses every later request that repeats what cannot be read, and the result of a
    call says what was wrong with it.
    """
    try:
        value = json.loads(text)
        return written(value) if isinstance(value, dict) else b"{}"
    except (ValueError, RecursionError):
        return b"{}"
