"""A run with drivers, validators, approvers, listeners and tools that do not do as they should."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from agenthost import PromptTask
from agenthost.actions.permission import Decision, Permissions
from agenthost.prompts.templates import Template
from agenthost.tasks.run import Run
from agenthost_sdk import (
    BaseOutputValidator,
    BaseTool,
    ListArtifact,
    TextArtifact,
    Verdict,
    activity,
)
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import error_text
from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.errors import DefinitionError, SettingsError
from agenthost_sdk.messages import ActionCallMessageContent, Message, TextMessageContent
from agenthost_sdk.testing import ScriptedDriver, calls
from support.parameters import shown
from support.runs import carry_out

COUNT = calls(("Stock_count", {"sku": "AB"}))


@dataclass(kw_only=True, eq=False)
class OddDriver(ScriptedDriver):
    """Reply with whatever it is given."""

    reply: Any = None

    def try_run(self, stack: Any) -> Any:
        return self.reply


class Judge(BaseOutputValidator):
    """Decide as it is told."""

    def __init__(self, verdict: Any) -> None:
        self.verdict = verdict

    def validate(self, output: Any) -> Any:
        if isinstance(self.verdict, BaseException):
            raise self.verdict
        return self.verdict


class Order(BaseModel):
    """What is ordered."""

    units: int

    @field_validator("units")
    @classmethod
    def _known(cls, units: int) -> int:
        return {1: 1}[units]


class Till(BaseTool):
    """Take orders."""

    @activity
    def order(self, what: Order) -> int:
        """Take an order.

        Args:
            what: The order.
        """
        return what.units

    @activity
    async def ask(self) -> Any:
        """Ask another model, and wait for its answer."""
        driver = ScriptedDriver([calls(("Till_tell", {})), "It is noon."])
        return PromptTask("?", tools=[Till()], prompt_driver=driver).run().value

    @activity
    async def tell(self) -> str:
        """Tell the time."""
        await asyncio.sleep(0)
        return "noon"


def said(run: Run) -> list[str]:
    return [str(action.output) for action in run.subtasks[0].actions]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (None, "OddDriver gave None where a Message is needed"),
        ("Hello.", "OddDriver gave 'Hello.' where a Message is needed"),
        (Message("assistant", ("Hello.",)), "'Hello.' in it"),  # type: ignore[arg-type]
        (
            Message("assistant", (TextMessageContent(None),)),  # type: ignore[arg-type]
            "None as TextMessageContent.text",
        ),
        (
            Message("assistant", (ActionCallMessageContent("1", "Stock_count", {}),)),  # type: ignore[arg-type]
            "{} as ActionCallMessageContent.arguments",
        ),
    ],
    ids=["nothing", "text", "no block", "no text", "no arguments"],
)
def test_a_driver_that_gives_no_message_is_named(
    reply: Any, words: str, stock: Any, is_async: bool
) -> None:
    task = PromptTask("?", tools=[stock], prompt_driver=OddDriver([], reply=reply))

    run = carry_out(task, is_async)

    assert run.stopped_by == "error"
    assert words in run.value


@pytest.mark.parametrize("verdict", [None, True, "fine"])
def test_a_validator_that_gives_no_verdict_is_named(verdict: Any, is_async: bool) -> None:
    driver = ScriptedDriver(["Hello."])
    task = PromptTask("?", prompt_driver=driver, output_validators=[Judge(verdict)])

    run = carry_out(task, is_async)

    assert run.value.startswith(f"The output validator Judge returned {verdict!r}; it must return")


@pytest.mark.parametrize("raised", [SystemExit(3), RuntimeError("a bug")])
def test_a_validator_that_raises_ends_the_run_and_is_named(
    raised: BaseException, is_async: bool
) -> None:
    driver = ScriptedDriver(["One.", "Two."])
    task = PromptTask("?", prompt_driver=driver, output_validators=[Judge(raised)])

    run = carry_out(task, is_async)

    assert run.stopped_by == "error"
    assert run.value == f"The output validator Judge raised {error_text(raised)}."
    assert len(driver.stacks) == 1


@pytest.mark.parametrize("reason", ["", " ", None], ids=["empty", "blank", "none"])
def test_a_validator_that_refuses_without_a_reason_refuses_all_the_same(
    reason: Any, is_async: bool
) -> None:
    driver = ScriptedDriver(["Hello."], repeat=True)
    judge = Judge(Verdict.refuse(reason))
    task = PromptTask("?", prompt_driver=driver, output_validators=[judge])

    run = carry_out(task, is_async)

    assert run.stopped_by == "max_output_repairs"
    assert "The output validator Judge refused it." in driver.stacks[1].messages[-1].to_text()


def test_a_verdict_may_replace_the_answer_with_a_plain_value() -> None:
    verdict = Verdict.replace("Better.")  # type: ignore[arg-type]
    task = PromptTask(
        "?", prompt_driver=ScriptedDriver(["Hm."]), output_validators=[Judge(verdict)]
    )

    assert task.run().output == TextArtifact("Better.")


@pytest.mark.parametrize(
    ("decision", "output"),
    [
        (True, "2"),
        (False, "Stock_count was not allowed, and did not run."),
        (Decision(False), "Stock_count was not allowed, and did not run."),
    ],
    ids=str,
)
def test_an_approver_may_answer_with_a_bare_yes_or_no(decision: Any, output: str) -> None:
    class Shelf(BaseTool):
        """Count."""

        @activity
        def count(self, sku: str) -> int:
            """Count the units on hand."""
            return len(sku)

    task = PromptTask(
        "?",
        tools=[Shelf(name="Stock")],
        prompt_driver=ScriptedDriver([COUNT, "Done."]),
        permissions=Permissions(approver=lambda *_: decision),
    )

    assert said(task.run()) == [output]


def test_an_approver_may_be_async(is_async: bool, stock: Any) -> None:
    async def approve(action: ToolAction, _: ToolSpec) -> Decision:
        await asyncio.sleep(0)
        return Decision(action.input["units"] < 2, "Too many.")

    asked = [("Stock_reserve", {"sku": "A", "units": units}) for units in (1, 2)]
    task = PromptTask(
        "?",
        tools=[stock],
        prompt_driver=ScriptedDriver([calls(*asked), "Done."]),
        permissions=Permissions(approver=approve),
    )

    assert said(carry_out(task, is_async)) == ["1 of A reserved", "Too many."]


@pytest.mark.parametrize("raised", [SystemExit(3), RuntimeError("a bug")])
def test_an_approver_that_raises_ends_the_run_and_is_named(
    raised: BaseException, is_async: bool, stock: Any
) -> None:
    def approve(*_: Any) -> Decision:
        raise raised

    task = PromptTask(
        "?",
        tools=[stock],
        prompt_driver=ScriptedDriver([calls(("Stock_reserve", {"sku": "A", "units": 1}))]),
        permissions=Permissions(approver=approve),
    )

    run = carry_out(task, is_async)

    assert run.stopped_by == "error"
    assert run.value.startswith(f"The approver raised {type(raised).__name__}")


def test_an_approver_that_decides_nothing_ends_the_run_with_its_name() -> None:
    task = PromptTask(
        "?",
        tools=[Till()],
        prompt_driver=ScriptedDriver([calls(("Till_tell", {})), "Done."]),
        permissions=Permissions(approver=lambda *_: None),  # type: ignore[arg-type]
    )

    assert task.run().value == "The approver returned None; it must return a Decision."


def test_a_listener_that_ends_the_process_changes_nothing(stock: Any) -> None:
    def leave(_: Any) -> None:
        raise SystemExit(3)

    driver = ScriptedDriver([COUNT, "There are 2."])
    task = PromptTask("?", tools=[stock], prompt_driver=driver, listeners=[leave])

    assert task.run().value == "There are 2."


def test_an_authors_type_that_fails_costs_its_own_action_only(stock: Any, is_async: bool) -> None:
    asked = (("Till_order", {"what": {"units": 2}}), ("Stock_count", {"sku": "AB"}))
    driver = ScriptedDriver([calls(*asked), "Done."])
    task = PromptTask("?", tools=[stock, Till()], prompt_driver=driver)

    run = carry_out(task, is_async)

    assert said(run) == ["KeyError: 2", "2"]
    assert run.value == "Done."


def test_an_async_activity_may_wait_for_a_run_of_its_own(is_async: bool) -> None:
    driver = ScriptedDriver([calls(("Till_ask", {})), "Done."])
    task = PromptTask("?", tools=[Till()], prompt_driver=driver)

    run = carry_out(task, is_async)

    assert said(run) == ["It is noon."]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tools": Till()}, "it must be a list of tools"),
        ({"tools": "Till"}, "it must be a list of tools"),
        ({"tools": None}, "it must be a list of tools"),
        ({"prompt_driver": "openai:gpt"}, "it must be a driver object"),
        ({"prompt_driver": ScriptedDriver}, "it must be a driver object"),
        ({"output_validators": [Judge]}, r"Write Judge\(\) to make one"),
        ({"output_validators": ["polite"]}, "'polite' is no output validator"),
        ({"dialect": BaseDialect}, "it must be a name or a dialect object"),
    ],
    ids=shown,
)
def test_what_is_handed_to_a_task_wrongly_is_refused_at_once(
    options: dict[str, Any], words: str
) -> None:
    given = {"prompt_driver": ScriptedDriver(["Hello."]), **options}

    with pytest.raises(DefinitionError, match=words):
        PromptTask("?", **given)


@pytest.mark.parametrize(
    "question",
    ["", " \n", ListArtifact([]), [TextArtifact("")], Template("{{ nothing }}")],
    ids=["empty", "blank", "no parts", "empty parts", "template"],
)
def test_a_question_with_nothing_in_it_is_refused(question: Any) -> None:
    task = PromptTask(prompt_driver=ScriptedDriver([]), variables={"nothing": ""})

    with pytest.raises(DefinitionError, match="nothing in it to answer"):
        task.run(question)


@pytest.mark.parametrize("rules", [{"allow": "Stock_*"}, {"deny": "Stock_count"}], ids=str)
def test_a_rule_that_is_no_list_is_refused(rules: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="write a list of patterns"):
        Permissions(**rules)


def test_one_rule_may_be_given_as_a_text() -> None:
    task = PromptTask("?", prompt_driver=ScriptedDriver([]), rules="Be brief.")

    assert task.new_run().system()[0].to_text() == "Be brief."
