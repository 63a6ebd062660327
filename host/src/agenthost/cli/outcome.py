"""Print what came of a run, and say which exit code it ends with."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from agenthost.cli.failures import DENIED, INVALID, LIMIT, OK, CommandFailure, exit_code
from agenthost.cli.output import print_data, print_foreign, print_json, without_keys
from agenthost.cli.progress import Progress
from agenthost.tasks.run import Run
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.errors import AgenthostError

#: What an action fails with that was never started.
_NOT_RUN = frozenset(("denied", "invalid-input", "not-found"))

_ENDINGS = {"length": "The answer broke off at the model's limit of tokens"}


def finish(run: Run, progress: Progress, *, as_json: bool) -> int:
    """Print a run as a person or a program wants it, and return the exit code.

    Raises:
        CommandFailure: It came to no answer, which a person is told.
    """
    failure = _failure(run)
    if as_json:
        print_data("run", to_json(run), is_foreign=True)
        return failure.code if failure else _ending(run)
    if failure:
        raise failure
    if run.setup.output is not None and run.output is not None:
        print_json(run.output.to_json(), is_foreign=True)
    elif not progress.has_shown(run.output):
        print_foreign(without_keys(str(run.output)))
    if run.stopped_by not in ("answer", "actions", "judge", "refusal"):
        words = _ENDINGS.get(run.stopped_by, f"The run reached its limit {run.stopped_by}")
        click.echo(f"{words}; this answer may not be whole.", err=True)
    return _ending(run)


def _ending(run: Run) -> int:
    """Return the exit code of a run that was answered."""
    codes = _codes(run)
    return DENIED if "denied" in codes and _NOT_RUN.issuperset(codes) else OK


def _codes(run: Run) -> Counter[str]:
    """Count the actions by the word for how they failed; "" for those that did not."""
    outputs = [action.output for subtask in run.subtasks for action in subtask.actions]
    return Counter(one.code if isinstance(one, ErrorArtifact) else "" for one in outputs)


def _failure(run: Run) -> CommandFailure | None:
    if not isinstance(run.output, ErrorArtifact):
        return None
    error = run.output.exception
    if isinstance(error, AgenthostError):
        return CommandFailure(str(error), exit_code(error))
    if error is not None or run.output.code != "limit":
        return CommandFailure(run.output.value)
    code = INVALID if run.stopped_by == "max_output_repairs" else LIMIT
    return CommandFailure(run.output.value, code)


def to_json(run: Run) -> dict[str, Any]:
    """Return a run as a JSON object."""
    failed = isinstance(run.output, ErrorArtifact)
    output = run.output.to_json() if run.output else None
    driver = run.setup.driver
    return {
        "id": run.id,
        "model": f"{driver.title}:{driver.model}",
        "output": None if failed else output,
        "error": output if failed else None,
        "stopped_by": run.stopped_by,
        "denied": _codes(run)["denied"],
        "seconds": round(run.seconds, 3),
        "usage": {
            "input_tokens": run.usage.input_tokens,
            "output_tokens": run.usage.output_tokens,
            "cached_tokens": run.usage.cached_tokens,
            "cache_written_tokens": run.usage.cache_written_tokens,
            "reasoning_tokens": run.usage.reasoning_tokens,
            "total_tokens": run.usage.total_tokens,
        },
        "subtasks": [_subtask(subtask) for subtask in run.subtasks],
    }


def _subtask(subtask: ActionsSubtask) -> dict[str, Any]:
    return {
        "thought": subtask.thought,
        "actions": [
            {
                **action.to_dict(),
                "native": action.native,
                "output": action.output.to_json() if action.output else None,
                "failed": action.failed,
                "repairs": list(action.repairs),
            }
            for action in subtask.actions
        ],
    }
