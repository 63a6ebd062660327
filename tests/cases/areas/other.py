"""Streams as bytes, loops that go on, tools that fail or return odd things, braces in data.

What reads an event stream in this project is the SDK of the provider, within the client that the
driver makes: a stream's bytes are sent over loopback in the parts of the case, each as a chunk of
its own, and that client's events are judged, and how the driver says that the reply ended.
All else runs through `PromptTask` with a scripted model.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agenthost import Limits, PromptTask
from agenthost.dialects import BUILT_IN
from agenthost_plugin_openai import OpenAiChatPromptDriver
from agenthost_sdk import BaseTool, Message, ToolError, activity
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    PromptStack,
    TextMessageContent,
)
from agenthost_sdk.testing import ScriptedDriver, calls
from cases.case_file import Case, Expected, holds_for_one
from cases.event_stream import ending_of, events_of
from support.provider_server import ProviderServer

#: What the expressions of the cases may name.
_NAMES: dict[str, Any] = {"ToolError": ToolError, "asyncio": asyncio, "json": json}

_QUOTED = re.compile(r"'([^']+)'")


def run(case: Case) -> None:
    """Play a case, and judge what comes of it."""
    kind = case.input["kind"]
    _KINDS["parallel" if "parallel" in kind else kind](case)


def _sse_bytes(case: Case) -> None:
    parts = [base64.b64decode(part) for part in case.input["parts_b64"]]
    found = [(one.event or "message", one.data) for one in events_of(parts)]

    def judge(expected: Expected) -> None:
        events = [(one.get("event") or "message", one["data"]) for one in expected["events"]]
        assert found == events

    holds_for_one(case, judge)
    if not any(data.startswith("[DONE]") or "finish_reason" in data for _, data in found):
        assert ending_of(parts) in ("incomplete", "error")


def _loop(case: Case) -> None:
    replies = [_reply(one) for one in case.input["replies"]]
    most = case.input["max_steps"]
    native = any(isinstance(one, Message) and one.calls for one in replies)
    driver = ScriptedDriver(replies, use_native_tools=native)
    task = PromptTask(
        "?",
        tools=[
            _returning(tool["name"], tool.get("returns")) for tool in case.input.get("tools", ())
        ],
        prompt_driver=driver,
        dialect="native" if native else _dialect(case.input["replies"]),
        limits=Limits(
            max_subtasks=max(1, most - 1),
            max_reply_repairs=max(1, most - 1),
            max_repeats=most + 1,
            last_turn=False,
        ),
    )
    done = task.run()

    def judge(expected: Expected) -> None:
        assert len(driver.stacks) == expected.get("model_calls", len(driver.stacks))
        assert len(driver.stacks) <= most
        if "answer" in expected:
            assert str(done.output) == expected["answer"]
        elif "limit" in expected.get("outcome", ""):
            assert done.stopped_by.startswith("max_") or not isinstance(done.output, ErrorArtifact)

    holds_for_one(case, judge)
    assert done.output is not None
    for words in _QUOTED.findall(_without_examples(case.expected.get("must_not", ""))):
        assert words not in str(done.output)


def _tool_error(case: Case) -> None:
    call = case.input["call"]

    def fail() -> Any:
        raised = eval(case.input["tool_raises"], dict(_NAMES))
        raise raised

    first = _calling(call["id"], call["name"], call["arguments"])
    driver = ScriptedDriver([first, "I have seen it."])
    done = PromptTask("?", tools=[_tool(call["name"], fail)], prompt_driver=driver).run()
    [result] = _results(driver.stacks[1])
    text = result.to_text()

    def judge(expected: Expected) -> None:
        told = expected["tool_result"]
        assert result.id == told["id"] or (told["id"] == "*" and result.id)
        assert result.failed == told.get("is_error", True)
        for words in told.get("text_has", ()):
            assert words in text
        for words in told.get("text_has_not", ()):
            assert words not in text

    holds_for_one(case, judge)
    assert done.value == "I have seen it."
    assert "Traceback" not in text
    assert str(Path(__file__).parent) not in text


def _template(case: Case) -> None:
    given = [str(words) for key, words in case.input.items() if key != "kind"]
    assert case.expected.get("rendered_has", "") in "\n".join(given)
    for dialect in BUILT_IN:
        for words in given:
            assert all(words in text for text in _shown_in(dialect, words))


def _shown_in(dialect: str, words: str) -> list[str]:
    """Return how a question, a result and an answer that say these words come out of a run."""
    speaker = BUILT_IN[dialect]()
    seen: list[str] = []
    for question, returned in ((words, "x"), ("?", words)):
        driver = ScriptedDriver(
            [_asking(dialect), speaker.conclude(words, "Done.")],
            use_native_tools=dialect == "native",
        )
        tools = [_returning("Tool_run", returned)]
        done = PromptTask(question, tools=tools, prompt_driver=driver, dialect=dialect).run()
        seen.append(_all_text(driver.stacks[1]))
    return [*seen, str(done.output)]


def _tool_result_type(case: Case) -> None:
    def give() -> Any:
        return eval(case.input["returns_python"], dict(_NAMES))

    call = {"id": "call_1", "name": "Tool_run", "input": {}}
    with ProviderServer([{"tool_calls": [call]}, {"text": "I have it."}]) as server:
        driver = OpenAiChatPromptDriver(base_url=server.openai_url, api_key="key")
        done = PromptTask("?", tools=[_tool("Tool_run", give)], prompt_driver=driver).run()
    assert server.refused == []
    assert done.value == "I have it.", done.value
    [action] = done.subtasks[0].actions
    assert not action.failed
    sent = json.dumps(server.requests[1]["messages"], ensure_ascii=False)
    for words in case.expected.get("text_has", _QUOTED.findall(case.expected.get("must", ""))):
        assert words in sent


def _parallel(case: Case) -> None:
    """Let the calls of one reply end in the reverse of their order; the results keep theirs."""
    asked = next(value for value in case.input.values() if isinstance(value, list))
    done = [threading.Event() for _ in asked]

    def ending(place: int) -> Callable[[], Any]:
        def end() -> Any:
            if place + 1 < len(done):
                done[place + 1].wait(10)
            done[place].set()
            return asked[place].get("returns", place)

        return end

    tools = [_tool(f"Tool{place}_run", ending(place)) for place in range(len(asked))]
    blocks = [
        block
        for place, call in enumerate(asked)
        for block in _calling(call.get("id") or call["tag"], f"Tool{place}_run", {}).content
    ]
    driver = ScriptedDriver([Message("assistant", tuple(blocks), finish="actions"), "Done."])
    PromptTask("?", tools=tools, prompt_driver=driver).run()

    ids = [call.get("id") or call["tag"] for call in asked]
    assert [result.id for result in _results(driver.stacks[1])] == ids


_KINDS: dict[str, Callable[[Case], None]] = {
    "sse-bytes": _sse_bytes,
    "loop": _loop,
    "tool-error": _tool_error,
    "template": _template,
    "tool-result-type": _tool_result_type,
    "parallel": _parallel,
}


def _tool(native: str, function: Callable[[], Any]) -> BaseTool:
    """Return a tool with one activity that takes any input and does what the function does."""
    name, _, path = _native(native).partition("_")

    def call(self: Any, /, **given: Any) -> Any:
        """Do it."""
        return function()

    does = activity(name=path, schema={"type": "object"}, read_only=True)(call)
    made: BaseTool = type(name, (BaseTool,), {"__doc__": "Do it.", "call": does})(name=name)
    return made


def _native(name: str) -> str:
    """Return the native name for a tool of a case, whose activity may bear no name."""
    return name if "_" in name else f"{name}_run"


def _returning(native: str, value: Any) -> BaseTool:
    return _tool(native, lambda: value)


def _calling(tag: str, native: str, given: Mapping[str, Any] | str) -> Message:
    arguments = given if isinstance(given, str) else json.dumps(given)
    return Message("assistant", (ActionCallMessageContent(tag, _native(native), arguments),))


def _reply(given: Any) -> Message:
    """Return a reply of a case: a text, or a message with calls."""
    if isinstance(given, str):
        return Message("assistant", (TextMessageContent(given),))
    asked = given.get("tool_calls") or given.get("calls") or ()
    text = (TextMessageContent(given["text"]),) if given.get("text") else ()
    made = [
        block
        for one in asked
        for block in _calling(one["id"], one["name"], one.get("arguments", {})).content
    ]
    return Message("assistant", (*text, *made))


def _dialect(replies: Sequence[Any]) -> str:
    said = "\n".join(str(reply) for reply in replies)
    return (
        "classic" if re.search(r"^(Action|Final Answer)\b", said, re.MULTILINE) else "actions_json"
    )


def _asking(dialect: str) -> Message:
    if dialect == "native":
        return calls(("Tool_run", {}))
    action = {"tag": "1", "name": "Tool", "path": "run", "input": {}}
    text = {
        "actions_json": f"Thought: t\nActions: {json.dumps([action])}",
        "classic": "Thought: t\nAction: Tool_run\nAction Input: {}",
        "json": json.dumps({"thought": "t", "actions": [action]}),
    }[dialect]
    return Message("assistant", (TextMessageContent(text),))


def _results(stack: PromptStack) -> list[ActionResultMessageContent]:
    blocks = [block for message in stack.messages for block in message.content]
    return [block for block in blocks if isinstance(block, ActionResultMessageContent)]


def _all_text(stack: PromptStack) -> str:
    return "\n".join(block.to_text() for message in stack.messages for block in message.content)


def _without_examples(words: str) -> str:
    return words.split("for example")[0]
