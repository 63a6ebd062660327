"""Write a prompt stack as the body of a chat-completions request."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agenthost_sdk.actions import ToolSpec, native_name
from agenthost_sdk.artifacts import (
    NOTHING,
    AudioArtifact,
    GenericArtifact,
    ImageArtifact,
    ImageUrlArtifact,
)
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    AudioMessageContent,
    BaseMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    PromptStack,
    TextMessageContent,
    contents,
)
from agenthost_sdk.schemas import provider_safe, to_strict

Json = dict[str, Any]

#: The provider that generic blocks must name to be sent back.
PROVIDER = "openai"

#: What a call is answered with when the stack holds no result for it.
NO_RESULT = "No result of this call was recorded."

# What the provider takes at most: sequences in `stop`, characters in the id of a call.
_MOST_STOPS = 4
_LONGEST_ID = 40

# Reasoning models answer 400 to `stop`; the dialects cut a reply at the same texts themselves.
_TAKES_NO_STOP = re.compile(r"o\d|gpt-[5-9]")
# These answer 400 to tools unless the request says that there is to be no reasoning.
_TOOLS_WITHOUT_REASONING = re.compile(r"gpt-(5\.[6-9]|[6-9])")

_OF_TOOLS = ("tool_choice", "parallel_tool_calls")


def request(
    stack: PromptStack,
    *,
    model: str,
    stream: bool,
    strict: bool = False,
    temperature: float | None = None,
    limit: Mapping[str, int] | None = None,
    extra: Mapping[str, Any] | None = None,
    forms: ToolForms | None = None,
) -> Json:
    """Return the body of the request that puts the stack to the model.

    Args:
        stack: What to ask.
        model: The model that is asked.
        stream: Whether the reply is to come piece by piece, with its usage at the end.
        strict: Whether the server keeps to schemas that are marked as strict.
        temperature: How freely the model chooses its words.
        limit: The token limit under the name that the server has for it.
        extra: Further fields; they win over what is written here.
        forms: Keeps the written tools from one request to the next.
    """
    body: Json = {"model": model, "messages": messages(stack.messages), **(limit or {})}
    if temperature is not None:
        body["temperature"] = temperature
    if stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    if stack.stop and not _TAKES_NO_STOP.match(_bare(model)):
        body["stop"] = list(stack.stop[:_MOST_STOPS])
    if stack.output_schema is not None:
        body["response_format"] = response_format(stack.output_schema, strict)
    if stack.tools:
        body |= _tool_fields(stack, model, (forms or ToolForms()).of(stack.tools, strict))
    body |= extra or {}
    if not body.get("tools"):
        for name in _OF_TOOLS:
            body.pop(name, None)
    return body


def messages(stacked: Iterable[Message]) -> list[Json]:
    """Return the messages in the order that the provider demands.

    Each call gets exactly one tool message, right after its assistant message; a call without
    a result gets one that says so, a result without a call is left out. Ids that are missing,
    too long or used before are replaced, for a call and its result alike.
    """
    return _Conversation().write(stacked)


class ToolForms:
    """The tools last offered, as they were written: a run offers the same ones every round."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[ToolSpec, ...], bool, list[Json]] = ((), False, [])

    def of(self, tools: tuple[ToolSpec, ...], strict: bool) -> list[Json]:
        """Return the tools as functions; do not change what is returned."""
        kept = self._kept  # read once, since other threads may put theirs in its place
        if kept[0] is not tools or kept[1] != strict:
            kept = self._kept = (tools, strict, [tool(spec, strict) for spec in tools])
        return kept[2]


def tool(spec: ToolSpec, strict: bool = False) -> Json:
    """Return an activity as a function that the model can call."""
    function = {"name": spec.native, "description": spec.description}
    return {"type": "function", "function": function | _form("parameters", spec.schema, strict)}


def response_format(schema: Mapping[str, Any], strict: bool = False) -> Json:
    """Return the form that makes the model answer in JSON that meets the schema."""
    name = native_name(str(schema.get("title") or "output"), None)
    form = {"name": name} | _form("schema", schema, strict)
    return {"type": "json_schema", "json_schema": form}


def _form(key: str, schema: Mapping[str, Any], strict: bool) -> Json:
    """Return the strict form of a schema where it has one, else the form that is always taken."""
    safe = provider_safe(dict(schema))
    narrowed = to_strict(safe) if strict else None
    return {key: safe} if narrowed is None else {key: narrowed, "strict": True}


def _tool_fields(stack: PromptStack, model: str, tools: list[Json]) -> Json:
    fields: Json = {"tools": tools}
    if stack.tool_choice != "auto":
        fields["tool_choice"] = stack.tool_choice
    if _TOOLS_WITHOUT_REASONING.match(_bare(model)):
        fields["reasoning_effort"] = "none"
    return fields


def _bare(model: str) -> str:
    return model.rpartition("/")[2]


class _Conversation:
    """Writes messages one after the other and knows which calls are still to be answered."""

    def __init__(self) -> None:
        self._written: list[Json] = []
        self._used_ids: set[str] = set()
        self._open: list[tuple[str, str]] = []  # (id in the stack, id as sent)
        self._answers: dict[str, str] = {}  # id as sent -> text
        self._rest: list[BaseMessageContent] = []

    def write(self, stacked: Iterable[Message]) -> list[Json]:
        for message in stacked:
            if message.role == "assistant":
                self._settle()
                self._write_assistant(message)
            elif message.role == "system":
                self._settle()
                self._write_system(message)
            else:
                self._take_user(message)
        self._settle()
        return self._written

    def _write_system(self, message: Message) -> None:
        if text := _joined(message.content):
            self._written.append({"role": "system", "content": text})

    def _write_assistant(self, message: Message) -> None:
        text = _joined(message.content)
        calls = [self._call(call) for call in message.calls]
        if calls:
            self._written.append(
                {"role": "assistant", "content": text or None, "tool_calls": calls}
            )
        elif text:
            self._written.append({"role": "assistant", "content": text})

    def _call(self, call: ActionCallMessageContent) -> Json:
        sent = self._free_id(call.id)
        self._open.append((call.id, sent))
        function = {"name": native_name(call.native, None), "arguments": _object(call.arguments)}
        return {"id": sent, "type": "function", "function": function}

    def _free_id(self, wanted: str) -> str:
        number = len(self._used_ids) + 1
        while not wanted or len(wanted) > _LONGEST_ID or wanted in self._used_ids:
            wanted = f"call_{number}"
            number += 1
        self._used_ids.add(wanted)
        return wanted

    def _take_user(self, message: Message) -> None:
        for block in message.content:
            if isinstance(block, ActionResultMessageContent):
                self._take_result(block)
            else:
                self._rest.append(block)
        if not self._unanswered():
            self._settle()

    def _take_result(self, result: ActionResultMessageContent) -> None:
        sent = next((sent for id, sent in self._unanswered() if id == result.id), None)
        if sent is None:
            return
        blocks = contents(result.output)
        media = [block for block in blocks if not isinstance(block, TextMessageContent)]
        self._answers[sent] = _joined(blocks) or ("See below." if media else NOTHING)
        if media:  # a tool message holds text only, so pictures follow as the user's words
            label = f"From the result of {result.native}:"
            self._rest += [TextMessageContent(label), *media]

    def _unanswered(self) -> list[tuple[str, str]]:
        return [(id, sent) for id, sent in self._open if sent not in self._answers]

    def _settle(self) -> None:
        """Answer the open calls, then say what else the user's messages held."""
        for _, sent in self._open:
            text = self._answers.get(sent, NO_RESULT)
            self._written.append({"role": "tool", "tool_call_id": sent, "content": text})
        if content := _user_content(self._rest):
            self._written.append({"role": "user", "content": content})
        self._open, self._answers, self._rest = [], {}, []


def _joined(blocks: Iterable[BaseMessageContent]) -> str:
    texts = (block.text for block in blocks if isinstance(block, TextMessageContent))
    return "\n\n".join(text for text in texts if text)


def _object(arguments: str) -> str:
    """Return the arguments, or an empty object where they cannot be read: the provider would
    refuse every later request, and the call's result says what was wrong."""
    try:
        readable = isinstance(json.loads(arguments), dict)
    except ValueError:
        readable = False
    return arguments if readable else "{}"


def _user_content(blocks: Sequence[BaseMessageContent]) -> str | list[Json]:
    parts = list(_parts(blocks))
    if len(parts) == 1 and parts[0]["type"] == "text":
        return str(parts[0]["text"])
    return parts


def _parts(blocks: Iterable[BaseMessageContent]) -> Iterator[Json]:
    for block in blocks:
        if isinstance(block, ImageMessageContent):
            yield {"type": "image_url", "image_url": {"url": _url(block.artifact)}}
        elif isinstance(block, AudioMessageContent):
            yield {"type": "input_audio", "input_audio": _audio(block.artifact)}
        elif isinstance(block, GenericMessageContent):
            if block.provider in ("", PROVIDER):
                yield _own_block(block.value)
        elif text := block.to_text():
            yield {"type": "text", "text": text}


def _own_block(value: Any) -> Json:
    """Return a block that only this provider knows; as text where it is none."""
    if isinstance(value, Mapping) and isinstance(value.get("type"), str):
        try:
            json.dumps(block := dict(value))
        except (TypeError, ValueError, RecursionError):
            pass  # it came from a tool, and was not meant as one
        else:
            return block
    return {"type": "text", "text": GenericArtifact(value).to_text()}


def _url(picture: ImageArtifact | ImageUrlArtifact) -> str:
    if isinstance(picture, ImageUrlArtifact):
        return picture.value
    return f"data:image/{picture.format};base64,{_base64(picture.value)}"


def _audio(sound: AudioArtifact) -> Json:
    return {"data": _base64(sound.value), "format": sound.format}


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")
