"""Tell how a document is encoded, by its first bytes, its server or itself, and decode it."""

from __future__ import annotations

import codecs
import re

import webencodings  # type: ignore[import-untyped]  # it has no types of its own

#: How a text may begin that says itself how it is encoded.
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16le",
    codecs.BOM_UTF16_BE: "utf-16be",
}

#: Where a page names its encoding, among its first bytes.
_META = re.compile(rb"""<meta[^<>]*?charset\s*=\s*["']?\s*([\w:.-]{1,40})""", re.IGNORECASE)
_LOOKED_AT = 2_000


def encoding_of(body: bytes, charset: str) -> str:
    """Return the encoding that a mark at the start, or else a server, names; "" for neither.

    It is one of the Encoding Standard's, by which a server can name nothing but an encoding of
    texts; Python's own list has others, some of which take long.
    """
    for mark, name in _MARKS.items():
        if body.startswith(mark):
            return name
    found = webencodings.lookup(charset)
    return str(found.name) if found else ""


def encoding_of_page(body: bytes, charset: str) -> str:
    """Return the encoding of a page, which may name it itself; "" where nothing does."""
    named = encoding_of(body, charset)
    written = None if named else _META.search(body[:_LOOKED_AT])
    if written is None:
        return named
    itself = encoding_of(b"", written[1].decode("ascii", "replace"))
    return "utf-8" if itself.startswith("utf-16") else itself  # it could not be read so far


def decoded(body: bytes, encoding: str) -> str:
    """Return a text in its encoding; unless one is named, in UTF-8 or what was there before."""
    if encoding:
        text: str = webencodings.decode(body, encoding, "replace")[0]
        return text
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace")
