"""Actions that may not run, or only once a person said so."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost import Decision, Permissions, PromptTask
from agenthost_sdk import (
    ErrorArtifact,
)
from agenthost_sdk.testing import ScriptedDriver, calls
from support.runs import carry_out


def test_a_denied_action_is_told_to_the_model_and_its_siblings_run(
    voice: Any, stock: Any, is_async: bool
) -> None:
    asked = voice.act(
        ("Stock", "reserve", {"sku": "A", "units": 1}), ("Stock", "count", {"sku": "A"})
    )
    driver = voice.driver(asked, voice.answer("Done."))
    task = PromptTask("?", tools=[stock], prompt_driver=driver, permissions=Permissions())

    run = carry_out(task, is_async)

    denied, counted = run.subtasks[0].actions
    assert isinstance(denied.output, ErrorArtifact)
    assert 'allow=["Stock_reserve"]' in denied.output.value
    assert not counted.failed


@pytest.mark.parametrize(("answer", "reserved"), [(True, True), (False, False)])
def test_a_person_is_asked_about_what_may_change_something(
    stock: Any, answer: bool, reserved: bool, is_async: bool
) -> None:
    asked: list[str] = []

    def approver(action: Any, spec: Any) -> Decision:
        asked.append(spec.native)
        return Decision(answer, "The person said no.")

    driver = ScriptedDriver(
        [
            calls(("Stock_reserve", {"sku": "A", "units": 1}), ("Stock_count", {"sku": "A"})),
            "Done.",
        ]
    )
    permissions = Permissions(approver=approver)
    task = PromptTask("?", tools=[stock], prompt_driver=driver, permissions=permissions)

    run = carry_out(task, is_async)

    assert asked == ["Stock_reserve"]
    assert (not run.subtasks[0].actions[0].failed) is reserved


def test_a_deny_rule_beats_every_allowance(stock: Any) -> None:
    permissions = Permissions(allow=["*"], deny=["Stock_*"], allow_all=True)
    driver = ScriptedDriver([calls(("Stock_count", {"sku": "A"})), "Done."])

    run = PromptTask("?", tools=[stock], prompt_driver=driver, permissions=permissions).run()

    assert run.subtasks[0].actions[0].failed
