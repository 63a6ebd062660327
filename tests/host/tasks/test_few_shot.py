"""The tools' examples as whole rounds before the conversation."""

from __future__ import annotations

from typing import Any

from agenthost import Agent, PromptTask
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.messages import ActionResultMessageContent
from agenthost_sdk.testing import ScriptedDriver
from support.runs import words_of


class Clock(BaseTool):
    """Tell the time."""

    @activity(read_only=True, examples=[("What time is it in Rome?", {"zone": "Europe/Rome"})])
    def now(self, zone: str) -> str:
        """Return the time.

        Args:
            zone: An IANA zone.
        """
        return zone

    @activity(read_only=True, examples=[("Is it a leap year?", {"year": 2028})])
    def leap(self, year: int) -> bool:
        """Tell whether a year is a leap year.

        Args:
            year: The year.
        """
        return year % 4 == 0


def test_rounds_stand_before_the_question_and_say_all_of_an_example(voice: Any) -> None:
    driver = voice.driver(voice.answer("Noon."))

    PromptTask("Well?", tools=[Clock()], prompt_driver=driver, few_shot=True).run()

    said = words_of(driver.stacks[0])
    assert said.index("What time is it in Rome?") < said.index("Well?")
    assert "Europe/Rome" in said
    assert driver.stacks[0].messages[-1].to_text() == "Well?"


def test_native_examples_are_calls_with_their_results_and_ids_of_their_own() -> None:
    driver = ScriptedDriver(["Noon.", "One."])
    agent = Agent(tools=[Clock()], prompt_driver=driver, few_shot=True)
    agent.run("Well?")

    agent.run("And then?")

    messages = driver.stacks[1].messages
    called = [call.id for message in messages for call in message.calls]
    answered = [
        block.id
        for message in messages
        for block in message.content
        if isinstance(block, ActionResultMessageContent)
    ]
    assert called == answered == ["example_1", "example_2"]
    assert [message.to_text() for message in messages[-3:]] == ["Well?", "Noon.", "And then?"]


def test_a_native_prompt_has_no_examples_unasked() -> None:
    driver = ScriptedDriver(["Noon."])

    PromptTask("Well?", tools=[Clock()], prompt_driver=driver).run()

    assert [message.to_text() for message in driver.stacks[0].messages] == ["Well?"]
