"""What the authors of plugins write: all lines check, but for those that say why they must not.

An ignored error that is none is an error itself (`warn_unused_ignores`), so each comment holds
in both directions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import assert_type

from agenthost_sdk import (
    Activity,
    BaseArtifact,
    BaseOutputValidator,
    BasePromptDriver,
    BaseTool,
    DeltaMessage,
    Message,
    PromptStack,
    TextArtifact,
    ToolAction,
    Verdict,
    activity,
    hookimpl,
)


class Inventory(BaseTool):
    """Look up stock."""

    warehouse: str = "main"
    limit: int

    @activity
    def count(self, sku: str, include_reserved: bool = False) -> int:
        """Count the units on hand."""
        return len(sku) + include_reserved

    @activity(read_only=True, timeout=2, examples=[("How many bolts?", {"sku": "bolt"})])
    def names(self, *, limit: int = 3) -> list[str]:
        """Return the names."""
        return [self.warehouse] * limit

    @activity(config={"description": "Reserve units."})
    async def reserve(self, units: int) -> None:
        """Reserve units."""


class Northern(Inventory):
    """Look up stock in the north."""

    warehouse = "north"
    cold: bool = True


def options_are_keywords_with_types() -> None:
    Inventory(limit=1)
    Inventory(limit=1, warehouse="north", name="Stock", allowlist=["count"], denylist=())
    Northern(limit=1, cold=False)
    Inventory()  # type: ignore[call-arg]
    Inventory(limit="1")  # type: ignore[arg-type]
    Inventory(limit=1, wharehouse="north")  # type: ignore[call-arg]
    Inventory("north", limit=1)  # type: ignore[call-arg]


def an_activity_is_called_as_the_method_it_is(tool: Inventory) -> None:
    assert_type(tool.count("bolt"), int)
    assert_type(tool.count(sku="bolt", include_reserved=True), int)
    assert_type(tool.names(limit=2), list[str])
    tool.count(3)  # type: ignore[arg-type]
    tool.count()  # type: ignore[call-arg]
    tool.names(2)  # type: ignore[call-arg]
    tool.count("bolt", wrong=1)  # type: ignore[call-arg]


async def an_async_activity_is_awaited(tool: Inventory) -> None:
    assert_type(await tool.reserve(1), None)
    await tool.reserve("1")  # type: ignore[arg-type]


def an_activity_is_read_from_the_class() -> None:
    assert_type(Inventory.count.name, str)
    found: Activity[..., int] = Inventory.count
    wrong: Activity[..., str] = Inventory.count  # type: ignore[assignment]
    del found, wrong


def a_tool_runs_actions(tool: BaseTool) -> None:
    assert_type(tool.run(ToolAction("1", "Inventory", "count")), BaseArtifact)
    tool.run("count")  # type: ignore[arg-type]


def an_unknown_fact_about_an_activity_is_refused() -> None:
    activity(colour="red")  # type: ignore[call-overload]


@dataclass(kw_only=True, eq=False)
class EchoDriver(BasePromptDriver):
    """Say the user's words again."""

    provider = "echo"
    model: str = "echo-1"
    base_url: str | None = None

    def try_run(self, stack: PromptStack) -> Message:
        return Message("assistant", stack.messages[-1].content)

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        yield DeltaMessage(finish="stop")


@dataclass(kw_only=True, eq=False)
class HalfDriver(BasePromptDriver):
    """Lack `try_stream`."""

    def try_run(self, stack: PromptStack) -> str:  # type: ignore[override]
        return stack.system_text


def a_driver_takes_its_switches_by_keyword() -> None:
    EchoDriver()
    EchoDriver(model="echo-2", stream=True, temperature=0.5, base_url="http://localhost")
    EchoDriver(structured_output_strategy="tool")
    EchoDriver(structured_output_strategy="wish")  # type: ignore[arg-type]
    EchoDriver("echo-2")  # type: ignore[call-arg]
    HalfDriver(model="x")  # type: ignore[abstract]
    Message("tool", ())  # type: ignore[arg-type]
    DeltaMessage(finish="ended")  # type: ignore[arg-type]


class Polite(BaseOutputValidator):
    """Ask for a polite answer."""

    def validate(self, output: BaseArtifact) -> Verdict:
        return Verdict.accept() if output.to_text() else Verdict.refuse("Say something.")


class Blunt(BaseOutputValidator):
    """Return no verdict."""

    def validate(self, output: BaseArtifact) -> bool:  # type: ignore[override]
        return bool(output.to_text())


def an_artifact_cannot_be_changed(artifact: TextArtifact) -> None:
    artifact.value = "b"  # type: ignore[misc]
    TextArtifact(3)  # type: ignore[arg-type]


@hookimpl
def agenthost_tools() -> Iterable[type[BaseTool] | Callable[[], BaseTool]]:
    return [Northern, lambda: Inventory(limit=1)]


@hookimpl
def agenthost_prompt_drivers() -> Mapping[str, type[BasePromptDriver]]:
    return {"echo": EchoDriver}
