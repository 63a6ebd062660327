"""What goes back to the server that made it, and what stays behind."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost_plugin_openai.profiles import PROFILES
from agenthost_sdk.artifacts import (
    TextArtifact,
)
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    GenericMessageContent,
    ReasoningMessageContent,
)
from support.said import Json, asked, assistant, came, sent_as, text, user


def test_blocks_of_another_provider_stay_behind() -> None:
    own, foreign = {"type": "file", "file": {"file_id": "f"}}, {"type": "thinking"}

    sent = sent_as(
        [user(GenericMessageContent(own, "openai"), GenericMessageContent(foreign, "other"))]
    )

    assert sent == [{"role": "user", "content": [own]}]


def thought(words: str, **held: Any) -> ReasoningMessageContent:
    return ReasoningMessageContent(words, held or None, "openai" if held else "")


DETAILS = [{"type": "reasoning.encrypted", "data": "x"}]
THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}


@pytest.mark.parametrize(
    ("server", "block", "sent"),
    [
        ("deepseek", thought("Hm.", reasoning_content="Hm."), {"reasoning_content": "Hm."}),
        ("deepseek", thought("Hm."), {"reasoning_content": "Hm."}),
        ("deepseek", ReasoningMessageContent("Hm.", {}, "anthropic"), {"reasoning_content": ""}),
        ("deepseek", text("Hm."), {"reasoning_content": "", "content": "Hm."}),
        ("zai", thought("Hm.", reasoning_content="Hm."), {"reasoning_content": "Hm."}),
        ("zai", thought("Hm."), {}),
        ("ollama", thought("Hm.", reasoning="Hm."), {"reasoning": "Hm."}),
        ("vllm", thought("Hm.", reasoning_content="Hm."), {"reasoning_content": "Hm."}),
        (
            "openrouter",
            thought("Hm.", reasoning="Hm.", reasoning_details=DETAILS),
            {"reasoning_details": DETAILS},
        ),
        ("openrouter", thought("Hm.", reasoning="Hm."), {"reasoning": "Hm."}),
        ("mistral", thought("Hm.", **THINKING), {"content": [THINKING]}),
        ("groq", thought("Hm.", reasoning="Hm."), {}),
        ("openai", thought("Hm.", reasoning_content="Hm."), {}),
        (
            "gemini",
            GenericMessageContent({"extra_content": {"google": 1}}, "openai"),
            {"extra_content": {"google": 1}},
        ),
        ("openai", GenericMessageContent({"extra_content": {"google": 1}}, "openai"), {}),
    ],
)  # fmt: skip
def test_each_server_gets_back_of_a_turn_with_calls_what_it_wants(
    server: str, block: BaseMessageContent, sent: Json
) -> None:
    first, *_ = sent_as([assistant(block, asked("a")), user(came("a"))], PROFILES[server])

    calls = first.pop("tool_calls")
    assert [call["function"]["name"] for call in calls] == ["Stock_count"]
    assert first == {"role": "assistant", "content": None, **sent}


def test_thoughts_of_an_answer_go_back_only_where_they_are_wanted() -> None:
    answer = assistant(thought("Hm.", reasoning_content="Hm."), text("Yes."))
    plain = {"role": "assistant", "content": "Yes."}

    assert sent_as([answer], PROFILES["deepseek"]) == [plain]
    assert sent_as([answer], PROFILES["zai"]) == [{**plain, "reasoning_content": "Hm."}]


def test_documents_that_were_read_need_not_be_read_again() -> None:
    file, source = {"type": "file", "file": {"hash": "h"}}, {"type": "url_citation"}
    read = GenericMessageContent({"annotations": [source, file]}, "openai")

    sent = sent_as([assistant(text("So."), read)], PROFILES["openrouter"])

    assert sent[0]["annotations"] == [file]


def test_what_a_provider_added_to_a_call_goes_back_to_it_alone() -> None:
    extra = {"extra_content": {"google": {"thought_signature": "s"}}, "caller": "x"}
    call = ActionCallMessageContent("a", "F", "{}", extra)

    to_gemini = sent_as([assistant(call)], PROFILES["gemini"])[0]["tool_calls"][0]
    to_openai = sent_as([assistant(call)], PROFILES["openai"])[0]["tool_calls"][0]

    assert to_gemini["extra_content"] == extra["extra_content"]
    assert to_gemini.keys() - to_openai.keys() == {"extra_content"}


def test_history_that_another_provider_made_is_accepted() -> None:
    signed = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    searched = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}

    sent = sent_as(
        [
            assistant(
                ReasoningMessageContent("Hm.", signed, "anthropic"),
                text("Let me"),
                GenericMessageContent(searched, "anthropic"),
                text(" look."),
                asked("toolu_01"),
            ),
            user(ActionResultMessageContent("toolu_01", "Stock_count", TextArtifact("4"), True)),
        ]
    )

    assert sent[0]["content"] == "Let me look."
    assert sent[0].keys() == {"role", "content", "tool_calls"}
    assert sent[1] == {"role": "tool", "tool_call_id": "toolu_01", "content": "4"}
