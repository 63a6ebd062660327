"""Read a reply of chat completions: a whole one, its chunks, or the error in its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    ActionCallMessageContent,
    BaseMessageContent,
    DeltaMessage,
    Finish,
    Message,
    TextDeltaMessageContent,
    TextMessageContent,
    Usage,
)

if TYPE_CHECKING:
    from openai import APIError
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

# The servers' words for the end of a reply; any other word is an ordinary end.
_FINISHES: dict[str, Finish] = {
    "tool_calls": "actions",
    "function_call": "actions",
    "length": "length",
    "model_length": "length",
    "content_filter": "refusal",
}

_NO_COMPLETION = (
    "The server answered, but not with a chat completion: {found}."
    " Check that base_url names a server that speaks the protocol, usually up to its /v1."
)

_NO_CHUNK = (
    "The stream ended before anything of the reply had arrived."
    " Check that base_url names a server that streams chat completions, or ask with stream off."
)

# As much of a page that is no JSON as a reader wants to see.
_MOST_SHOWN = 300


class UnreadableReply(ValueError):  # noqa: N818 - it names what is wrong
    """The server sent something else than a reply; the words say what, and what to check."""


def message(completion: ChatCompletion) -> Message:
    """Return the message of a whole reply.

    Raises:
        UnreadableReply: What the server sent is no completion; the words say what it is.
    """
    choices = getattr(completion, "choices", None)
    if not choices or getattr(choices[0], "message", None) is None:
        raise UnreadableReply(_unreadable(completion))
    said = choices[0].message
    text, refusal = _text(said.content), _text(said.refusal)
    calls = [_call(call) for call in said.tool_calls or ()]
    blocks: list[BaseMessageContent] = [TextMessageContent(t) for t in (text, refusal) if t]
    finish = _finish(choices[0].finish_reason or "stop", bool(calls), bool(refusal))
    return Message("assistant", (*blocks, *calls), usage(completion.usage), finish)


def usage(counted: CompletionUsage | None) -> Usage:
    """Return the tokens that the provider counted."""
    return Usage(
        input_tokens=getattr(counted, "prompt_tokens", None),
        output_tokens=getattr(counted, "completion_tokens", None),
        cached_tokens=_detail(counted, "prompt_tokens_details", "cached_tokens"),
        reasoning_tokens=_detail(counted, "completion_tokens_details", "reasoning_tokens"),
    )


class ChunkReader:
    """Reads the chunks of one stream; made anew for each.

    `read` takes them as they come. `end` is called once after the last of them, also where the
    connection was lost: a stream that never said why it ended is "incomplete".
    """

    def __init__(self) -> None:
        self.begun = False
        self._called = False
        self._refused = False
        self._reason = ""

    def read(self, chunk: ChatCompletionChunk) -> Iterator[DeltaMessage]:
        """Yield what the chunk adds to the reply."""
        self.begun = True
        if getattr(chunk, "usage", None) is not None:
            yield DeltaMessage(usage=usage(chunk.usage))
        for choice in (getattr(chunk, "choices", None) or ())[:1]:
            self._reason = choice.finish_reason or self._reason
            if choice.delta is not None:
                yield from self._read_delta(choice.delta)

    def end(self) -> Iterator[DeltaMessage]:
        """Yield how the reply ended.

        Raises:
            UnreadableReply: Nothing of a reply has arrived.
        """
        if not self.begun:
            raise UnreadableReply(_NO_CHUNK)
        if not self._reason:
            yield DeltaMessage(finish="incomplete")
        else:
            yield DeltaMessage(finish=_finish(self._reason, self._called, self._refused))

    def _read_delta(self, delta: Any) -> Iterator[DeltaMessage]:
        if text := _text(delta.content):
            yield DeltaMessage(TextDeltaMessageContent(text))
        if refusal := _text(delta.refusal):
            self._refused = True
            yield DeltaMessage(TextDeltaMessageContent(refusal))
        for piece in delta.tool_calls or ():
            self._called = True
            yield DeltaMessage(_call_piece(piece))


def words(error: Exception, *, server: str, key_env: str) -> str:
    """Return what went wrong, in the provider's words where it said any, and what to check."""
    import openai  # loaded already, or there would be no such error

    if isinstance(error, openai.APITimeoutError):
        return f"No answer from {server} in time. Raise the driver's timeout, or ask again later."
    if isinstance(error, openai.APIConnectionError):
        cause = str(error.__cause__ or error).rstrip(".")
        return (
            f"No connection to {server}: {cause}."
            " Check that the address is right, the server runs and the network is up."
        )
    if isinstance(error, openai.APIError):
        return _said(error) + _hint(getattr(error, "status_code", None), key_env)
    if isinstance(error, UnreadableReply):
        return str(error)
    return f"The answer of {server} cannot be read: {error}."


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _call(call: Any) -> ActionCallMessageContent:
    function = getattr(call, "function", None)
    return ActionCallMessageContent(
        id=_text(getattr(call, "id", None)),
        native=_text(getattr(function, "name", None)),
        arguments=_arguments(getattr(function, "arguments", None)),
    )


def _call_piece(piece: Any) -> ActionCallDeltaMessageContent:
    """Return the piece as it came; servers number the calls wrongly, or send no index."""
    function = getattr(piece, "function", None)
    index = getattr(piece, "index", None)
    return ActionCallDeltaMessageContent(
        index=index if isinstance(index, int) else None,
        id=_text(getattr(piece, "id", None)),
        native=_text(getattr(function, "name", None)),
        arguments=_arguments(getattr(function, "arguments", None)),
    )


def _arguments(value: Any) -> str:
    """Return the arguments as JSON text; some servers send the object itself, or null."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _finish(reason: str, has_calls: bool, has_refusal: bool) -> Finish:
    finish = _FINISHES.get(reason, "stop")
    if finish != "stop":
        return finish
    if has_refusal:
        return "refusal"
    return "actions" if has_calls else "stop"


def _detail(counted: Any, group: str, name: str) -> int | None:
    value = getattr(getattr(counted, group, None), name, None)
    return value if isinstance(value, int) else None


def _unreadable(answer: Any) -> str:
    error = getattr(answer, "error", None)
    if error is not None:
        return _words_of(error) or str(error)
    found = answer if isinstance(answer, str) else _dumped(answer)
    return _NO_COMPLETION.format(found=repr(found[:_MOST_SHOWN]))


def _dumped(answer: Any) -> str:
    return str(answer.model_dump_json()) if hasattr(answer, "model_dump_json") else str(answer)


def _said(error: APIError) -> str:
    """Return the provider's own words, wherever its server puts them."""
    return (_words_of(error.body) or error.message)[:_MOST_SHOWN]


def _words_of(body: Any) -> str:
    if isinstance(body, str):
        return body.strip()
    if isinstance(body, dict):
        found = (body.get(name) for name in ("message", "error", "detail"))
        return next((words for words in map(_words_of, found) if words), "")
    return ""


def _hint(status: Any, key_env: str) -> str:
    if status == 401:
        return f" Check the key in {key_env}."
    if status == 404:
        return " Check the model's name and base_url."
    return ""
