"""Read a reply of the Messages API that came in one piece."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agenthost_plugin_anthropic.blocks import PROVIDER
from agenthost_sdk.failures import provider_words
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    BaseMessageContent,
    Finish,
    GenericMessageContent,
    Message,
    ReasoningMessageContent,
    TextMessageContent,
    Usage,
)

if TYPE_CHECKING:
    from anthropic.types import Message as Answer

# The API's words for the end of a reply; any other word is an ordinary end.
_FINISHES: dict[str, Finish] = {
    "tool_use": "actions",
    "max_tokens": "length",
    "length": "length",  # as servers of other models say it
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
    "pause_turn": "pause",
}

_NO_MESSAGE = (
    "The server answered, but not with a message: {found}."
    " Check that base_url names a server that speaks Anthropic's Messages API, without its /v1."
)

# As much of an answer that is no message as a reader wants to see.
_MOST_SHOWN = 300

# The fields of a call that have a place of their own in its content.
_OF_CALLS = frozenset(("type", "id", "name", "input"))


class UnreadableReply(Exception):  # noqa: N818 - it names what is wrong
    """The server sent something else than a reply; the words say what, and what to check.

    Args:
        message: What is wrong.
        body: What the server sent, where it told of an error though the status was that of a
            success.
        may_pass: Whether the same request may succeed later, where the body does not tell.
    """

    def __init__(self, message: str, body: Any = None, *, may_pass: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.body = body
        self.may_pass = may_pass


def message(answer: Answer) -> Message:
    """Return the message of a whole reply.

    Raises:
        UnreadableReply: What the server sent is no message; the words say what it is.
    """
    blocks = getattr(answer, "content", None)
    if not isinstance(blocks, list):
        raise _unreadable(answer)
    content = [read for block in blocks if (read := content_of(block)) is not None]
    reason = text_of(getattr(answer, "stop_reason", None))
    has_calls = any(isinstance(read, ActionCallMessageContent) for read in content)
    counted, end = usage(getattr(answer, "usage", None)), finish(reason, has_calls=has_calls)
    return Message("assistant", tuple(content), counted, end, finish_reason=reason)


def content_of(block: Any) -> BaseMessageContent | None:
    """Return a block of the reply; None where it says nothing."""
    kind = getattr(block, "type", None)
    if kind == "text":
        text = text_of(block.text)
        return TextMessageContent(text) if text else None
    if kind == "tool_use":
        arguments = json.dumps(block.input, ensure_ascii=False)
        extra = None if _is_plain(block) else further(own_form(block))
        return ActionCallMessageContent(text_of(block.id), text_of(block.name), arguments, extra)
    form = own_form(block)
    if kind in ("thinking", "redacted_thinking"):
        return ReasoningMessageContent(text_of(form.get("thinking")), form, PROVIDER)
    return GenericMessageContent(form, PROVIDER) if form else None


def usage(counted: Any) -> Usage:
    """Return the tokens that the API counted."""
    details = getattr(counted, "output_tokens_details", None)
    return Usage(
        input_tokens=_number(counted, "input_tokens"),
        output_tokens=_number(counted, "output_tokens"),
        cached_tokens=_number(counted, "cache_read_input_tokens"),
        reasoning_tokens=_number(details, "thinking_tokens"),
        cache_written_tokens=_number(counted, "cache_creation_input_tokens"),
    )


def token_count(answer: Any) -> int:
    """Return how many tokens the API counted.

    Raises:
        UnreadableReply: What the server sent is no count.
    """
    counted = _number(answer, "input_tokens")
    if counted is None:
        raise _unreadable(answer)
    return counted


def finish(reason: str, *, has_calls: bool) -> Finish:
    """Return why a reply ended, from the API's word for it.

    Servers of other models say of a reply with calls that it just ended, and the other way round.
    At a stop sequence a call may be cut, so that it is none.
    """
    found = _FINISHES.get(reason, "stop")
    if found not in ("stop", "actions") or reason == "stop_sequence":
        return found
    return "actions" if has_calls else "stop"


def own_form(block: Any) -> dict[str, Any]:
    """Return a block as the API sent it, so that it can be sent back unchanged."""
    if isinstance(block, dict):
        return block
    form = block.to_dict(mode="json", warnings=False) if hasattr(block, "to_dict") else {}
    return form if isinstance(form, dict) else {}


def further(form: dict[str, Any]) -> dict[str, Any] | None:
    """Return the further fields of a call that the API wants back; None where there are none."""
    found = {
        name: held for name, held in form.items() if name not in _OF_CALLS and held is not None
    }
    if found.get("caller") == {"type": "direct"}:
        del found["caller"]  # that is what a call without one is
    return found or None


def _is_plain(block: Any) -> bool:
    """Return whether a call has no further fields; told without writing it out."""
    return block.model_fields_set <= _OF_CALLS and not block.model_extra


def text_of(value: Any) -> str:
    """Return a text, and "" for all else."""
    return value if isinstance(value, str) else ""


def _number(counted: Any, name: str) -> int | None:
    value = getattr(counted, name, None)
    return value if isinstance(value, int) and value >= 0 else None


def _unreadable(answer: Any) -> UnreadableReply:
    error = getattr(answer, "error", None)
    if error is not None and provider_words(error):
        return UnreadableReply(provider_words(error), {"error": error})
    found = answer if isinstance(answer, str) else _dumped(answer)
    return UnreadableReply(_NO_MESSAGE.format(found=repr(found[:_MOST_SHOWN])))


def _dumped(answer: Any) -> str:
    if hasattr(answer, "to_json"):
        return str(answer.to_json(indent=None, warnings=False))
    return str(answer)
