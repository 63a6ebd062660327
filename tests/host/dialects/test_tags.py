"""Calls that a model wrote in the tags of its template are run, answered, or only spoken of."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost.dialects import BUILT_IN
from agenthost_sdk.actions import NativeNames, ToolSpec
from agenthost_sdk.artifacts import ErrorArtifact, TextArtifact
from agenthost_sdk.dialects import Reply
from agenthost_sdk.messages import Finish, Message, TextMessageContent

CITY: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "note": {"type": "string"}},
    "required": ["city"],
}
TABLE = NativeNames(
    [
        ToolSpec("weather", "weather", None, "", CITY),
        ToolSpec("Clock_now", "Clock", "now", "", {"type": "object"}),
    ]
)

every_dialect = pytest.mark.parametrize("dialect", sorted(BUILT_IN))

BERGEN = '{"city": "Bergen"}'

#: One call in the tags of each template.
CALLS = {
    "hermes": f'<tool_call>\n{{"name": "weather", "arguments": {BERGEN}}}\n</tool_call>',
    "name in the tag": f'<tool_call name="weather">{BERGEN}</tool_call>',
    "llama function": f"<function=weather>{BERGEN}</function>",
    "llama python": f'<|python_tag|>{{"name": "weather", "parameters": {BERGEN}}}<|eom_id|>',
    "mistral": f'[TOOL_CALLS] [{{"name": "weather", "arguments": {BERGEN}}}]',
    "mistral args": f"[TOOL_CALLS]weather[ARGS]{BERGEN}",
    "mistral id": f"[TOOL_CALLS]weather[CALL_ID]a1[ARGS]{BERGEN}",
    "glm": (
        "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Bergen</arg_value>\n</tool_call>"
    ),
    "glm in a line": (
        "<tool_call>weather<arg_key>city</arg_key><arg_value>Bergen</arg_value></tool_call>"
    ),
    "qwen": (
        "<tool_call>\n<function=weather>\n<parameter=city>\nBergen\n</parameter>\n</function>\n"
        "</tool_call>"
    ),
    "qwen, no end": "<function=weather><parameter=city>Bergen</parameter>",
    "invoke": '<invoke name="weather">\n<parameter name="city">Bergen</parameter>\n</invoke>',
    "invoke in calls": (
        '<x:function_calls>\n<x:invoke name="weather">\n'
        '<x:parameter name="city">Bergen</x:parameter>\n</x:invoke>\n</x:function_calls>'
    ),
    "deepseek": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n"
        f"```json\n{BERGEN}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "deepseek 3.1": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>"
        f"{BERGEN}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "kimi": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0"
        f"<|tool_call_argument_begin|>{BERGEN}<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "harmony": (
        f"<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{BERGEN}<|call|>"
    ),
    "harmony, to first": (
        f"<|start|>assistant to=functions.weather<|channel|>commentary json<|message|>{BERGEN}"
    ),
    "harmony, analysed": (
        "<|channel|>analysis<|message|>Oslo? No.<|end|><|start|>assistant"
        f"<|channel|>commentary to=functions.weather<|message|>{BERGEN}<|call|>"
    ),
}


def read(dialect: str, text: str, finish: Finish = "stop") -> Reply:
    message = Message("assistant", (TextMessageContent(text),), finish=finish)
    return BUILT_IN[dialect]().read(message, TABLE)


@every_dialect
@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS)
def test_a_call_in_tags_is_an_action(dialect: str, text: str) -> None:
    reply = read(dialect, text)

    [action] = reply.actions
    assert not action.failed, action
    assert (action.native, action.input) == ("weather", {"city": "Bergen"})
    assert any("tags" in repair for repair in action.repairs)
    assert reply.thought == ""


@every_dialect
@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS)
def test_what_is_said_before_a_call_is_the_thought(dialect: str, text: str) -> None:
    reply = read(dialect, f"I look.\n{text}")

    assert [action.input for action in reply.actions] == [{"city": "Bergen"}]
    assert reply.thought.startswith("I look.")


@every_dialect
def test_several_calls_run_side_by_side(dialect: str) -> None:
    one, two = CALLS["invoke"], CALLS["invoke"].replace("Bergen", "`Oslo")

    reply = read(dialect, f"{one}{two}\n{one}")

    assert [action.input["city"] for action in reply.actions] == ["Bergen", "`Oslo", "Bergen"]
    assert not any(action.failed for action in reply.actions)


@every_dialect
@pytest.mark.parametrize(
    "text",
    [
        "<function=Clock_now>\n</function>",
        "<tool_call>Clock_now\n</tool_call>",
        '<invoke name="Clock_now"></invoke>',
        "<｜tool▁call▁begin｜>Clock_now<｜tool▁sep｜><｜tool▁call▁end｜>",
        "<|tool_call_begin|>functions.Clock_now:0<|tool_call_argument_begin|><|tool_call_end|>",
    ],
    ids=repr,
)
def test_a_call_with_nothing_in_it_runs_without_an_input(dialect: str, text: str) -> None:
    [action] = read(dialect, text).actions

    assert (action.native, action.input, action.failed) == ("Clock_now", {}, False)


@every_dialect
@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>weather<arg_key>city</arg_key><arg_value>Ber",
        "<tool_call>weather<arg_key>city</arg_key><arg_value>Bergen</arg_value><arg_key>no",
        "<function=weather><parameter=city>Ber",
        "<function=weather><parameter=city>Bergen</parameter><parameter=note>a",
        "<function=weather><parameter=city>Bergen<parameter=note>a</parameter></function>",
        '<invoke name="weather"><parameter name="city">Bergen</parameter><parameter name="no',
        '<function=weather>{"city": "Ber',
        'So I call <function=weather>{"city": "Ber',
        '<tool_call>{"name": "weather", "arguments": {"city": "Ber',
        '<｜tool▁call▁begin｜>weather<｜tool▁sep｜>{"city": "Ber',
        '<|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{"city": "Ber',
        '<|channel|>commentary to=functions.weather<|message|>{"city": "Ber',
        "<|channel|>commentary to=functions.weather",
        '<|python_tag|>weather.call(city="Bergen")',
        '<tool_call>weather(city="Bergen")</tool_call>',
        '<tool_call>{"city": "Bergen"}</tool_call>',
        '<function=weather>["Bergen"]</function>',
    ],
    ids=repr,
)
def test_a_call_that_is_not_whole_is_answered_by_an_error(dialect: str, text: str) -> None:
    for finish in ("stop", "length"):
        reply = read(dialect, text, finish)

        assert reply.answer is None
        assert reply.actions
        assert all(isinstance(action.output, ErrorArtifact) for action in reply.actions)


@every_dialect
def test_a_name_that_is_not_on_offer_is_answered_with_the_nearest(dialect: str) -> None:
    [action] = read(dialect, f"<function=wether>{BERGEN}</function>").actions

    assert isinstance(action.output, ErrorArtifact)
    assert "Did you mean 'weather'?" in action.output.value


@every_dialect
def test_parts_that_may_be_followed_by_more_are_not_run_where_the_reply_was_cut(
    dialect: str,
) -> None:
    text = "<function=weather><parameter=city>Bergen</parameter>"

    [cut] = read(dialect, text, "length").actions
    [whole] = read(dialect, f"{text}</function>", "length").actions

    assert cut.failed
    assert not whole.failed


@every_dialect
@pytest.mark.parametrize(
    "text",
    [
        "Write <tool_call>...</tool_call> to call.",
        "Write `<tool_call>`, the JSON and `</tool_call>`.",
        'Write `<tool_call>{"name": "weather", "arguments": {"city": "x"}}</tool_call>` to call.',
        "The tag <tool_call> begins a call, and </tool_call> ends it.",
        "<tool_call> is the tag with which a call begins.",
        "<tool_call> … </tool_call>",
        "<tool_call>...</tool_call>",
        'So: <tool_call>{"name": "weather", "arguments": {...}}</tool_call>',
        '<tool_call>{"name": "...", "arguments": {}}</tool_call>',
        "Use `<function=name>{...}</function>` for it.",
        "Use <function=NAME>...</function>.",
        'Models write <function=weather>{"city": …}</function> here.',
        'A model writes <function=name>{"key": "value"}</function> in its reply.',
        'Use <invoke name="...">...</invoke>.',
        "Use <function=NAME><parameter=KEY>VALUE</parameter></function>.",
        'In ``<invoke name="weather">`` the name stands.',
        "The token <|channel|>commentary to=functions.weather is of Harmony.",
        "Kimi writes `<|tool_call_begin|>functions.weather:0`.",
        "Mistral uses [TOOL_CALLS] before the array.",
        f"It looks so:\n\n```xml\n{CALLS['qwen']}\n```\n\nThat is all.",
        f"It looks so:\n\n```\n{CALLS['hermes']}\n{CALLS['hermes']}\n```",
    ],
    ids=repr,
)
def test_tags_that_a_text_only_speaks_of_are_text(dialect: str, text: str) -> None:
    assert read(dialect, text).answer == TextArtifact(text)


@every_dialect
def test_a_call_behind_a_fence_and_a_mention_is_an_action(dialect: str) -> None:
    text = f"Not `<tool_call>`, and no\n```\n<tool_call>\n```\nbut:\n{CALLS['hermes']}"

    [action] = read(dialect, text).actions

    assert (action.input, action.failed) == ({"city": "Bergen"}, False)


@every_dialect
@pytest.mark.parametrize(
    "text",
    [
        "<|channel|>final<|message|>It rains.",
        "<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>It rains.",
        "<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>"
        "<|start|>assistant<|channel|>final<|message|>It rains.",
        "<|channel|>commentary<|message|>It rains.",
    ],
    ids=repr,
)
def test_the_channels_of_harmony_are_no_part_of_the_answer(dialect: str, text: str) -> None:
    assert read(dialect, text).answer == TextArtifact("It rains.")


@every_dialect
def test_a_reply_of_nothing_but_analysis_is_empty(dialect: str) -> None:
    reply = read(dialect, "<|channel|>analysis<|message|>Hm. Rain?<|end|>")

    assert reply.problem is not None
    assert "empty" in reply.problem
