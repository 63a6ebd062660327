"""Read what a driver needs out of a prompt stack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agenthost_sdk.messages import ActionResultMessageContent, Message, PromptStack


def question(stack: PromptStack) -> str:
    """Return what the user said last."""
    return next((text for text in map(Message.to_text, _by_user(stack)) if text.strip()), "")


def results(stack: PromptStack) -> list[ActionResultMessageContent]:
    """Return the results that came last; none where the user has spoken since."""
    last = next(_by_user(stack), None)
    blocks: Sequence[object] = last.content if last is not None else ()
    return [block for block in blocks if isinstance(block, ActionResultMessageContent)]


def _by_user(stack: PromptStack) -> Iterator[Message]:
    """Yield what stands in the user's name, last first; the host's own notes are left out."""
    for message in reversed(stack.messages):
        if message.role == "user" and not message.by_host:
            yield message


def as_chat(stack: PromptStack, rules: str) -> list[dict[str, str]]:
    """Return the conversation for a chat template; roles take turns, as templates want it.

    Args:
        stack: The conversation.
        rules: What the system says where the stack has no rules of its own.
    """
    turns = [{"role": "system", "content": stack.system_text or rules}]
    for message in stack.messages:
        text = _text(message)
        if message.role == "system" or not text:
            continue
        if turns[-1]["role"] == message.role:
            turns[-1]["content"] += f"\n{text}"
        else:
            turns.append({"role": message.role, "content": text})
    return turns


def _text(message: Message) -> str:
    pieces = []
    for block in message.content:
        text = block.to_text()
        if isinstance(block, ActionResultMessageContent):
            text = f"Result of {block.native}: {text}"
        pieces.append(text)
    return "\n".join(piece for piece in pieces if piece)
