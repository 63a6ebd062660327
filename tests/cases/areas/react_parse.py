"""Replies in a text dialect, and the thought, actions or answer that each of them is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from agenthost.dialects import BUILT_IN
from agenthost_sdk.actions import NativeNames, ToolAction, ToolSpec, native_name
from agenthost_sdk.dialects import Reply
from agenthost_sdk.messages import Message, TextMessageContent
from cases.case_file import Case, Expected, holds_for_one

#: The dialect that reads each of the cases' formats.
_DIALECTS = {"actions-json": "actions_json", "classic": "classic", "react-paper": "classic"}

_JUDGED = {"kind", "thought", "actions", "answer", "must", "must_not", "accept", "why"}

_PAIR = re.compile(r'"name": "([^"]+)", "path": "([^"]+)"')
_NAME = re.compile(r"^\W*Action[ \d]*\W*[:：]\W*([\w.-]+)", re.MULTILINE)

#: Names that are the format's own.
_ENDS = {"finish", "final", "none"}

#: The activity of a case that names none: without any, no model is told of the format.
_ANY = {("Clock", "now"): None}


def run(case: Case) -> None:
    """Read the reply of a case over a table of the tools that it speaks of."""
    table = _table(case)
    message = Message("assistant", (TextMessageContent(case.input["text"]),))
    reply = BUILT_IN[_DIALECTS[case.input["dialect"]]]().read(message, table)
    understood = _JUDGED | case.expected.keys()  # what else an alternative says is for readers

    def judge(expected: Expected) -> None:
        assert expected.keys() <= understood
        is_other = expected["kind"] != case.expected["kind"]
        must = expected.get("must", "")
        _judge(reply, expected, "" if is_other and must == case.expected.get("must") else must)

    holds_for_one(case, judge)
    _assert_must_not(reply, case)


def _table(case: Case) -> NativeNames:
    """Return the tools of a case, or else all that are expected or named in its text."""
    if "tools" in case.input:
        return NativeNames(
            [
                _spec(tool["name"], tool.get("path"), tool.get("params", ()))
                for tool in _tools(case)
            ]
        )
    alternatives = [case.expected, *case.expected.get("accept", ())]
    asked = [action for one in alternatives for action in one.get("actions", ())]
    pairs = {(action["name"], action.get("path")): None for action in asked}
    known = {name for name, _ in pairs}
    text = case.input["text"]
    named = [*_PAIR.findall(text), *((name, None) for name in _NAME.findall(text))]
    pairs |= {(name, path): None for name, path in named if _is_new(name, path, known)}
    return NativeNames([_spec(name, path) for name, path in pairs or _ANY])


def _tools(case: Case) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = case.input["tools"]
    return tools


def _is_new(name: str, path: str | None, known: set[str]) -> bool:
    is_called = path is not None or name.casefold() not in {one.casefold() for one in known}
    return is_called and name.casefold() not in _ENDS


def _spec(name: str, path: str | None, parameters: list[str] | tuple[str, ...] = ()) -> ToolSpec:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {parameter: {"type": "string"} for parameter in parameters},
        "required": [*parameters],
    }
    return ToolSpec(native_name(name, path), name, path, "", schema)


def _judge(reply: Reply, expected: Expected, must: str) -> None:
    running = [action for action in reply.actions if not action.failed]
    kind = "actions" if running else "answer" if reply.is_answer else "error"
    assert kind == expected["kind"], f"{reply}"
    if "thought" in expected:
        assert reply.thought == (expected["thought"] or "")
    assert (reply.answer and str(reply.answer)) == expected.get("answer")
    if kind == "error":
        _assert_told(reply, must)
        return
    if "told" in must:
        _assert_told(reply, must)
    _assert_actions(reply, running, expected.get("actions", ()))


def _assert_told(reply: Reply, must: str) -> None:
    """Assert that the model is told something, with each word that the condition quotes."""
    told = "\n".join([reply.problem or "", *(str(action.output) for action in reply.actions)])
    assert told.strip()
    for word in re.findall(r"'([\w ]+):?'", must):
        assert word in told
    for label in re.findall(r"\b(Action Input|Actions)\b", must):
        assert label.lower() in told.lower()


def _assert_actions(reply: Reply, running: list[ToolAction], expected: Any) -> None:
    """Assert that the right actions run; one beside them that cannot is answered by an error."""
    assert len({action.tag for action in reply.actions}) == len(reply.actions)
    assert len(running) == len(expected), f"{reply.actions}"
    for action, right in zip(running, expected, strict=True):
        assert right.get("tag", "*") in (action.tag, "*")
        assert (action.name, action.path) == (right["name"], right.get("path"))
        assert _is_input(action.input, right["input"]), f"{action.input}"


def _is_input(given: Mapping[str, Any], right: Any) -> bool:
    """Return whether an input is the right one; a text may stand under the only key."""
    if isinstance(right, str):
        return [*given.values()] == [right]
    return json.dumps(given) == json.dumps(right)


def _assert_must_not(reply: Reply, case: Case) -> None:
    expected, words = case.expected, case.expected.get("must_not", "")
    inputs = _text_of([dict(action.input) for action in reply.actions])
    right = [expected, *expected.get("accept", ())]
    answer = str(reply.answer) if reply.answer else None
    for quoted in _quoted(words):
        if "input" in words and quoted not in _text_of([one.get("actions") for one in right]):
            assert quoted not in inputs
        if "answer" in words or "return" in words:
            assert answer != quoted
    if re.search(r"\banswer\b|raw text|print the JSON|to the user", words):
        assert answer in [one.get("answer") for one in right]


def _text_of(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _quoted(words: str) -> Iterator[str]:
    return (found[1] for found in re.finditer(r"'([^']+)'", words))
