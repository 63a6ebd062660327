"""The driver against a server that nobody here wrote: llama.cpp's own, with a small real model.

The server is the one in the wheel that the plugin of the local model uses. It runs in a process of
its own, on loopback.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenthost_plugin_local.fetching import fetched
from agenthost_plugin_local.models import SMOLLM2
from agenthost_plugin_openai import OpenAiChatPromptDriver
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.artifacts import JsonArtifact
from agenthost_sdk.errors import DriverRequestError
from agenthost_sdk.events import BaseEvent, TextChunkEvent
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    Message,
    PromptStack,
    text_message,
)

# How a model of this family is told of its tools; the small one's own template leaves them out.
_TEMPLATE = """
{%- for tool in tools or [] %}<|im_start|>system
{{ tool | tojson }}<|im_end|>
{% endfor %}{%- for message in messages %}<|im_start|>{{ message.role }}
{{ message.content or "" }}{%- for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{%- endfor %}<|im_end|>
{% endfor %}{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""

# Says where it listens, and ends when its input does.
_SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.chat_template = sys.argv[1:]
params.use_jinja = True
params.n_ctx, params.n_parallel = 1024, 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.warmup, params.cache_ram_mib, params.verbosity = False, 0, -1
params.hostnames, params.port = ["127.0.0.1"], 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""

COUNT = ToolSpec(
    "Stock_count",
    "Stock",
    "count",
    "Count the units of an item on hand.",
    {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]},
)

CITY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "enum": ["Paris", "Rome"]},
        "n": {"type": "integer"},
    },
    "required": ["city", "n"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server's address."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AGENTHOST_HOME", str(tmp_path_factory.mktemp("home")))
        model = fetched(SMOLLM2)
    with _server(model) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"{process.stdout.readline().strip()}/v1"
        process.stdin.close()
        assert process.wait(60) == 0


def _server(model: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _SERVE, str(model), _TEMPLATE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


@pytest.fixture(params=["whole", "streamed"])
def driver(request: pytest.FixtureRequest, address: str) -> OpenAiChatPromptDriver:
    return OpenAiChatPromptDriver(
        base_url=address,
        profile="llama.cpp",
        model="smollm2",
        stream=request.param == "streamed",
        temperature=0.0,
        max_tokens=32,
    )


def test_it_chats_and_counts_its_tokens(driver: OpenAiChatPromptDriver) -> None:
    message = driver.run("Say hello in one short sentence.")

    assert message.to_text().strip()
    assert message.finish in ("stop", "length")
    assert (message.usage.input_tokens or 0) > 5
    assert 0 < (message.usage.output_tokens or 0) <= 32


def test_it_streams_word_by_word(address: str) -> None:
    heard: list[BaseEvent] = []
    driver = OpenAiChatPromptDriver(base_url=address, stream=True, temperature=0.0, max_tokens=16)

    message = asyncio.run(driver.arun("Count from one to ten.", heard.append))

    tokens = [event.token for event in heard if isinstance(event, TextChunkEvent)]
    assert len(tokens) > 3
    assert "".join(tokens) == message.to_text()


def test_it_stops_at_its_longest(driver: OpenAiChatPromptDriver) -> None:
    driver.max_tokens = 3

    message = driver.run("Tell me a long story.")

    assert (message.finish, message.usage.output_tokens) == ("length", 3)


def test_its_answer_meets_a_schema(driver: OpenAiChatPromptDriver) -> None:
    stack = PromptStack.from_artifact(
        "What is the capital of France, and how many letters has it?"
    )
    stack.output_schema = CITY
    driver.max_tokens = 64

    answer = json.loads(driver.run(stack).to_text())

    assert driver.structured_output_strategy == "native"
    assert answer.keys() == {"city", "n"}
    assert answer["city"] in ("Paris", "Rome")
    assert isinstance(answer["n"], int)


def looked_up(sku: str, units: int) -> list[Message]:
    """Return a round that the model can go by: small as it is, it repeats what it saw."""
    call = ActionCallMessageContent(sku, COUNT.native, json.dumps({"sku": sku}))
    result = ActionResultMessageContent(sku, COUNT.native, JsonArtifact(units))
    return [
        text_message("user", f"How many {sku} are left?"),
        Message("assistant", (call,)),
        Message("user", (result,)),
        text_message("assistant", f"{units} units."),
    ]


def test_it_calls_tools_and_is_told_of_results(driver: OpenAiChatPromptDriver) -> None:
    question = text_message("user", "How many AB-3 are left?")
    stack = PromptStack([*looked_up("AB-1", 4), *looked_up("AB-2", 9), question], (COUNT,))
    driver.max_tokens = 64

    asked = driver.run(stack)
    [call] = asked.calls
    came = ActionResultMessageContent(call.id, call.native, JsonArtifact(7))
    stack.messages += [asked, Message("user", (came,))]
    answer = driver.run(stack)

    assert (call.native, json.loads(call.arguments)) == (COUNT.native, {"sku": "AB-3"})
    assert (asked.finish, answer.finish) == ("actions", "stop")
    assert "7" in answer.to_text()


def test_what_is_too_long_for_it_is_a_refused_request(driver: OpenAiChatPromptDriver) -> None:
    with pytest.raises(DriverRequestError, match="context") as caught:
        driver.run("word " * 2000)

    assert caught.value.status == 400
