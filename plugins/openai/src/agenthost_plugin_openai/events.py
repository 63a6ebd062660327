"""The SDK's clients, made to pass over what a server sends in a stream beside the chunks.

Importing this imports the SDK.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

from openai import AsyncOpenAI, OpenAI

if TYPE_CHECKING:
    from openai._streaming import ServerSentEvent, SSEBytesDecoder


class BlockingClient(OpenAI):
    """The client for blocking calls."""

    def _make_sse_decoder(self) -> SSEBytesDecoder:
        return _ChunksAlone(super()._make_sse_decoder())


class AsyncClient(AsyncOpenAI):
    """The client for calls on an event loop."""

    def _make_sse_decoder(self) -> SSEBytesDecoder:
        return _ChunksAlone(super()._make_sse_decoder())


class _ChunksAlone:
    """The SDK's decoder without the events that have no data.

    Such are pings, and the fields `id` and `retry` on their own; the SDK takes each for a chunk
    that is no JSON. A byte order mark would be part of the first field's name.
    """

    def __init__(self, decoder: SSEBytesDecoder) -> None:
        self._decoder = decoder

    def iter_bytes(self, iterator: Iterator[bytes]) -> Iterator[ServerSentEvent]:
        start = _Start()
        pieces = (start.take(piece) for piece in iterator)
        return (event for event in self._decoder.iter_bytes(pieces) if event.data)

    def aiter_bytes(self, iterator: AsyncIterator[bytes]) -> AsyncIterator[ServerSentEvent]:
        start = _Start()
        pieces = (start.take(piece) async for piece in iterator)
        return (event async for event in self._decoder.aiter_bytes(pieces) if event.data)


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
