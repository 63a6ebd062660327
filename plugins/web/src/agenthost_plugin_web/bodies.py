"""Read the body of an answer, up to so many bytes, however small it came packed."""

from __future__ import annotations

import zlib

import httpx2

from agenthost_sdk.errors import ToolError

#: What is asked for; each further one would be one more way to blow a body up.
ENCODING = "gzip"

_GZIP = 16 + zlib.MAX_WBITS


async def read_body(response: httpx2.Response, most: int) -> tuple[bytes, bool]:
    """Return up to `most` bytes of the unpacked body, and whether there is more of it.

    Raises:
        ToolError: It is packed in a way that was not asked for, or damaged.
    """
    unpacker = _unpacker(response.headers.get("content-encoding", ""))
    body, received = bytearray(), 0
    async for piece in response.aiter_raw():
        received += len(piece)
        body += unpacker.unpacked(piece, most + 1 - len(body))
        if len(body) > most or received > most:  # packed nothing can be endless too
            return bytes(body[:most]), True
    if received and not unpacker.is_done:
        raise ToolError("The answer broke off: what it packed is not whole. Try again.")
    return bytes(body), False


class _Plain:
    """Takes what was not packed."""

    is_done = True

    def unpacked(self, piece: bytes, most: int) -> bytes:
        """Return a piece, up to so many bytes."""
        return piece[:most]


class _Gzip:
    """Unpacks gzip, never more of it than is wanted."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(_GZIP)

    @property
    def is_done(self) -> bool:
        """Whether its end was reached."""
        return self._stream.eof

    def unpacked(self, piece: bytes, most: int) -> bytes:
        """Return what a piece holds, up to so many bytes."""
        try:
            return self._stream.decompress(piece, most)
        except zlib.error as error:
            raise ToolError("The answer says that it is packed with gzip, and is not.") from error


def _unpacker(encoding: str) -> _Plain | _Gzip:
    named = encoding.strip().lower()
    if named in ("", "identity"):
        return _Plain()
    if named in ("gzip", "x-gzip"):
        return _Gzip()
    raise ToolError(f"The answer is packed as {named[:60]!r}; {ENCODING!r} was asked for.")
