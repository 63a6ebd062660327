"""Answers that must fit a schema, from a model that gets them wrong in many ways."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agenthost import Limits, PromptTask, Run
from agenthost_sdk import BaseTool, ErrorArtifact, Message, PromptStack, activity
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    Finish,
    TextMessageContent,
)
from agenthost_sdk.testing import ScriptedDriver
from cases.case_file import Case, Expected, holds_for_one

_OUTPUT_TOOL = "StructuredOutputTool"

_FINISHES: dict[str, Finish] = {"length": "length", "tool_calls": "actions", "refusal": "refusal"}


def run(case: Case) -> None:
    """Let a task get its answer from the scripted model of a case."""
    replies = [_message(reply) for reply in case.input["replies"]]
    most = case.input["max_retries"]
    driver = ScriptedDriver(replies, structured_output_strategy=case.input["strategy"])
    task = PromptTask(
        "Who is it?",
        tools=_tools(replies),
        prompt_driver=driver,
        output_schema=case.input["schema"],
        limits=Limits(max_output_repairs=most, max_reply_repairs=most),
    )
    done = task.run()
    holds_for_one(case, lambda expected: _judge(done, driver, expected))
    _judge_words(case, done, driver)


def _judge(done: Run, driver: ScriptedDriver, expected: Expected) -> None:
    outcome = next(key for key in expected if key in ("value", "error"))
    assert len(driver.stacks) == expected.get("calls", len(driver.stacks))
    if outcome == "value":
        assert json.dumps(done.value, sort_keys=True) == json.dumps(
            expected["value"], sort_keys=True
        )
        assert not isinstance(done.output, ErrorArtifact)
    else:
        assert isinstance(done.output, ErrorArtifact), done.value
        if expected["error"] == "refusal":
            assert done.output.code == "refusal"
        elif expected["error"] == "validation":
            assert done.stopped_by == "max_output_repairs"
    for word in expected.get("message_has", ()):
        assert word in str(done.value)
    for word in expected.get("second_prompt_has", ()):
        assert word in _added(driver)


def _judge_words(case: Case, done: Run, driver: ScriptedDriver) -> None:
    """Hold what the case says in words, as far as every case of the kind can be held to it."""
    assert done.stopped_by
    if len(driver.stacks) > 1:
        assert _added(driver).strip() or _results(driver.stacks[1])
    for stack in driver.stacks:
        called = [call.id for message in stack.messages for call in message.calls]
        assert [one.id for one in _results(stack)] == called
        assert _said(stack).count("fits this JSON Schema") <= 1
    must = case.expected.get("must", "")
    if "asks for the output tool" in must:
        assert f"{_OUTPUT_TOOL}_provide_output" in _added(driver)


def _added(driver: ScriptedDriver) -> str:
    """Return what the second prompt says more than the first."""
    first, second = driver.stacks[:2]
    return _said(PromptStack(second.messages[len(first.messages) :]))


def _said(stack: PromptStack) -> str:
    return "\n".join(block.to_text() for message in stack.messages for block in message.content)


def _results(stack: PromptStack) -> list[ActionResultMessageContent]:
    blocks = [block for message in stack.messages for block in message.content]
    return [block for block in blocks if isinstance(block, ActionResultMessageContent)]


def _message(reply: Any) -> Message:
    """Return a reply of the script: a text, or an object with text, calls or a refusal."""
    if isinstance(reply, str):
        return Message("assistant", (TextMessageContent(reply),))
    calls = reply.get("tool_calls") or [reply[key] for key in ("tool_call",) if key in reply]
    text = reply.get("text") or reply.get("refusal") or ""
    blocks: list[BaseMessageContent] = [TextMessageContent(text)] if text else []
    blocks += [_call(call) for call in calls]
    named = "refusal" if "refusal" in reply else reply.get("finish_reason", "")
    finish: Finish = _FINISHES.get(named, "actions" if calls else "stop")
    return Message("assistant", tuple(blocks), finish=finish)


def _call(call: Mapping[str, Any]) -> ActionCallMessageContent:
    given = call.get("arguments", {})
    arguments = given if isinstance(given, str) else json.dumps(given)
    return ActionCallMessageContent(call.get("id", ""), call["name"], arguments)


def _tools(replies: list[Message]) -> list[BaseTool]:
    """Return a tool for each that the model calls, besides the one that ends the run."""
    named = {call.native for reply in replies for call in reply.calls}
    pairs = sorted(tuple(native.split("_", 1)) for native in named)
    return [_tool(name, path) for name, path in pairs if name != _OUTPUT_TOOL]


def _tool(name: str, path: str) -> BaseTool:
    @activity(name=path, description="Look something up.", schema={"type": "object"})
    def look_up(self: Any, /, **given: Any) -> str:
        return f"found {given}"

    kind: type[BaseTool] = type(name, (BaseTool,), {path: look_up})
    return kind()
