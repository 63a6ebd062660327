"""Ask the model something beside the conversation: about a plan, a result, an answer.

The conversation is shown in words, without calls and without tools, so that every provider takes
it, in every dialect, and the model is not led to act.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agenthost.dialects.reasoning import without_reasoning
from agenthost.prompts.stack import system_message
from agenthost.requests import Prompt, Step, Steps, ask
from agenthost.tasks.run import Run
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    GenericMessageContent,
    Message,
    PromptStack,
    TextMessageContent,
    contents,
)


def ask_aside(run: Run, step: Step, *parts: str | BaseArtifact) -> Steps[str]:
    """Return what the model says to a question beside the conversation, its reasoning taken off.

    "" stands for a reply that is of no use: empty, refused, broken off, or not to be had at all,
    since a run that goes well without the reply must not fail for it.

    Args:
        run: The run.
        step: What the prompt is for.
        parts: The question.
    """
    try:
        message = yield from ask(Prompt(aside(run, *parts), step))
    except DriverError:
        return ""
    if message.finish in ("refusal", "incomplete"):
        return ""
    return without_reasoning(message.to_text()).strip()


def aside(run: Run, *parts: str | BaseArtifact) -> PromptStack:
    """Return the stack of a question beside the conversation: rules, plan, all that was said."""
    said = [*_in_words(run.history()[len(run.system()) :])]
    question = tuple(block for part in parts for block in contents(part))
    if said and said[-1].role == "user":  # some models take no two messages of one speaker
        question = (*said.pop().content, TextMessageContent("\n\n"), *question)
    system = system_message((run.rules, run.plan))
    return PromptStack([*system, *said, Message("user", question)])


def tools_in_words(run: Run) -> str:
    """Return the tools on offer by name, each with what it is for; "" where there are none."""
    specs = run.toolbox.table.specs
    listed = [f"- {native}: {_line(spec.description)}" for native, spec in specs.items()]
    return "\n".join(["The tools at hand:", *listed]) if listed else ""


def labelled(text: str, label: str) -> str | None:
    """Return what follows the first line that begins with a label; None where no line does.

    Marks before and behind it, as in `**KEEP**`, are passed over. In small letters it counts only
    where a sign or the line's end follows, since a sentence may begin with the same word.

    Args:
        text: A reply.
        label: A pattern of the label's words.
    """
    for found in re.finditer(rf"^[^\w\n]*({label}){_END}", text, re.IGNORECASE | re.MULTILINE):
        if found["more"] is None or found[1].split()[0].isupper():
            return text[found.end() :].strip()
    return None


#: The end of a label; `more` is set where the line just goes on behind it.
_END = r"\b[*_`\"']*[ \t]*(?:[:：.!–—-]+[*_`\"']*|$|(?=(?P<more>.)))"


def _line(text: str) -> str:
    return " ".join(text.split())


def _in_words(messages: Sequence[Message]) -> Iterator[Message]:
    for message in messages:
        told = (block for one in message.content for block in _told(one, message.role))
        blocks = tuple(block for block in told if block != TextMessageContent(""))
        if blocks:
            yield Message(message.role, blocks)


def _told(block: BaseMessageContent, role: str) -> Iterator[BaseMessageContent]:
    if isinstance(block, ActionCallMessageContent):
        yield TextMessageContent(f"\n{block.to_text()}")
    elif isinstance(block, ActionResultMessageContent):
        yield TextMessageContent(f"\n{block.native} gave:\n")
        yield from (one for one in contents(block.output) if not _is_generic(one))
    elif role == "user" or not _is_generic(block):  # a provider's own block belongs to its calls
        yield block


def _is_generic(block: BaseMessageContent) -> bool:
    return isinstance(block, GenericMessageContent)
