"""Make each executor of a plugin, to see that it is one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor

from agenthost_sdk.hook_reading import PLUGIN_FAILURES, words
from agenthost_sdk.testing.plugins.contributions import Contribution, Contributions


def executor_faults(found: Contributions) -> Iterator[str]:
    """Yield a line for each executor that a host could not use; each is shut down at once."""
    for one in found.of("executor"):
        fault = _fault(one)
        if fault:
            yield f"The executor {one.name!r} cannot be used: {fault}."


def _fault(one: Contribution) -> str:
    try:
        made = one.source()
        if not isinstance(made, Executor):
            return f"{made!r:.80} is no concurrent.futures.Executor"
        made.shutdown(wait=False)  # nothing runs in it yet
    except PLUGIN_FAILURES as error:
        return words(error)
    return ""
