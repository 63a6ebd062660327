"""Read a reply of the Messages API from the events of its stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
)

_NO_EVENT = (
    "The stream ended before anything of the reply had arrived. Check that base_url names a"
    " server that streams Anthropic's Messages API, or ask with stream off."
)


class EventReader:
    """Reads the events of one stream; made anew for each.

    `read` takes them as they come. `end` is called once after the last of them, also where the
    connection was lost: a stream that never said why it ended is "incomplete".
    """

    def __init__(self) -> None:
        self.begun = False
        self._open: dict[int, _Block] = {}
        self._reason: str | None = None

    def read(self, event: Any) -> Iterator[DeltaMessage]:
        """Yield what the event adds to the reply; one of an unknown kind adds nothing."""
        match getattr(event, "type", None):
            case "message_start":
                self.begun = True
                yield DeltaMessage(usage=usage(getattr(event.message, "usage", None)))
            case "content_block_start":
                self.begun = True
                block = self._open[event.index] = _block(event.index, event.content_block)
                yield from map(DeltaMessage, block.start())
            case "content_block_delta":
                if event.index in self._open:
                    yield from map(DeltaMessage, self._open[event.index].add(event.delta))
            case "content_block_stop":
                if event.index in self._open:
                    yield from map(DeltaMessage, self._open.pop(event.index).stop())
            case "message_delta":
                self._reason = getattr(event.delta, "stop_reason", None) or self._reason
                yield DeltaMessage(usage=usage(getattr(event, "usage", None)))

    def end(self) -> Iterator[DeltaMessage]:
        """Yield how the reply ended.

        Raises:
            UnreadableReply: Nothing of a reply has arrived.
        """
        if not self.begun:
            raise UnreadableReply(_NO_EVENT)
        if self._reason is None:
            yield DeltaMessage(finish="incomplete")
        else:
            yield DeltaMessage(finish=finish(self._reason), finish_reason=self._reason)


class _Block:
    """A block while it comes, of a kind that is kept as the API has it: its form, grown whole."""

    def __init__(self, index: int, form: dict[str, Any]) -> None:
        self._index = index
        self._form = form
        self._json: list[str] = []

    def start(self) -> Iterator[DeltaContent]:
        yield from ()

    def add(self, delta: Any) -> Iterator[DeltaContent]:
        if getattr(delta, "type", None) == "input_json_delta":
            self._json.append(text_of(delta.partial_json))
        else:
            self._grow(own_form(delta))
        yield from ()

    def stop(self) -> Iterator[DeltaContent]:
        form = self._whole()
        if form.get("type") in ("thinking", "redacted_thinking"):
            yield ReasoningDeltaMessageContent("", self._index, form, PROVIDER)
        elif form:
            yield GenericDeltaMessageContent(form, self._index, PROVIDER)

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

    def start(self) -> Iterator[DeltaContent]:
        yield from self._shown(text_of(self._form.get("thinking")))

    def add(self, delta: Any) -> Iterator[DeltaContent]:
        yield from super().add(delta)
        yield from self._shown(text_of(getattr(delta, "thinking", None)))

    def _shown(self, text: str) -> Iterator[DeltaContent]:
        if text:
            yield ReasoningDeltaMessageContent(text, self._index)


class _Text(_Block):
    """Text; what it cites is left out."""

    def start(self) -> Iterator[DeltaContent]:
        yield from self._said(self._form.get("text"))

    def add(self, delta: Any) -> Iterator[DeltaContent]:
        yield from self._said(getattr(delta, "text", None))

    def stop(self) -> Iterator[DeltaContent]:
        yield from ()

    def _said(self, text: Any) -> Iterator[DeltaContent]:
        if text_of(text):
            yield TextDeltaMessageContent(text, self._index)


class _Call(_Block):
    """A call, whose input comes as pieces of JSON, or stands whole at the start."""

    def start(self) -> Iterator[DeltaContent]:
        form = self._form
        yield ActionCallDeltaMessageContent(
            self._index,
            text_of(form.get("id")),
            text_of(form.get("name")),
            extra=further(form),
        )

    def add(self, delta: Any) -> Iterator[DeltaContent]:
        piece = text_of(getattr(delta, "partial_json", None))
        if piece:
            self._json.append(piece)
            yield ActionCallDeltaMessageContent(self._index, arguments=piece)

    def stop(self) -> Iterator[DeltaContent]:
        if not self._json:
            whole = json.dumps(self._form.get("input") or {}, ensure_ascii=False)
            yield ActionCallDeltaMessageContent(self._index, arguments=whole)


_KINDS: dict[Any, type[_Block]] = {
    "text": _Text,
    "tool_use": _Call,
    "thinking": _Thinking,
}


def _block(index: int, begun: Any) -> _Block:
    form = own_form(begun)
    return _KINDS.get(form.get("type"), _Block)(index, form)
