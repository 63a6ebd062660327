"""What stands before a run's own rounds."""

from __future__ import annotations

import threading

from agenthost.prompts.memory import ConversationMemory
from agenthost.prompts.stack import opening
from agenthost_sdk import TextArtifact


def test_without_rules_and_format_there_is_no_system_message() -> None:
    (message,) = opening(TextArtifact("Hello?"))

    assert message.role == "user"
    assert message.to_text() == "Hello?"


def test_one_rule_stands_alone_and_several_are_numbered() -> None:
    one, *_ = opening(TextArtifact("?"), rules=["Be brief."])
    many, *_ = opening(TextArtifact("?"), rules=["Be brief.", "Be kind."])

    assert one.to_text() == "Be brief."
    assert many.to_text() == "Rules:\n1. Be brief.\n2. Be kind."


def test_the_memory_stands_after_the_system_message_and_before_the_question() -> None:
    memory = ConversationMemory()
    memory.add(TextArtifact("Who?"), TextArtifact("Me."))

    messages = opening(TextArtifact("?"), rules=["Be brief."], format_text="F", memory=memory)

    assert [message.role for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[0].to_text() == "Be brief.\n\nF"
    assert messages[2].to_text() == "Me."


def test_a_memory_keeps_every_run_of_many_threads() -> None:
    memory = ConversationMemory()

    def remember(number: int) -> None:
        memory.add(TextArtifact(f"q{number}"), TextArtifact(f"a{number}"))

    threads = [threading.Thread(target=remember, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    texts = [message.to_text() for message in memory.messages()]
    assert len(memory) == 50
    assert all(f"a{q[1:]}" == a for q, a in zip(texts[::2], texts[1::2], strict=True))


def test_a_cleared_memory_is_empty() -> None:
    memory = ConversationMemory()
    memory.add(TextArtifact("q"), TextArtifact("a"))

    memory.clear()

    assert memory.messages() == []
