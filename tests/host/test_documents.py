"""The pages for those who embed agenthost and test plugins say what is so: their blocks run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.readme import ROOT, blocks

PAGES = ("agents.md", "permissions.md", "prompts-and-memory.md", "testing-plugins.md")


@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_run_one_after_the_other(page: str) -> None:
    parts = blocks(Path(ROOT) / "docs" / page, "python")
    namespace: dict[str, Any] = {"__name__": __name__}

    for part in parts:
        exec(compile(part.code, f"{page}: {part.code[:40]}", "exec"), namespace)

    assert parts
