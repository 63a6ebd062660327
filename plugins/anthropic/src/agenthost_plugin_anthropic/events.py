"""Read a reply of the Messages API from the events of its stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agenthost_plugin_anthropic.blocks import PROVIDER
from agenthost_plugin_anthropic.decode import (
    UnreadableReply,
    finish,
    further,
    own_form,
    text_of,
    usage,
)
from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    DeltaContent,
    DeltaMessage,
    GenericDeltaMessageContent,
    ReasoningDeltaMessageContent,
    TextDeltaMessageContent,
    Usage,
)

_NO_EVENT = (
    "The stream ended before anything of the reply had arrived. Check that base_url names a"
    " server that streams Anthropic's Messages API, or ask with stream off."
)

Pieces = Sequence[DeltaContent]


class EventReader:
    """Reads the events of one stream; made anew for each.

    `read` takes them as they come. `end` is called once after the last of them, also where the
    connection was lost: a stream that never said why it ended is "incomplete".
    """

    def __init__(self) -> None:
        self.begun = False
        self._blocks: list[_Block] = []
        self._at: dict[Any, _Block] = {}  # an index -> the block that began there last
        self._calls = 0
        self._counted = Usage()
        self._reason: str | None = None

    def read(self, event: Any) -> Sequence[DeltaMessage]:
        """Return what the event adds to the reply; one of an unknown kind adds nothing."""
        kind = getattr(event, "type", None)
        if kind == "content_block_delta":  # first, as nearly all are
            return self._added(event.index, event.delta)
        if kind == "message_start":
            self.begun = True
            return (self._count(getattr(event.message, "usage", None)),)
        if kind == "content_block_start":
            self.begun = True
            return self._begun(event.index, own_form(event.content_block))
        if kind == "content_block_stop":
            block = self._at.get(event.index)
            return _pieces(block.end()) if block else ()
        if kind == "message_delta":
            self._reason = getattr(event.delta, "stop_reason", None) or self._reason
            return (self._count(getattr(event, "usage", None)),)
        return ()

    def end(self) -> Iterator[DeltaMessage]:
        """Yield how the reply ended.

        Raises:
            UnreadableReply: Nothing of a reply has arrived.
        """
        if not self.begun:
            raise UnreadableReply(_NO_EVENT, may_pass=True)
        if self._reason is None:
            yield DeltaMessage(finish="incomplete")
            return
        for block in self._blocks:
            yield from _pieces(block.end())
        end = finish(self._reason, has_calls=self._calls > 0)
        yield DeltaMessage(finish=end, finish_reason=self._reason)

    def _begun(self, index: Any, form: dict[str, Any]) -> Sequence[DeltaMessage]:
        """Begin a block; some servers give its index to several, and end none but the last."""
        before = self._at.get(index)
        ended = _pieces(before.end()) if before else []
        kind, number = _KINDS.get(form.get("type"), _Block), len(self._blocks)
        if kind is _Call:  # calls are numbered by themselves
            number, self._calls = self._calls, self._calls + 1
        block = self._at[index] = kind(number, form)
        self._blocks.append(block)
        return ended + _pieces(block.start())

    def _added(self, index: Any, delta: Any) -> Sequence[DeltaMessage]:
        """Add to the block at an index; where that is of another kind, to one that fits."""
        kind, begun = getattr(delta, "type", None), []
        block = self._at.get(index)
        if block is None or not block.takes(kind):
            fitting = (one for one in reversed(self._blocks) if one.is_open and one.takes(kind))
            block = next(fitting, None)
        if block is None and kind in _BEGUN_BY:
            begun = [*self._begun(index, {"type": _BEGUN_BY[kind]})]
            block = self._at[index]
        if block is None:
            return ()
        block.is_open = True
        return begun + _pieces(block.add(delta))

    def _count(self, counted: Any) -> DeltaMessage:
        """Return the tokens; what was counted before is not taken back by a later nought."""
        later, earlier = usage(counted), self._counted
        told = replace(
            later,
            input_tokens=later.input_tokens or earlier.input_tokens,
            cached_tokens=later.cached_tokens or earlier.cached_tokens,
            cache_written_tokens=later.cache_written_tokens or earlier.cache_written_tokens,
        )
        self._counted = earlier.updated(told)
        return DeltaMessage(usage=told)


def _pieces(contents: Pieces) -> list[DeltaMessage]:
    return [DeltaMessage(content) for content in contents]


class _Block:
    """A block while it comes, of a kind that is kept as the API has it: its form, grown whole."""

    #: The kinds of pieces that it is made of; others belong to another block.
    made_of: tuple[str, ...] = ("input_json_delta",)

    def __init__(self, index: int, form: dict[str, Any]) -> None:
        self.is_open = True
        self._index = index
        self._form = form
        self._json: list[str] = []

    def takes(self, kind: Any) -> bool:
        """Return whether a piece of that kind may be of this block; an unknown one may."""
        return kind in self.made_of or kind not in _KNOWN

    def start(self) -> Pieces:
        return ()

    def add(self, delta: Any) -> Pieces:
        if getattr(delta, "type", None) == "input_json_delta":
            self._json.append(text_of(delta.partial_json))
        else:
            self._grow(own_form(delta))
        return ()

    def end(self) -> Pieces:
        """Return what is known at the end; nothing more where that was said."""
        if not self.is_open:
            return ()
        self.is_open = False
        return self.stop()

    def stop(self) -> Pieces:
        form = self._whole()
        if form.get("type") in ("thinking", "redacted_thinking"):
            return (ReasoningDeltaMessageContent("", self._index, form, PROVIDER),)
        return (GenericDeltaMessageContent(form, self._index, PROVIDER),) if form else ()

    def _grow(self, delta: dict[str, Any]) -> None:
        """Add the fields of a delta: texts are continued, all else takes the earlier place."""
        for name, held in delta.items():
            if name == "type":
                continue
            begun = self._form.get(name)
            is_text = isinstance(begun, str) and isinstance(held, str)
            self._form[name] = f"{begun}{held}" if is_text else held

    def _whole(self) -> dict[str, Any]:
        text = "".join(self._json)
        if not text:
            return self._form
        try:
            return {**self._form, "input": json.loads(text)}
        except ValueError:
            return {}  # cut in the middle: the API would not take it back


class _Thinking(_Block):
    """Thoughts, which are shown as they come, and kept whole with their signature."""

    made_of = ("thinking_delta", "signature_delta")

    def start(self) -> Pieces:
        return self._shown(text_of(self._form.get("thinking")))

    def add(self, delta: Any) -> Pieces:
        super().add(delta)
        return self._shown(text_of(getattr(delta, "thinking", None)))

    def _shown(self, text: str) -> Pieces:
        return (ReasoningDeltaMessageContent(text, self._index),) if text else ()


class _Text(_Block):
    """Text; what it cites is left out."""

    made_of = ("text_delta", "citations_delta")

    def start(self) -> Pieces:
        return self._said(self._form.get("text"))

    def add(self, delta: Any) -> Pieces:
        return self._said(getattr(delta, "text", None))

    def stop(self) -> Pieces:
        return ()

    def _said(self, text: Any) -> Pieces:
        return (TextDeltaMessageContent(text, self._index),) if text_of(text) else ()


class _Call(_Block):
    """A call, whose input comes as pieces of JSON, or stands whole at the start."""

    def start(self) -> Pieces:
        form = self._form
        id, name = text_of(form.get("id")), text_of(form.get("name"))
        return (ActionCallDeltaMessageContent(self._index, id, name, extra=further(form)),)

    def add(self, delta: Any) -> Pieces:
        piece = text_of(getattr(delta, "partial_json", None))
        if not piece:
            return ()
        self._json.append(piece)
        return (ActionCallDeltaMessageContent(self._index, arguments=piece),)

    def stop(self) -> Pieces:
        if self._json:
            return ()
        whole = json.dumps(self._form.get("input") or {}, ensure_ascii=False)
        return (ActionCallDeltaMessageContent(self._index, arguments=whole),)


_KINDS: dict[Any, type[_Block]] = {
    "text": _Text,
    "tool_use": _Call,
    "thinking": _Thinking,
}

# What a piece begins that comes without the start of its block, or within one of another kind.
_BEGUN_BY = {"text_delta": "text", "thinking_delta": "thinking"}

_KNOWN = frozenset((*_Block.made_of, *_Thinking.made_of, *_Text.made_of))
