"""Read files as text: a range of lines of one, or the whole of it to be searched or edited."""

from __future__ import annotations

import codecs
import io
from typing import BinaryIO, NamedTuple

from agenthost_plugin_files.limits import Limits
from agenthost_sdk.errors import ToolError

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

#: A NUL among so many bytes at the start tells that a file is no text.
_SNIFFED = 8_192

_CHUNK = 65_536


class Span(NamedTuple):
    """Which lines of a file are asked for, and how much of the first one is left out."""

    first: int = 1
    last: int | None = None
    offset: int = 0


def read_span(file: BinaryIO, path: str, span: Span, limits: Limits) -> str:
    """Return some lines of a file, with a last line in brackets where more follows.

    The file is closed then.

    Raises:
        ToolError: It is no text in UTF-8, or has no such line.
    """
    head = file.read(_SNIFFED)
    if head in (b"", codecs.BOM_UTF8):
        return "[The file is empty.]"
    check_text(head, path)
    file.seek(0)
    try:
        with io.TextIOWrapper(file, encoding="utf-8-sig", newline="\n") as text:
            _pass_over(text, path, span, limits)
            shown = _shown(text, span, limits)
    except UnicodeDecodeError as error:
        raise ToolError(_not_utf8(path)) from error
    if not shown and not span.offset:
        raise ToolError(_no_line(path, span.first, span.first - 1))
    if "\0" in shown:
        raise ToolError(_binary(path))
    return shown.replace("\r\n", "\n")


def read_whole(file: BinaryIO, path: str, most: int) -> bytes:
    """Return all bytes of a file that is text.

    Raises:
        ToolError: It has more than `most` bytes, or is no text in UTF-8.
    """
    data = file.read(most + 1)
    if len(data) > most:
        raise ToolError(f"{path!r} has more than {most:,} bytes, which is too much for this.")
    check_text(data, path)
    return data


def decoded(data: bytes, path: str) -> str:
    """Return bytes as text; a byte order mark stays.

    Raises:
        ToolError: They are not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(_not_utf8(path)) from error


def check_text(head: bytes, path: str) -> None:
    """Refuse the start of what is no text, or text that is written in another way.

    Raises:
        ToolError: It is.
    """
    if head.startswith(_UTF16):
        raise ToolError(f"{path!r} is text in UTF-16 or UTF-32; only UTF-8 can be read.")
    if b"\0" in head:
        raise ToolError(_binary(path))


def _binary(path: str) -> str:
    return f"{path!r} is a binary file, not text."


def _no_line(path: str, asked: int, last: int) -> str:
    return f"{path!r} has no line {asked}; its last is {last}."


def _not_utf8(path: str) -> str:
    return f"{path!r} is not text in UTF-8: it is binary, or in an older encoding."


def _pass_over(text: io.TextIOWrapper, path: str, span: Span, limits: Limits) -> None:
    """Go on to the first character that is asked for."""
    left = limits.passed
    for number in range(1, span.first):
        passed = _pass_line(text, left)
        left -= passed
        if left <= 0:
            raise ToolError(f"Line {span.first} is too far down in {path!r} to be reached.")
        if not passed:
            raise ToolError(_no_line(path, span.first, number - 1))
    offset = span.offset
    if offset > left:
        raise ToolError(f"Character {offset:,} of a line is too far down in {path!r}.")
    while offset:
        piece = text.readline(min(offset, _CHUNK))
        if not piece or piece.endswith("\n"):
            raise ToolError(f"Line {span.first} of {path!r} has no {span.offset} characters.")
        offset -= len(piece)


def _pass_line(text: io.TextIOWrapper, most: int) -> int:
    """Return how many characters the next line has, up to `most`."""
    passed = 0
    while passed < most:
        piece = text.readline(_CHUNK)
        passed += len(piece)
        if not piece or piece.endswith("\n"):
            break
    return passed


def _shown(text: io.TextIOWrapper, span: Span, limits: Limits) -> str:
    kept: list[str] = []
    number, left = span.first, limits.shown
    while left and (span.last is None or number <= span.last):
        piece = text.readline(left)
        if not piece:
            break
        kept.append(piece)
        left -= len(piece)
        number += piece.endswith("\n")
    if not left and text.read(1):
        return _cut(kept, number, span)
    return "".join(kept)


def _cut(kept: list[str], number: int, span: Span) -> str:
    """Return what fits, whole lines where there is one, and how to go on."""
    if kept[-1].endswith("\n"):
        if span.last is not None and number > span.last:
            return "".join(kept)
        offset = 0
    elif len(kept) > 1:
        kept, offset = kept[:-1], 0
    else:
        offset = len(kept[0]) + span.offset
    body = "".join(kept)
    at = f"first_line={number}" + (f", offset={offset}" if offset else "")
    return body + ("" if body.endswith("\n") else "\n") + f"[More follows; go on with {at}.]"
