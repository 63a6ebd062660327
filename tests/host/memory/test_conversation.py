"""What a task remembers of its conversation."""

from __future__ import annotations

import threading

from agenthost.memory.conversation import ConversationMemory, RememberedRun
from agenthost_sdk import TextArtifact


def _run(question: str, answer: str) -> RememberedRun:
    return RememberedRun(TextArtifact(question), TextArtifact(answer))


def test_a_memory_keeps_every_run_of_many_threads() -> None:
    memory = ConversationMemory()

    def remember(number: int) -> None:
        memory.add(_run(f"q{number}", f"a{number}"))

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
    memory.add(_run("q", "a"))

    memory.clear()

    assert memory.messages() == []
