"""Say a reply in the pieces that a driver yields."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agenthost_plugin_local.engine import Piece
from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    DeltaMessage,
    Finish,
    TextDeltaMessageContent,
    Usage,
)

_FINISHES: dict[str, Finish] = {"stop": "stop", "length": "length"}


def call(native: str, given: Mapping[str, Any], usage: Usage) -> Iterator[DeltaMessage]:
    """Yield a call of an activity."""
    arguments = json.dumps(dict(given), ensure_ascii=False)
    tag = f"call_{uuid.uuid4().hex[:12]}"
    yield DeltaMessage(ActionCallDeltaMessageContent(0, tag, native, arguments))
    yield DeltaMessage(usage=usage, finish="actions")


def said(text: str, usage: Usage) -> Iterator[DeltaMessage]:
    """Yield a text that is whole already."""
    yield DeltaMessage(TextDeltaMessageContent(text))
    yield DeltaMessage(usage=usage, finish="stop")


def streamed(pieces: Iterable[Piece]) -> Iterator[DeltaMessage]:
    """Yield the model's text as it comes."""
    for piece in pieces:
        if piece.text:
            yield DeltaMessage(TextDeltaMessageContent(piece.text))
        if piece.usage or piece.finish:
            finish = _FINISHES.get(piece.finish or "")
            yield DeltaMessage(usage=piece.usage, finish=finish)


def joined(pieces: Iterable[Piece]) -> tuple[str, Usage]:
    """Return a whole text and what it took."""
    text, usage = "", Usage(0, 0)
    for piece in pieces:
        text += piece.text
        usage = usage.updated(piece.usage) if piece.usage else usage
    return text, usage
