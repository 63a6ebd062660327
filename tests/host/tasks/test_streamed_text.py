"""The words of a streamed run: the model's as it says them, else the answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agenthost import PromptTask
from agenthost.dialects import BUILT_IN
from agenthost_sdk import BaseOutputValidator, Verdict
from agenthost_sdk.artifacts import BaseArtifact, TextArtifact
from agenthost_sdk.errors import AgenthostError, DriverError
from agenthost_sdk.testing import ScriptedDriver, calls

COUNT = calls(("Stock_count", {"sku": "AB"}), text="Let me look.")


def texts(task: PromptTask, is_async: bool) -> list[str]:
    if not is_async:
        return list(task.stream().text())

    async def drawn() -> list[str]:
        return [text async for text in task.astream().text()]

    return asyncio.run(drawn())


def test_the_text_of_a_native_run_comes_as_the_model_says_it(stock: Any, is_async: bool) -> None:
    driver = ScriptedDriver([COUNT, "There are 2."], piece=5)

    said = texts(PromptTask("?", tools=[stock], prompt_driver=driver), is_async)

    assert "".join(said) == "Let me look.\n\nThere are 2."
    assert len(said) > 2


@pytest.mark.parametrize("dialect", ["actions_json", "classic", "json"])
def test_the_text_of_a_text_dialect_is_the_answer_alone(dialect: str, is_async: bool) -> None:
    reply = BUILT_IN[dialect]().conclude("There are 2.", "I know.")
    driver = ScriptedDriver([reply], use_native_tools=False)

    said = texts(PromptTask("?", prompt_driver=driver, dialect=dialect), is_async)

    assert said == ["There are 2."]


class Better(BaseOutputValidator):
    """Put another answer in the place of the model's."""

    def validate(self, output: BaseArtifact) -> Verdict:
        return Verdict.replace(TextArtifact("Better."))


def test_an_answer_that_was_replaced_comes_after_the_models_words(is_async: bool) -> None:
    task = PromptTask("?", prompt_driver=ScriptedDriver(["Good."]), output_validators=[Better()])

    assert "".join(texts(task, is_async)) == "Good.\n\nBetter."


def test_the_text_of_a_run_that_fails_raises(is_async: bool) -> None:
    task = PromptTask("?", prompt_driver=ScriptedDriver([DriverError("lost")]))

    with pytest.raises(AgenthostError, match="lost"):
        texts(task, is_async)
