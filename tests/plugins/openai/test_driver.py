"""The driver's calls against a strict provider on loopback."""

from __future__ import annotations

import asyncio
import gc
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from agenthost_plugin_openai import (
    OpenAiChatPromptDriver,
    OpenAiDriversConfig,
    agenthost_prompt_drivers,
)
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.artifacts import ErrorArtifact, JsonArtifact, TextArtifact
from agenthost_sdk.errors import DriverError
from agenthost_sdk.events import ActionChunkEvent, BaseEvent, TextChunkEvent
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    Message,
    PromptStack,
    TextMessageContent,
    Usage,
)
from agenthost_sdk.testing.conformance import DriverConformance
from support.provider_server import ProviderServer, chunk, sse

Json = dict[str, Any]

KEY = "sk-test-0123456789abcdef"

PRODUCT = ToolSpec(
    native="Calculator_evaluate",
    name="Calculator",
    path="evaluate",
    description="Work out an expression.",
    schema={
        "type": "object",
        "properties": {"expression": {"type": "string"}},
        "required": ["expression"],
        "additionalProperties": False,
    },
)


class TestConformance(DriverConformance):
    driver = OpenAiChatPromptDriver
    provider_packages = ("openai", "httpx2")


def call(id: str, expression: str) -> Json:
    return {"id": id, "name": PRODUCT.native, "input": {"expression": expression}}


def driver_of(server: Any, **fields: Any) -> OpenAiChatPromptDriver:
    """Return a driver that tries once."""
    given = {"max_attempts": 1, **fields}
    return OpenAiChatPromptDriver(base_url=server.openai_url, api_key=KEY, **given)


def question(text: str = "What is 23 * 19, and 7 + 5?") -> PromptStack:
    stack = PromptStack(tools=(PRODUCT,))
    stack.add_system_message("Use the tools.")
    stack.add_user_message(text)
    return stack


def results(message: Message, *outputs: Any) -> Message:
    return Message(
        "user",
        tuple(
            ActionResultMessageContent(
                asked.id, asked.native, output, isinstance(output, ErrorArtifact)
            )
            for asked, output in zip(message.calls, outputs, strict=True)
        ),
    )


def test_a_loop_of_two_rounds_with_parallel_calls_ends_in_the_answer(serve: Any, ask: Any) -> None:
    server = serve(
        {"text": "Let me see.", "tool_calls": [call("a", "23 * 19"), call("b", "7 +")]},
        {"tool_calls": [call("c", "7 + 5")]},
        {"text": "437 and 12."},
    )
    driver, stack = driver_of(server), question()

    first = ask(driver, stack)
    stack.messages += [first, results(first, JsonArtifact(437), ErrorArtifact("Cut short."))]
    second = ask(driver, stack)
    stack.messages += [second, results(second, JsonArtifact(12))]
    answer = ask(driver, stack)

    assert first.to_text() == "Let me see."
    assert [(asked.id, asked.arguments) for asked in first.calls] == [
        ("a", '{"expression": "23 * 19"}'),
        ("b", '{"expression": "7 +"}'),
    ]
    assert (first.finish, second.finish, answer.finish) == ("actions", "actions", "stop")
    assert answer.to_text() == "437 and 12."
    assert answer.usage == Usage(11, 7)
    assert [message["role"] for message in server.requests[-1]["messages"]] == [
        *("system", "user"),
        *("assistant", "tool", "tool"),
        *("assistant", "tool"),
    ]
    assert server.requests[-1]["messages"][4] == {
        "role": "tool",
        "tool_call_id": "b",
        "content": "Cut short.",
    }


def test_a_whole_reply_and_its_stream_are_one_and_the_same_message(serve: Any) -> None:
    reply = {"text": "Zwölf? Mal sehen …", "tool_calls": [call("a", "7 + 5")]}
    server = serve(reply, reply)

    whole = driver_of(server).run(question())
    streamed = driver_of(server, stream=True).run(question())

    assert whole == streamed
    assert whole.content == (
        TextMessageContent("Zwölf? Mal sehen …"),
        ActionCallMessageContent("a", PRODUCT.native, '{"expression": "7 + 5"}'),
    )


@pytest.mark.parametrize("piece", [1, 7, 64])
def test_a_stream_cut_into_pieces_anywhere_reads_the_same(serve: Any, piece: int) -> None:
    reply = {"text": "Zwölf … 🧮", "tool_calls": [call("a", "7 + 5"), call("b", "é")]}
    whole, cut = serve(reply), serve(reply, piece=piece)

    expected = driver_of(whole, stream=True).run(question())

    assert driver_of(cut, stream=True).run(question()) == expected


def test_a_stream_lost_after_any_byte_is_incomplete_until_its_end_was_said(serve: Any) -> None:
    stream = sse(
        [
            chunk({"role": "assistant", "content": "Zwölf"}),
            chunk({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "F"}}]}),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"x": 1}'}}]}),
            chunk({}, "tool_calls"),
        ]
    )
    body = stream.encode()
    begun, told = body.index(b"\n\n") + 2, body.index(b"data: [DONE]")
    reply = {"status": 200, "expected": {}, "sse": stream}
    lost = range(0, len(body), 3)
    server = serve(*({**reply, "cut_after": after} for after in lost))
    driver = driver_of(server, stream=True)

    for after in lost:
        if after < begun:
            with pytest.raises(DriverError, match=r"No connection|ended before"):
                driver.run(question())
            continue
        message = driver.run(question())

        assert message.to_text() == "Zwölf"
        assert message.finish == ("incomplete" if after < told else "actions")


def test_an_async_stream_that_is_lost_is_incomplete(serve: Any) -> None:
    stream = sse([chunk({"content": "Twelve is"}), chunk({"content": " the answer"})])
    server = serve({"status": 200, "expected": {}, "sse": stream, "cut_after": 250})
    driver = driver_of(server, stream=True)

    message = asyncio.run(driver.arun(question()))

    assert (message.to_text(), message.finish) == ("Twelve is", "incomplete")


def test_the_listeners_hear_each_piece_of_a_stream(serve: Any) -> None:
    server = serve({"text": "Let me see.", "tool_calls": [call("a", "7 + 5")]})
    heard: list[BaseEvent] = []

    driver_of(server, stream=True).run(question(), heard.append)

    tokens = [event.token for event in heard if isinstance(event, TextChunkEvent)]
    inputs = [event.partial_input for event in heard if isinstance(event, ActionChunkEvent)]
    assert len(tokens) > 1
    assert "".join(tokens) == "Let me see."
    assert "".join(inputs) == '{"expression": "7 + 5"}'


def test_a_server_of_ones_own_needs_no_key(
    serve: Any, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve({"text": "Hello."})
    monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)

    assert ask(OpenAiChatPromptDriver(), question()).to_text() == "Hello."


def test_one_driver_serves_many_event_loops_and_many_tasks_of_each(serve: Any) -> None:
    server = serve(*[{"text": "Hello."}] * 12)
    driver = driver_of(server)

    async def ask_thrice() -> list[Message]:
        return await asyncio.gather(*(driver.arun("Hello?") for _ in range(3)))

    messages = [message for _ in range(4) for message in asyncio.run(ask_thrice())]
    gc.collect()

    assert {message.to_text() for message in messages} == {"Hello."}
    assert len(messages) == 12


def test_an_async_stream_that_nobody_reads_to_its_end_leaves_nothing_open(serve: Any) -> None:
    server = serve({"text": "one two three four"})
    driver = driver_of(server)

    async def first_piece() -> str:
        async for delta in driver.atry_stream(question()):
            if delta.content is not None:
                return str(delta.content)
        return ""

    piece = asyncio.run(first_piece())
    gc.collect()

    assert "text='one" in piece or "text='on" in piece


def test_one_driver_serves_many_threads_at_once(serve: Any) -> None:
    server = serve(*[{"text": "Hello."}] * 32)
    driver = driver_of(server)

    with ThreadPoolExecutor(16) as pool:
        messages = list(pool.map(driver.run, ["Hello?"] * 32))

    assert {message.to_text() for message in messages} == {"Hello."}


def test_a_driver_whose_address_changes_asks_the_new_one(serve: Any) -> None:
    old, new = serve({"text": "old"}), serve({"text": "new"})
    driver = driver_of(old)
    driver.run("Who are you?")

    driver.base_url = new.openai_url

    assert driver.run("Who are you?").to_text() == "new"


def test_a_copy_with_another_model_asks_that_model(serve: Any) -> None:
    server = serve({"text": "Hello."})

    replace(driver_of(server), model="other").run("Hello?")

    assert server.requests[0]["model"] == "other"


@pytest.mark.parametrize(
    "copied", [deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["copied", "pickled"]
)
def test_a_driver_that_was_used_can_be_copied_and_handed_to_another_process(
    serve: Any, copied: Callable[[Any], Any]
) -> None:
    server = serve({"text": "One."}, {"text": "Two."})
    driver = driver_of(server)

    said = [driver.run("?").to_text(), copied(driver).run("?").to_text()]

    assert said == ["One.", "Two."]


def test_headers_and_further_fields_are_sent() -> None:
    with ProviderServer([{"text": "Hello."}]) as server:
        driver = driver_of(server, headers={"x-team": "seven"}, extra_params={"seed": 7})
        driver.run("Hello?")

    assert server.requests[0]["seed"] == 7
    assert server.headers[0]["x-team"] == "seven"
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_the_hook_and_the_config_give_the_driver() -> None:
    assert agenthost_prompt_drivers() == {"openai": OpenAiChatPromptDriver}
    assert isinstance(OpenAiDriversConfig().prompt_driver, OpenAiChatPromptDriver)


def test_the_default_model_is_one_that_the_sdk_lists() -> None:
    from typing import get_args

    from openai.types import ChatModel

    assert OpenAiChatPromptDriver().model in get_args(ChatModel)


def test_neither_the_plugin_nor_a_new_driver_imports_the_providers_package() -> None:
    program = """
import sys, agenthost_plugin_openai as plugin
config = plugin.OpenAiDriversConfig()
config.prompt_driver.count_tokens([]), config.embedding_driver
heavy = ("anthropic", "openai", "httpx2", "pydantic", "tenacity")
print([name for name in heavy if name in sys.modules])
"""

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert done.stdout.decode().strip() == "[]"


def test_a_program_that_ends_leaves_no_warning_behind() -> None:
    program = """
import asyncio, sys
from agenthost_plugin_openai import OpenAiChatPromptDriver
driver = OpenAiChatPromptDriver(base_url=sys.argv[1])
print(driver.run("Hello?").to_text(), asyncio.run(driver.arun("Hello?")).to_text())
"""
    with ProviderServer([{"text": "Hello."}] * 2) as server:
        command = [sys.executable, "-W", "error", "-c", program, server.openai_url]
        done = subprocess.run(command, capture_output=True, check=True, timeout=60)

    assert done.stdout.decode().strip() == "Hello. Hello."
    assert done.stderr.decode() == ""


def test_text_answers_reach_the_stack_as_text(serve: Any) -> None:
    server = serve({"text": "Hello."})

    assert driver_of(server).run(TextArtifact("Hello?")).to_artifact() == TextArtifact("Hello.")
