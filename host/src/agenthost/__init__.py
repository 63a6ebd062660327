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
    from agenthost.actions.workflow import Workflow
    from agenthost.actions.workflow_steps import FromInput, FromStep, WorkflowContext, WorkflowStep
    from agenthost.agents import Agent
    from agenthost.defaults import Defaults
    from agenthost.host import Host
    from agenthost.memory.base import BaseMemory, RememberedRun, RememberedStep
    from agenthost.memory.conversation import ConversationMemory
    from agenthost.memory.relevant import RelevantStepMemory
    from agenthost.memory.summary import SummaryMemory
    from agenthost.prompts.react_builder import DescribedTool, ReActPromptBuilder
    from agenthost.prompts.rules import Rule, Ruleset
    from agenthost.prompts.templates import Template
    from agenthost.tasks.judging import Judge, ModelJudge
    from agenthost.tasks.limits import Limits
    from agenthost.tasks.planning import PlanFirst
    from agenthost.tasks.prompt_task import PromptTask
    from agenthost.tasks.reflection import Reflect, ReviewAnswer, reflective_runners
    from agenthost.tasks.run import Run
    from agenthost.tasks.runners import DEFAULT_RUNNERS, Runner
    from agenthost.tasks.subtasks import ActionsSubtask

__version__ = "0.1.0"

__all__ = [
    "DEFAULT_RUNNERS",
    "ActionsSubtask",
    "Agent",
    "BaseMemory",
    "ConversationMemory",
    "Decision",
    "Defaults",
    "DescribedTool",
    "FromInput",
    "FromStep",
    "Host",
    "Judge",
    "Limits",
    "ModelJudge",
    "Permissions",
    "PlanFirst",
    "PromptTask",
    "ReActPromptBuilder",
    "Reflect",
    "RelevantStepMemory",
    "RememberedRun",
    "RememberedStep",
    "ReviewAnswer",
    "Rule",
    "Ruleset",
    "Run",
    "Runner",
    "SummaryMemory",
    "Template",
    "Workflow",
    "WorkflowContext",
    "WorkflowStep",
    "hookspecs",
    "reflective_runners",
]

_MODULES = {
    "DEFAULT_RUNNERS": "agenthost.tasks.runners",
    "ActionsSubtask": "agenthost.tasks.subtasks",
    "Agent": "agenthost.agents",
    "BaseMemory": "agenthost.memory.base",
    "ConversationMemory": "agenthost.memory.conversation",
    "Decision": "agenthost.actions.permission",
    "Defaults": "agenthost.defaults",
    "DescribedTool": "agenthost.prompts.react_builder",
    "FromInput": "agenthost.actions.workflow_steps",
    "FromStep": "agenthost.actions.workflow_steps",
    "Host": "agenthost.host",
    "Judge": "agenthost.tasks.judging",
    "Limits": "agenthost.tasks.limits",
    "ModelJudge": "agenthost.tasks.judging",
    "Permissions": "agenthost.actions.permission",
    "PlanFirst": "agenthost.tasks.planning",
    "PromptTask": "agenthost.tasks.prompt_task",
    "ReActPromptBuilder": "agenthost.prompts.react_builder",
    "Reflect": "agenthost.tasks.reflection",
    "RelevantStepMemory": "agenthost.memory.relevant",
    "RememberedRun": "agenthost.memory.base",
    "RememberedStep": "agenthost.memory.base",
    "ReviewAnswer": "agenthost.tasks.reflection",
    "Rule": "agenthost.prompts.rules",
    "Ruleset": "agenthost.prompts.rules",
    "Run": "agenthost.tasks.run",
    "Runner": "agenthost.tasks.runners",
    "SummaryMemory": "agenthost.memory.summary",
    "Template": "agenthost.prompts.templates",
    "Workflow": "agenthost.actions.workflow",
    "WorkflowContext": "agenthost.actions.workflow_steps",
    "WorkflowStep": "agenthost.actions.workflow_steps",
    "reflective_runners": "agenthost.tasks.reflection",
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
