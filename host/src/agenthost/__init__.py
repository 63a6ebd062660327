"""A plugin-based host for the tools of LLM agents.

The way of the data, from an installed plugin to an answer:

    entry points -> registry      what the plugins contribute, each asked by itself
    question     -> prompts       the stack before the first round
    tools        -> dialect.offer
    stack        -> driver.run    one provider's request, and its reply as a message
    message      -> dialect.read  actions, or the answer
    actions      -> validation -> permission -> execution -> tool.run
    results      -> dialect.answer -> the next stack
    answer       -> output validators -> run().output

Names are loaded when they are first read: importing `agenthost` imports no plugin.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import agenthost_sdk.hookspecs as hookspecs
    from agenthost.actions.permission import Decision, Permissions
    from agenthost.agents import Agent
    from agenthost.defaults import Defaults
    from agenthost.host import Host
    from agenthost.tasks.limits import Limits
    from agenthost.tasks.prompt_task import PromptTask
    from agenthost.tasks.run import Run

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Decision",
    "Defaults",
    "Host",
    "Limits",
    "Permissions",
    "PromptTask",
    "Run",
    "hookspecs",
]

_MODULES = {
    "Agent": "agenthost.agents",
    "Decision": "agenthost.actions.permission",
    "Defaults": "agenthost.defaults",
    "Host": "agenthost.host",
    "Limits": "agenthost.tasks.limits",
    "Permissions": "agenthost.actions.permission",
    "PromptTask": "agenthost.tasks.prompt_task",
    "Run": "agenthost.tasks.run",
}


def __getattr__(name: str) -> Any:
    if name == "hookspecs":
        return import_module("agenthost_sdk.hookspecs")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
