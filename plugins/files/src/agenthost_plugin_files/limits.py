"""How much one action reads, shows, writes and looks at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What bounds an action, whatever it is asked for and whatever lies in the folders."""

    #: Characters of a file that are shown at once.
    shown: int = 40_000
    #: Characters of a file that are passed over to come to the first line asked for.
    passed: int = 200_000_000
    #: Entries of a folder that are looked at, and those that are shown.
    looked_at: int = 10_000
    listed: int = 500
    #: Paths that `find` shows, and lines that `search` shows.
    found: int = 200
    #: Characters of a matching line that are shown.
    line: int = 300
    #: Files and folders that `find` and `search` come by, and how deep they go.
    walked: int = 100_000
    depth: int = 60
    #: Bytes of a file that is searched or edited, and of all files of one search.
    file_bytes: int = 2_000_000
    all_bytes: int = 200_000_000
    #: Seconds for one `find` or `search`.
    seconds: float = 10.0
    #: Bytes of a file that is written.
    written: int = 2_000_000
