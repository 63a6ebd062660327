"""What to type next once a plugin is begun: install it, use it, test it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from agenthost.scaffolding.project import Project

#: What the tests and checks of a new plugin need beside the host.
_TOOLS = "mypy pytest ruff"


def next_steps(project: Project, folder: Path) -> list[str]:
    """Return the commands that lead from the written files to a tool that was called."""
    return [*_steps(project, folder)]


def _steps(project: Project, folder: Path) -> Iterator[str]:
    if folder != Path():
        yield f"cd {shlex.quote(folder.as_posix())}"
    yield "agenthost plugins install -e ."
    yield from (_USES[kind].format(names=project.names) for kind in project.ordered)
    installer = "python -m pip" if find_spec("pip") else "uv pip"  # venvs of uv have none
    yield f"{installer} install {_TOOLS}"
    yield "python -m pytest"
    yield "agenthost plugins check ."


#: How that which a new plugin contributes is tried, by its kind.
_USES = {
    "tool": """agenthost tools call {names.title}_find '{{"text": "ar"}}'""",
    "validator": """echo "Two words." | agenthost validators run {names.short}:20 -""",
    "driver": "agenthost run -m {names.short} Hello",
    "dialect": "agenthost dialects",
}
