"""Nothing runs that may lack its end, whether the provider says that a reply was cut or not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agenthost_sdk.artifacts import ErrorArtifact, TextArtifact
from agenthost_sdk.dialects import Reply

Read = Callable[..., Reply]

SEARCH = '{"tag": "1", "name": "search", "input": {"query": "river"}}'


@pytest.mark.parametrize(
    "written",
    [
        '{"query": "riv',
        '`{"query": "riv',
        '`{"query": "river"',
        '```json\n{"query": "riv',
        '"{\\"query\\": \\"riv',
        '"{\\"query\\": \\"river\\"}, ',
        '“{"query": "riv',
        'the query is {"query": "river"',
        'the query is {"query": "riv',
        'This:\n{"query": ["a", "b"',
    ],
    ids=repr,
)
@pytest.mark.parametrize("finish", ["stop", "length"])
def test_an_object_without_its_end_is_refused_as_cut(
    read: Read, written: str, finish: str
) -> None:
    reply = read("classic", f"Thought: I look.\nAction: search\nAction Input: {written}", finish)

    [action] = reply.actions
    assert isinstance(action.output, ErrorArtifact)
    assert action.output.code == "invalid-json"
    assert action.input == {}
    assert reply.answer is None


@pytest.mark.parametrize(
    ("name", "written", "given"),
    [
        ("search", 'the word {"colour": is odd', {"query": 'the word {"colour": is odd'}),
        ("search", "{ print $1", {"query": "{ print $1"}),
        ("python", 'x = {"a": 1', {"code": 'x = {"a": 1'}),
        ("Stock_reserve", "two {of them", {"raw": "two {of them"}),
    ],
    ids=lambda value: str(value)[:30],
)
def test_words_with_a_brace_are_words(
    read: Read, name: str, written: str, given: dict[str, str]
) -> None:
    [action] = read("classic", f"Action: {name}\nAction Input: {written}").actions

    assert (action.input, action.failed) == (given, False)


@pytest.mark.parametrize(
    "text",
    [
        "Action: search[Tides [deluxe]",
        "Action: search[Tides",
        "Action: search(Tides (deluxe)",
        "Action: search[Tides\nand [more]",
    ],
    ids=repr,
)
def test_a_bracket_that_a_cut_reply_left_open_is_not_run(read: Read, text: str) -> None:
    [action] = read("classic", f"Thought: I look.\n{text}", "length").actions

    assert isinstance(action.output, ErrorArtifact)
    assert "never closed" in action.output.value


def test_a_bracket_within_a_line_of_a_whole_reply_may_be_left_open(read: Read) -> None:
    [action] = read("classic", "Action: search[Tides [deluxe]").actions

    assert action.input == {"query": "Tides [deluxe"}


@pytest.mark.parametrize("finish", ["length", "incomplete"])
@pytest.mark.parametrize(
    ("dialect", "asked"),
    [
        ("classic", 'Action: search\nAction Input: {"query": "river"}'),
        ("classic", "Action: search[river]"),
        ("classic", f"Actions: [{SEARCH}]"),
        ("actions_json", f"Actions: [{SEARCH}]"),
        ("json", f"Actions: [{SEARCH}]"),
    ],
)
@pytest.mark.parametrize("rest", ["", "\n", "\n```"], ids=repr)
@pytest.mark.parametrize(
    "before", ["Thought: The format is\n```\n", "The format is:\n\n```text\nSo\n"], ids=repr
)
def test_an_action_that_a_cut_reply_only_shows_in_a_fence_is_not_run(
    read: Read, dialect: str, asked: str, before: str, rest: str, finish: str
) -> None:
    reply = read(dialect, f"{before}{asked}{rest}", finish)

    assert reply.actions == ()
    assert reply.answer is None or finish == "length"


@pytest.mark.parametrize("finish", ["stop", "length"])
def test_an_action_before_an_open_fence_runs(read: Read, finish: str) -> None:
    text = f"Thought: I look.\nActions: ```json\n[{SEARCH}]\n```\n```\nAction: x"

    [action] = read("actions_json", text, finish).actions

    assert (action.input, action.failed) == ({"query": "river"}, False)


def test_an_answer_with_an_open_fence_is_kept_and_marked_as_cut(read: Read) -> None:
    text = "This is how:\n```\nAction: search\nAction Input: a"

    reply = read("classic", text, "length")

    assert reply.answer == TextArtifact(text)
    assert reply.cut
