"""The SDK's streams, made to read what servers send beside the chunks, and in their place.

Importing this imports the SDK.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from openai import AsyncStream, Stream
from openai._streaming import ServerSentEvent

from agenthost_plugin_openai.reading import Chunk

if TYPE_CHECKING:
    from openai._streaming import SSEBytesDecoder


class ChunkStream(Stream[Chunk]):
    """The chunks of a reply; `is_done` tells whether the server marked their end."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._events = self._decoder = _Events(self._decoder)

    @property
    def is_done(self) -> bool:
        """Whether the mark of the end has come."""
        return self._events.is_done


class AsyncChunkStream(AsyncStream[Chunk]):
    """The same for calls on an event loop."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._events = self._decoder = _Events(self._decoder)

    @property
    def is_done(self) -> bool:
        """Whether the mark of the end has come."""
        return self._events.is_done


class _Events:
    """The SDK's decoder without the events that have no data.

    Such are pings, and the fields `id` and `retry` on their own; the SDK takes each for a chunk
    that is no JSON. A byte order mark would be part of the first field's name.
    """

    def __init__(self, decoder: Any) -> None:
        self._decoder: SSEBytesDecoder = decoder
        self.is_done = False

    def iter_bytes(self, iterator: Iterator[bytes]) -> Iterator[ServerSentEvent]:
        """Yield the events of a stream."""
        start = _Start()
        pieces = (start.take(piece) for piece in iterator)
        for event in self._decoder.iter_bytes(pieces):
            if event.data:
                yield self._seen(event)

    async def aiter_bytes(self, iterator: AsyncIterator[bytes]) -> AsyncIterator[ServerSentEvent]:
        """Yield the events of a stream."""
        start = _Start()
        pieces = (start.take(piece) async for piece in iterator)
        async for event in self._decoder.aiter_bytes(pieces):
            if event.data:
                yield self._seen(event)

    def _seen(self, event: ServerSentEvent) -> ServerSentEvent:
        """Return an event as the SDK reads it; an error may come in an event of that name."""
        if event.data.startswith("[DONE]"):
            self.is_done = True
        return _told(event) if event.event == "error" else event


def _told(event: ServerSentEvent) -> ServerSentEvent:
    """Return an event that tells of an error in the form in which the SDK raises it."""
    try:
        body = json.loads(event.data)
    except ValueError:
        body = {"message": event.data}
    if not isinstance(body, dict) or not body.get("error"):
        body = {"error": body or {"message": event.data}}
    return ServerSentEvent(event="error", data=json.dumps(body))


class _Start:
    """The first bytes of a stream, held back until they are known to be a mark or none."""

    def __init__(self) -> None:
        self._held: bytes | None = b""

    def take(self, piece: bytes) -> bytes:
        """Return what may be passed on; a mark may come in several pieces."""
        if self._held is None:
            return piece
        held = self._held + piece
        if len(held) < len(BOM_UTF8) and BOM_UTF8.startswith(held):
            self._held = held
            return b""
        self._held = None
        return held.removeprefix(BOM_UTF8)
