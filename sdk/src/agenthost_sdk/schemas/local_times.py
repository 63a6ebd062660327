"""Take times without an offset, as the datetime types of Python do.

RFC 3339, which `format` speaks of, demands an offset ("09:30:00Z"). Someone who asks for an
alarm at half past nine means the local one, and a `datetime.time` can hold it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, time
from types import MappingProxyType

_TIME = r"\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?"
_DATE_TIME = re.compile(rf"\d{{4}}-\d\d-\d\d[T ]{_TIME}", re.ASCII | re.IGNORECASE)
_ONLY_TIME = re.compile(_TIME, re.ASCII | re.IGNORECASE)


def is_date_time(text: str) -> bool:
    """Return whether a text is a date and a time, with an offset or without."""
    return bool(_DATE_TIME.fullmatch(text)) and _reads(datetime.fromisoformat, text)


def is_time(text: str) -> bool:
    """Return whether a text is a time of day, with an offset or without."""
    return bool(_ONLY_TIME.fullmatch(text)) and _reads(time.fromisoformat, text)


def _reads(reader: Callable[[str], object], text: str) -> bool:
    try:
        reader(text.upper())
    except ValueError:
        return False
    return True


#: The formats to hand to `Check` where a Python type will take the value.
LOCAL_TIMES: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {"date-time": is_date_time, "time": is_time}
)
