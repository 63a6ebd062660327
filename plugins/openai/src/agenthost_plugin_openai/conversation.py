"""Write the messages of a conversation as chat completions have them, each once."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, Self

from agenthost_plugin_openai import parts
from agenthost_plugin_openai.calls import CallIds, sendable_arguments
from agenthost_plugin_openai.parts import PROVIDER
from agenthost_plugin_openai.profiles import Profile
from agenthost_sdk.actions import NATIVE_NAME, native_name
from agenthost_sdk.artifacts import NOTHING
from agenthost_sdk.conversations import results_apart
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    AudioMessageContent,
    BaseMessageContent,
    DocumentMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    ReasoningMessageContent,
    TextMessageContent,
    contents,
)
from agenthost_sdk.wire import written

Json = dict[str, Any]

#: What a call is answered with when the stack holds no result for it.
NO_RESULT = "No result of this call was recorded."

#: What a result says that only holds a picture, or something else that is no text.
BELOW = "See below."

#: What the user says where a conversation would be empty, which is refused.
OPENING = "Begin."

#: The model's word where it must speak between results and the user.
GO_ON = "OK"

_MEDIA = (ImageMessageContent, AudioMessageContent, DocumentMessageContent)


class Conversation:
    """Writes messages one after the other and knows which calls are still to be answered.

    Each call is answered by exactly one message right behind the model's; a call without a
    result gets one that says so, a result without a call is left out. What else comes while
    results are awaited is said behind them.

    Args:
        profile: What the server has of its own.
        rules_role: The role that rules are given in.
    """

    def __init__(self, profile: Profile, rules_role: str) -> None:
        self._profile = profile
        self._rules_role = rules_role
        self._ids = CallIds(profile.id_length)
        self._written: list[bytes] = []
        self._ends_in_results = False
        self._open: list[tuple[str, str]] = []  # (id in the stack, id as sent)
        self._answers: dict[str, str] = {}  # id as sent -> text
        self._rules: list[str] = []  # that wait for the results
        self._rest: list[BaseMessageContent] = []  # of the user, behind the results

    def copy(self) -> Self:
        """Return a writer that stands where this one does, and goes on by itself."""
        copy = type(self)(self._profile, self._rules_role)
        copy._ids = self._ids.copy()
        copy._written = self._written.copy()
        copy._ends_in_results = self._ends_in_results
        copy._open, copy._answers = self._open.copy(), self._answers.copy()
        copy._rules, copy._rest = self._rules.copy(), self._rest.copy()
        return copy

    def messages(self) -> bytes:
        """Return all messages as a list in JSON; no further ones may be taken."""
        self._settle()
        if not self._written:
            self._write({"role": "user", "content": OPENING})
        return b"[" + b",".join(self._written) + b"]"

    def take(self, message: Message) -> None:
        """Write the next message, or keep it back until the results before it have come."""
        if message.role == "assistant":
            for part in results_apart(message):
                self._take_part(part)
        elif message.role == "system":
            said = [words for block in message.content if (words := block.to_text())]
            self._rules += ["\n\n".join(said)] if said else []
            if not self._waits():
                self._settle_rules()
        else:
            self._take_user(message)

    def _take_part(self, message: Message) -> None:
        if message.role == "user":
            self._take_user(message)
        else:
            self._settle()
            self._write_assistant(message)

    def _write(self, message: Json) -> None:
        if self._ends_in_results and message["role"] not in ("tool", "assistant"):
            self._written.append(written({"role": "assistant", "content": GO_ON}))
        is_result = message["role"] == "tool"
        self._ends_in_results = is_result and self._profile.speaks_after_results
        self._written.append(written(message))

    def _take_user(self, message: Message) -> None:
        for block in message.content:
            if isinstance(block, ActionResultMessageContent):
                self._take_result(block)
            else:
                self._rest.append(block)
        if not self._waits():
            self._settle()

    def _take_result(self, result: ActionResultMessageContent) -> None:
        sent = next((sent for id, sent in self._unanswered() if id == result.id), None)
        if sent is None:
            return
        blocks = contents(result.output)
        media = [block for block in blocks if not _is_said(block)]
        words = "\n\n".join([text for one in blocks if _is_said(one) and (text := one.to_text())])
        self._answers[sent] = words or (BELOW if media else NOTHING)
        if media:  # a message of a tool holds text only, so the rest follows as the user's words
            self._rest += [TextMessageContent(f"From the result of {result.native}:"), *media]

    def _unanswered(self) -> list[tuple[str, str]]:
        return [(id, sent) for id, sent in self._open if sent not in self._answers]

    def _waits(self) -> bool:
        return len(self._answers) < len(self._open)

    def _settle(self) -> None:
        """Answer the open calls, then say what else has come since."""
        for _, sent in self._open:
            text = self._answers.get(sent, NO_RESULT)
            self._write({"role": "tool", "tool_call_id": sent, "content": text})
        self._open, self._answers = [], {}
        self._settle_rules()
        if content := parts.content(self._rest, self._profile.documents):
            self._write({"role": "user", "content": content})
        self._rest = []

    def _settle_rules(self) -> None:
        for text in self._rules:
            self._write({"role": self._rules_role, "content": text})
        self._rules = []

    def _write_assistant(self, message: Message) -> None:
        blocks = message.content
        calls = [self._call(one) for one in blocks if isinstance(one, ActionCallMessageContent)]
        fields = _returned(blocks, self._profile, has_calls=bool(calls))
        content = None if "audio" in fields else _said(blocks, self._profile)
        if calls:
            self._write({"role": "assistant", "content": content, **fields, "tool_calls": calls})
        elif content or "audio" in fields:
            said = {"content": content} if content else {}
            self._write({"role": "assistant", **said, **fields})
        pictures = [block for block in blocks if isinstance(block, ImageMessageContent)]
        if pictures:  # the model's message holds text only
            self._rest += [TextMessageContent("From the reply above:"), *pictures]

    def _call(self, call: ActionCallMessageContent) -> Json:
        sent = self._ids.free(call.id)
        self._open.append((call.id, sent))
        native = call.native
        name = native if NATIVE_NAME.match(native) else native_name(native, None)
        function = {"name": name, "arguments": sendable_arguments(call.arguments)}
        made = {"id": sent, "type": "function", "function": function}
        if call.extra:
            made |= {key: call.extra[key] for key in self._profile.returns if key in call.extra}
        return made


def _is_said(block: BaseMessageContent) -> bool:
    """Return whether a block of a result is said in words."""
    if isinstance(block, DocumentMessageContent):
        return parts.is_text(block.artifact)
    return not isinstance(block, ImageMessageContent | AudioMessageContent | GenericMessageContent)


def _said(blocks: Iterable[BaseMessageContent], profile: Profile) -> str | list[Json] | None:
    """Return the content of a message of the model; None where it says nothing."""
    made: list[Json] = []
    words: list[str] = []
    media: list[str] = []
    for block in blocks:
        if isinstance(block, TextMessageContent):
            words.append(block.text)
        elif isinstance(block, ReasoningMessageContent) and "thinking" in profile.returns:
            if (part := _thinking(block)) is not None:
                made += [*_text_part(words), part]
                words = []
        elif isinstance(block, _MEDIA):
            media.append(block.to_text())
    if made:
        return [*made, *_text_part(words)]
    return "".join(words) or "\n\n".join(media) or None


def _text_part(words: list[str]) -> list[Json]:
    text = "".join(words)
    return [{"type": "text", "text": text}] if text else []


def _thinking(block: ReasoningMessageContent) -> Json | None:
    is_own = block.provider == PROVIDER and isinstance(block.value, Mapping)
    return dict(block.value) if is_own and block.value.get("type") == "thinking" else None


def _returned(blocks: Iterable[BaseMessageContent], profile: Profile, *, has_calls: bool) -> Json:
    """Return the fields of a message that its server wants back."""
    fields: Json = {}
    for block in blocks:
        if isinstance(block, ReasoningMessageContent) and block.provider in ("", PROVIDER):
            _add_thoughts(fields, block, profile)
        elif isinstance(block, GenericMessageContent) and block.provider == PROVIDER:
            _add_fields(fields, block.value, profile)
    if profile.insists:
        name = profile.returns[0]
        return {**fields, name: fields.get(name, "")} if has_calls else {}
    return fields


def _add_thoughts(fields: Json, block: ReasoningMessageContent, profile: Profile) -> None:
    """Add the thoughts of a block under the first of the wanted fields that it has."""
    held = block.value if isinstance(block.value, Mapping) else {}
    is_part = held.get("type") == "thinking"  # which `_said` writes in its place
    name = None if is_part else next((name for name in profile.returns if name in held), None)
    if name is not None:
        thoughts = held[name]
    elif profile.insists and block.text:
        name, thoughts = profile.returns[0], block.text
    else:
        return
    fields[name] = fields[name] + thoughts if name in fields else thoughts


def _add_fields(fields: Json, held: Any, profile: Profile) -> None:
    """Add what else of a reply is wanted back: a sound by its id, what documents held."""
    if not isinstance(held, Mapping):
        return
    for name in profile.returns:
        if name == "audio":
            if id := _living_sound(held.get(name)):
                fields[name] = {"id": id}
        elif name == "annotations":
            if kept := [one for one in held.get(name, ()) if one.get("type") == "file"]:
                fields[name] = kept
        elif name in held:
            fields[name] = held[name]


def _living_sound(audio: Any) -> str:
    """Return the id of a sound that the server still has; it forgets them after a while."""
    if not isinstance(audio, Mapping):
        return ""
    ends = audio.get("expires_at")
    is_over = isinstance(ends, int) and ends <= time.time()
    return "" if is_over else str(audio.get("id") or "")
