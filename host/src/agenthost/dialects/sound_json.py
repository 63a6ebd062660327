"""Find where sound JSON ends in a text, without making anything of it."""

from __future__ import annotations

import json
import re

_DECODER = json.JSONDecoder(strict=False)

_BEGIN = re.compile(r"\s*+(?P<mark>`{1,3})?+(?:json)?+\s*+(?=[\[{]\s*+[\[{\]}\"])")
_CLOSING = re.compile(r"\s*`{1,3}")


def json_end(text: str, start: int) -> int:
    """Return where sound JSON ends that begins at `start`, a fence round it and all.

    It is `start` itself where no JSON begins, and -1 where what begins is damaged.
    """
    begin = _BEGIN.match(text, start)
    if begin is None:
        return start
    try:
        _, end = _DECODER.raw_decode(text, begin.end())
    except (ValueError, RecursionError):
        return -1
    closing = _CLOSING.match(text, end) if begin["mark"] else None
    return closing.end() if closing is not None else end
