"""The host's whole loop on the driver, against a strict provider on loopback."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from agenthost.tasks.prompt_task import PromptTask
from agenthost.tasks.run import Run
from agenthost_plugin_openai import OpenAiChatPromptDriver
from agenthost_sdk.activities import activity
from agenthost_sdk.tools import BaseTool


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


def call(id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"id": id, "name": name, "input": given}


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def stream(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def in_loop(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=[False, True], ids=["lax", "strict"])
def strict(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_a_task_of_two_rounds_answers_every_call_of_both(
    serve: Any, stream: bool, in_loop: bool, strict: bool
) -> None:
    server = serve(
        {
            "text": "Let me look.",
            "tool_calls": [
                call("a", "Stock_count", sku="AB-1"),
                call("b", "Stock_site", sku="AB-1", full=True),
                call("c", "Stock_count", sku="ZZ-9"),
                call("g", "Stock_site", sku="AB-2", full=None),
                call("d", "Stock_count", item="AB-1"),
                call("e", "Stock_ship", sku="AB-1"),
            ],
        },
        {"tool_calls": [call("f", "Stock_count", sku="AB-2")]},
        {"text": "4 and 9 units, in hall 7."},
    )
    driver = OpenAiChatPromptDriver(base_url=server.openai_url, stream=stream, strict=strict)
    task = PromptTask("How many are left?", tools=[Stock()], prompt_driver=driver)

    run: Run = asyncio.run(task.arun()) if in_loop else task.run()

    sent = server.requests[-1]["messages"]
    answers = {m["tool_call_id"]: m["content"] for m in sent if m["role"] == "tool"}
    assert run.value == "4 and 9 units, in hall 7."
    assert [len(subtask.actions) for subtask in run.subtasks if subtask.actions] == [6, 1]
    assert list(answers) == ["a", "b", "c", "g", "d", "e", "f"]
    assert (answers["a"], answers["b"], answers["f"]) == ("4", "AB-1: hall 7", "9")
    assert answers["g"] == "hall 7"
    assert "ZZ-9" in answers["c"]
    assert "sku" in answers["d"]
    assert "Stock_ship" in answers["e"]
    assert run.usage.input_tokens == 33
    assert len(server.requests) == 3


@dataclass
class Stocktaking:
    """What was counted."""

    total: int
    hall: str


def test_a_task_of_five_rounds_with_faults_ends_in_an_answer_of_the_wanted_form(
    serve: Any, stream: bool, in_loop: bool
) -> None:
    rounds = [
        {
            "tool_calls": [
                call("a", "Stock_count", sku="AB-1"),
                call("b", "Stock_count", sku=f"ZZ-{number}"),
                call("c", "Stock_count", sku=number),
                call("d", "Stock_ship", sku="AB-1"),
                {"id": "e", "name": "Stock_count", "input": '{"sku": "AB'},
            ]
        }
        for number in range(5)
    ]
    server = serve(*rounds, {"text": '{"total": 13, "hall": "7"}'})
    driver = OpenAiChatPromptDriver(base_url=server.openai_url, stream=stream)
    task = PromptTask(
        "What is left?", tools=[Stock()], prompt_driver=driver, output_schema=Stocktaking
    )

    run: Run = asyncio.run(task.arun()) if in_loop else task.run()

    sent = server.requests[-1]["messages"]
    results = [message for message in sent if message["role"] == "tool"]
    assert run.value == Stocktaking(13, "7")
    assert len({message["tool_call_id"] for message in results}) == 25
    assert [message["content"][0] for message in results[::5]] == ["4"] * 5
    assert all("No tool named 'Stock_ship'" in message["content"] for message in results[3::5])
    assert all("AB" in message["content"] for message in results[4::5])
    assert server.requests[-1]["response_format"]["type"] == "json_schema"
    assert run.usage.input_tokens == 66
