"""The plugin contributes its driver, and costs nothing before the driver is used."""

from __future__ import annotations

import subprocess
import sys

import agenthost_plugin_local
from agenthost_plugin_local.conversation import as_chat, question, results
from agenthost_plugin_local.driver import LocalPromptDriver
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.messages import ActionResultMessageContent, Message, PromptStack


def test_it_contributes_the_driver_by_name() -> None:
    assert agenthost_plugin_local.agenthost_prompt_drivers() == {"local": LocalPromptDriver}


def test_making_the_driver_loads_no_llama() -> None:
    script = (
        "import sys, agenthost_plugin_local as p\n"
        "p.agenthost_prompt_drivers()['local']()\n"
        "print('xllamacpp' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"


def test_the_question_is_what_the_user_said_last() -> None:
    stack = PromptStack()
    stack.add_user_message("First")
    stack.add_assistant_message("Answer")
    stack.add_user_message("Second")
    result = ActionResultMessageContent("1", "Tool_act", TextArtifact("done"))
    stack.messages.append(Message("user", (result,)))

    assert question(stack) == "Second"
    assert results(stack) == [result]


def test_a_chat_takes_turns_and_keeps_the_rules_of_the_stack() -> None:
    stack = PromptStack()
    stack.add_system_message("Be brief.")
    stack.add_user_message("One")
    stack.add_user_message("Two")

    assert as_chat(stack, "Unused.") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "One\nTwo"},
    ]
