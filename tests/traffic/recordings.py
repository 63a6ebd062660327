"""Find the recorded traffic that may lie beside the repository, and read it."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_BESIDE = Path(__file__).parents[2].parent / "shared" / "traffic"

#: Who answered with the protocol's own rules; other servers are often laxer.
OFFICIAL = ("api.openai.com", "api.anthropic.com")


def folder() -> Path:
    """Return where the recordings are, whether or not they are there."""
    return Path(os.environ.get("AGENTHOST_TRAFFIC") or _BESIDE)


@cache
def rows() -> tuple[Json, ...]:
    """Return every recorded exchange; none where the folder is missing."""
    lines = [
        line
        for path in sorted(folder().glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    return tuple(json.loads(line) for line in lines if line.strip())


def accepted() -> list[Json]:
    """Return the exchanges that OpenAI and Anthropic did not refuse."""
    return [row for row in rows() if row["status"] == 200 and row["host"] in OFFICIAL]
