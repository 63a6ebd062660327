"""Read a whole reply of chat completions, or the error in its place."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from agenthost_plugin_openai.parts import PROVIDER
from agenthost_sdk.artifacts import AudioArtifact, ImageArtifact, ImageUrlArtifact
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    AudioMessageContent,
    BaseMessageContent,
    Finish,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    ReasoningMessageContent,
    TextMessageContent,
    Usage,
)

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

Json = dict[str, Any]

# The servers' words for the end of a reply; any other word is an ordinary end.
_FINISHES: dict[str, Finish] = {
    "tool_calls": "actions",
    "tool_call": "actions",
    "tool_use": "actions",
    "function_call": "actions",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
    "safety": "refusal",
    "sensitive": "refusal",
    # The server gave up in the middle.
    "abort": "incomplete",
    "error": "incomplete",
    "insufficient_system_resource": "incomplete",
    "network_error": "incomplete",
}

#: The fields of a message that hold thoughts in words, one of which is read.
THOUGHTS = ("reasoning_content", "reasoning")

#: Further fields of a message that are kept: for a reader, or a server that wants them back.
KEPT = ("annotations", "extra_content", "executed_tools")

_NO_COMPLETION = (
    "The server answered, but not with a chat completion: {found}."
    " Check that base_url names a server that speaks the protocol, usually up to its /v1."
)

_NOTHING: Mapping[str, Any] = MappingProxyType({})

# As much of a page that is no JSON as a reader wants to see.
_MOST_SHOWN = 300


class UnreadableReply(Exception):  # noqa: N818 - it names what is wrong
    """The server sent something else than a reply; the words say what, and what to check.

    Args:
        words: What is wrong.
        body: What the server sent, where it told of an error.
        may_pass: Whether the same request may succeed later, where the body does not tell.
    """

    def __init__(self, words: str, body: Any = None, *, may_pass: bool = False) -> None:
        super().__init__(words)
        self.message = words
        self.body = body
        self.may_pass = may_pass


def message(completion: ChatCompletion, sound: str = "wav") -> Message:
    """Return the message of a whole reply.

    Args:
        completion: What the server sent, as the SDK has it.
        sound: The format of sound that was asked for.

    Raises:
        UnreadableReply: What the server sent is no completion; the words say what it is.
    """
    choices = getattr(completion, "choices", None)
    if not isinstance(choices, list) or not choices:
        raise _unreadable(completion)
    choice = choices[0]
    said = getattr(choice, "message", None)
    error = further(choice).get("error")
    if not hasattr(said, "content") or isinstance(error, dict):
        raise _unreadable(completion, error)
    blocks = tuple(_blocks(said, sound))
    reason = text(choice.finish_reason)
    has_calls = any(isinstance(block, ActionCallMessageContent) for block in blocks)
    end = finish(reason, has_calls, bool(text(getattr(said, "refusal", None))))
    counted = usage(getattr(completion, "usage", None))
    return Message("assistant", blocks, counted, end, finish_reason=reason)


def refused(error: Any) -> UnreadableReply:
    """Return the error that a server tells of in the place of a reply, or of a part of it."""
    body = error if isinstance(error, dict) else {"message": str(error)}
    return UnreadableReply(str(body.get("message") or body), body)


def finish(reason: str, has_calls: bool, has_refusal: bool) -> Finish:
    """Return why a reply ended in our words.

    Calls and a refusal tell more than "stop"; calls that were announced and never came are none.
    """
    found = _FINISHES.get(reason.lower(), "stop")
    if found not in ("stop", "actions"):
        return found
    if has_calls:
        return "actions"
    return "refusal" if has_refusal else "stop"


def usage(counted: Any) -> Usage:
    """Return the tokens that the provider counted."""
    cached = _detail(counted, "prompt_tokens_details", "cached_tokens")
    if cached is None:
        cached = _number(further(counted).get("prompt_cache_hit_tokens"))  # as DeepSeek has it
    return Usage(
        input_tokens=_number(getattr(counted, "prompt_tokens", None)),
        output_tokens=_number(getattr(counted, "completion_tokens", None)),
        cached_tokens=cached,
        reasoning_tokens=_detail(counted, "completion_tokens_details", "reasoning_tokens"),
        cache_written_tokens=_detail(counted, "prompt_tokens_details", "cache_write_tokens"),
    )


def further(read: Any) -> Mapping[str, Any]:
    """Return the fields of what the SDK read that it does not know."""
    return getattr(read, "__pydantic_extra__", None) or _NOTHING


def text(value: Any) -> str:
    """Return a text, "" for anything else."""
    return value if isinstance(value, str) else ""


def listed(value: Any) -> list[Any]:
    """Return a list, an empty one for anything else."""
    return value if isinstance(value, list) else []


def call_fields(read: Any) -> tuple[str, str, str, Json | None]:
    """Return id, name, arguments and what else is to be kept of a call, or of a piece of one."""
    function, more = getattr(read, "function", None), further(read)
    name, arguments = getattr(function, "name", None), getattr(function, "arguments", None)
    if function is None and (custom := as_dict(getattr(read, "custom", None))).get("name"):
        name, arguments = custom["name"], custom.get("input")
    extra = more.get("extra_content") if more else None
    return (
        text(getattr(read, "id", None)),
        text(name),
        arguments if isinstance(arguments, str) else _arguments(arguments),
        {"extra_content": extra} if isinstance(extra, dict) else None,
    )


def old_call(function: Any) -> ActionCallMessageContent | None:
    """Return a call as they were made before there were several; None where there is none."""
    name, arguments = _name(function), _arguments(getattr(function, "arguments", None))
    return ActionCallMessageContent("", name, arguments) if name or arguments else None


def thoughts_in(part: Any) -> str:
    """Return the thoughts in a part of a content that is a list."""
    held = part.get("thinking")
    pieces = [text(one.get("text")) for one in listed(held) if isinstance(one, dict)]
    return text(held) or "".join(pieces)


def thoughts_of(details: list[Any]) -> str:
    """Return the thoughts in a message's `reasoning_details`."""
    found = [one for one in details if isinstance(one, dict)]
    return "".join([text(one.get("text")) or text(one.get("summary")) for one in found])


def picture(part: Any) -> ImageMessageContent | None:
    """Return the picture in a part such as `{"image_url": {"url": "data:…"}}`; None if none."""
    held = as_dict(part).get("image_url")
    url = text(held.get("url")) if isinstance(held, dict) else text(held)
    if not url.startswith("data:"):
        return ImageMessageContent(ImageUrlArtifact(url)) if url else None
    kind, _, data = url.removeprefix("data:").partition(",")
    subtype = kind.partition(";")[0].removeprefix("image/") or "png"
    value = decoded(data) if kind.endswith(";base64") else unquote_to_bytes(data)
    return ImageMessageContent(ImageArtifact(value, format=subtype)) if value else None


def decoded(data: Any) -> bytes:
    """Return the bytes that are written in base64; none where they are not."""
    try:
        return base64.b64decode(text(data))
    except (binascii.Error, ValueError):
        return b""


def as_dict(read: Any) -> Json:
    """Return an object of a reply as a dictionary, however deep the SDK knew it."""
    if isinstance(read, dict):
        return read
    dump = getattr(read, "model_dump", None)
    if not callable(dump):
        return {}
    found: Json = dump(
        mode="json", exclude_unset=True, warnings=False
    )  # servers send what they do
    return found


def _blocks(said: Any, sound: str) -> Iterator[BaseMessageContent]:
    """Yield what a message says: thoughts, words, pictures and sound, calls, and what is kept."""
    more = further(said)
    thoughts = _reasoning(more)
    if thoughts is not None:
        yield thoughts
    yield from _contents(said.content)
    if refusal := text(getattr(said, "refusal", None)):
        yield TextMessageContent(refusal)
    yield from filter(None, map(picture, listed(more.get("images"))))
    heard = as_dict(getattr(said, "audio", None))
    if data := decoded(heard.get("data")):
        if not text(said.content) and text(heard.get("transcript")):
            yield TextMessageContent(heard["transcript"])
        yield AudioMessageContent(AudioArtifact(data, format=sound))
    calls = listed(getattr(said, "tool_calls", None))
    yield from (ActionCallMessageContent(*call_fields(call)) for call in calls)
    if not calls and (call := old_call(getattr(said, "function_call", None))) is not None:
        yield call
    if kept := kept_fields(said, heard if heard.get("id") else {}):
        yield GenericMessageContent(kept, PROVIDER)


def _contents(content: Any) -> Iterator[BaseMessageContent]:
    """Yield the blocks of a content, which some servers send in parts."""
    if words := text(content):
        yield TextMessageContent(words)
    said = ""
    for part in map(as_dict, listed(content)):
        if part.get("type") == "text":
            said += text(part.get("text"))
            continue
        if said:
            yield TextMessageContent(said)
            said = ""
        if part.get("type") == "thinking":
            yield ReasoningMessageContent(thoughts_in(part), part, PROVIDER)
        elif shown := picture(part):
            yield shown
    if said:
        yield TextMessageContent(said)


def _reasoning(more: Mapping[str, Any]) -> ReasoningMessageContent | None:
    """Return the thoughts that stand beside the content, with all the fields that hold them."""
    held: Json = {name: words for name in THOUGHTS if (words := text(more.get(name)))}
    details = listed(more.get("reasoning_details"))
    if not held and not details:
        return None
    words = next(iter(held.values()), "") or thoughts_of(details)
    if details:
        held["reasoning_details"] = details
    return ReasoningMessageContent(words, held, PROVIDER)


def kept_fields(said: Any, audio: Mapping[str, Any]) -> Json:
    """Return the further fields of a message, or of a piece of one, that are kept.

    Args:
        said: The message.
        audio: Its sound, of which the id and the time of its end are kept.
    """
    held = {**getattr(said, "__dict__", _NOTHING), **further(said)}
    kept: Json = {name: _plain(held[name]) for name in KEPT if held.get(name)}
    if sound := {name: audio[name] for name in ("id", "expires_at") if audio.get(name)}:
        kept["audio"] = sound
    return kept


def _plain(value: Any) -> Any:
    return [as_dict(one) for one in value] if isinstance(value, list) else value


def _name(function: Any) -> str:
    return text(getattr(function, "name", None))


def _arguments(value: Any) -> str:
    """Return the arguments as JSON text; some servers send the object itself, or null."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, default=str)


def _detail(counted: Any, group: str, name: str) -> int | None:
    details = getattr(counted, group, None)
    return _number(getattr(details, name, None))


def _number(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else None


def _unreadable(answer: Any, error: Any = None) -> UnreadableReply:
    error = error or further(answer).get("error")
    if error:
        return refused(error)
    found = " ".join(str(_shown(answer)).split())
    if len(found) > _MOST_SHOWN:
        found = f"{found[:_MOST_SHOWN]}…"
    return UnreadableReply(_NO_COMPLETION.format(found=found or "nothing"))


def _shown(answer: Any) -> Any:
    return as_dict(answer) if hasattr(answer, "model_dump") else answer
