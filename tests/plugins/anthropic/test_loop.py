"""The host's whole loop on the driver, against a strict provider on loopback."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import pytest

from agenthost.tasks.prompt_task import PromptTask
from agenthost.tasks.run import Run
from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_sdk.activities import activity
from agenthost_sdk.drivers import StructuredOutputStrategy
from agenthost_sdk.tools import BaseTool
from support.provider_server import ProviderServer

Json = dict[str, Any]


class Stock(BaseTool):
    """Look up stock."""

    @activity(read_only=True)
    def count(self, sku: str) -> int:
        """Count the units on hand.

        Args:
            sku: Stock keeping unit.
        """
        return {"AB-1": 4, "AB-2": 9}[sku]

    @activity(read_only=True)
    async def site(self, sku: str, full: bool = False) -> str:
        """Tell where an item is stored."""
        return f"{sku}: hall 7" if full else "hall 7"


@dataclass
class Level:
    """How much there is of an item."""

    sku: str
    units: int
    site: str | None = None


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def stream(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def in_loop(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=[False, True], ids=["lax", "strict"])
def strict(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def call(id: str, name: str, **given: Any) -> Json:
    return {"id": id, "name": name, "input": given}


def carried_out(task: PromptTask, in_loop: bool) -> Run:
    return asyncio.run(task.arun()) if in_loop else task.run()


def answers(request: Json) -> dict[str, Json]:
    """Return the results in a request by the ids of their calls."""
    blocks = [block for message in request["messages"] for block in message["content"]]
    return {one["tool_use_id"]: one for one in blocks if one["type"] == "tool_result"}


def words(result: Json) -> str:
    return "".join(part["text"] for part in result["content"])


ROUNDS: list[Json] = [
    {
        "text": "Let me look.",
        "tool_calls": [
            call("a", "Stock_count", sku="AB-1"),
            call("b", "Stock_site", sku="AB-1", full=True),
        ],
    },
    {"tool_calls": [call("failing", "Stock_count", sku="ZZ-9"), call("c", "Stock_site", sku="x")]},
    {"tool_calls": [call("invalid", "Stock_count", item="AB-1")]},
    {"tool_calls": [call("unknown", "Stock_ship", sku="AB-1"), call("a", "Stock_site", sku="y")]},
    {"tool_calls": [call("d", "Stock_count", sku="AB-2")]},
]


def test_a_task_of_five_rounds_answers_every_call_of_each(
    serve: Any, stream: bool, in_loop: bool, strict: bool
) -> None:
    server = serve(*ROUNDS, {"text": "4 and 9 units, in hall 7."})
    driver = AnthropicPromptDriver(base_url=server.anthropic_url, stream=stream, strict=strict)
    task = PromptTask("How many are left?", tools=[Stock()], prompt_driver=driver)

    run = carried_out(task, in_loop)

    found = answers(server.requests[-1])
    assert run.value == "4 and 9 units, in hall 7."
    assert [len(one.actions) for one in run.subtasks if one.actions] == [2, 2, 1, 2, 1]
    assert list(found) == ["a", "b", "failing", "c", "invalid", "unknown", "a_2", "d"]
    assert [words(found[id]) for id in ("a", "b", "c", "d")] == [
        "4",
        "AB-1: hall 7",
        "hall 7",
        "9",
    ]
    failed = [id for id, one in found.items() if one.get("is_error")]
    assert failed == ["failing", "invalid", "unknown"]
    assert "ZZ-9" in words(found["failing"])
    assert "sku" in words(found["invalid"])
    assert "Stock_ship" in words(found["unknown"])
    assert run.usage.input_tokens == 66


@pytest.mark.parametrize("strategy", ["native", "tool", "rule"])
def test_an_answer_meets_its_schema_after_calls(
    serve: Any, stream: bool, in_loop: bool, strategy: StructuredOutputStrategy
) -> None:
    level = {"sku": "AB-1", "units": 4}
    given = call("out", "StructuredOutputTool_provide_output", **level)
    last = {"tool_calls": [given]} if strategy == "tool" else {"text": json.dumps(level)}
    server = serve({"tool_calls": [call("a", "Stock_count", sku="AB-1")]}, last)
    driver = AnthropicPromptDriver(
        base_url=server.anthropic_url, stream=stream, structured_output_strategy=strategy
    )
    task = PromptTask("How many?", tools=[Stock()], prompt_driver=driver, output_schema=Level)

    run = carried_out(task, in_loop)

    assert run.value == Level("AB-1", 4)
    assert all(("output_config" in one) == (strategy == "native") for one in server.requests)


def test_a_task_of_five_rounds_with_faults_ends_in_an_answer_of_the_wanted_form(
    serve: Any, stream: bool, in_loop: bool
) -> None:
    server = serve(*ROUNDS, {"text": '{"sku": "AB-1", "units": 13}'})
    driver = AnthropicPromptDriver(base_url=server.anthropic_url, stream=stream)
    task = PromptTask("How many?", tools=[Stock()], prompt_driver=driver, output_schema=Level)

    run = carried_out(task, in_loop)

    assert run.value == Level("AB-1", 13)
    assert len(answers(server.requests[-1])) == sum(len(one["tool_calls"]) for one in ROUNDS)
    assert all("output_config" in one for one in server.requests)


def test_an_answer_that_breaks_its_schema_is_asked_for_again(serve: Any, stream: bool) -> None:
    server = serve(
        {"text": '{"sku": "AB-1"}'}, {"text": '{"sku": "AB-1", "units": 4, "site": null}'}
    )
    driver = AnthropicPromptDriver(base_url=server.anthropic_url, stream=stream)

    run = PromptTask("How many?", prompt_driver=driver, output_schema=Level).run()

    assert run.value == Level("AB-1", 4)
    assert len(server.requests) == 2


def test_thoughts_go_back_byte_for_byte_in_every_round(stream: bool, in_loop: bool) -> None:
    forms = [
        {
            "type": "thinking",
            "thinking": f"Round {number}: “ä” \\ 🧮\n",
            "signature": f"c2ln{number}",
        }
        for number in range(5)
    ]
    hidden = {"type": "redacted_thinking", "data": "eNqs/+="}
    rounds = [{**one, "blocks": [form, hidden]} for one, form in zip(ROUNDS, forms, strict=True)]
    with ProviderServer([*rounds, {"text": "Done."}]) as server:
        driver = AnthropicPromptDriver(
            base_url=server.anthropic_url,
            model="claude-sonnet-4-5",
            stream=stream,
            thinking=2_000,
        )
        task = PromptTask("How many are left?", tools=[Stock()], prompt_driver=driver)

        assert carried_out(task, in_loop).value == "Done."

    spoken = [one for one in server.requests[-1]["messages"] if one["role"] == "assistant"]
    assert [one["content"][:2] for one in spoken] == [[form, hidden] for form in forms]
    assert all("thinking" in one for one in server.requests)
