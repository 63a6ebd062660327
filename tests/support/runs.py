"""What the tests of a run share: carry a task out in either way, and read what its model saw."""

from __future__ import annotations

import asyncio
from typing import Any

from agenthost import PromptTask, Run
from agenthost_sdk.messages import Message, PromptStack, TextMessageContent


def carry_out(task: PromptTask, is_async: bool, question: Any = None) -> Run:
    """Return the run of a task, blocking or awaited."""
    return asyncio.run(task.arun(question)) if is_async else task.run(question)


def said(text: str, **options: Any) -> Message:
    """Return a reply of the model in words; the options are those of a `Message`."""
    return Message("assistant", (TextMessageContent(text),), **options)


def words_of(stack: PromptStack) -> str:
    """Return all that the model sees of a stack's messages, calls and results too."""
    return "\n".join(block.to_text() for message in stack.messages for block in message.content)


def last_words(stack: PromptStack) -> str:
    """Return the text of the message that was put to the model last."""
    return stack.messages[-1].to_text()
