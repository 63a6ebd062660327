"""Search text by expressions of RE2, none of which can take for ever, whoever wrote it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from agenthost_plugin_files.names import is_text
from agenthost_sdk.errors import ToolError

_LONGEST = 1_000

#: Steps of the expression's machine between two looks at the time: part of a second.
_STEPS = 10_000_000

#: Bytes that are searched at one go, however large the machine is.
_SHORTEST = 2_000

#: Parts of the machine. Hardly an expression that a person would write has as many.
_LARGEST = 50_000

#: Lets `^` and `$` stand for the ends of a line.
_EACH_LINE = "(?m)"


class Expression(Protocol):
    """What is used of RE2's compiled expressions."""

    #: How many parts the machine has that runs it.
    programsize: int

    def search(self, text: bytes, pos: int, endpos: int) -> Found | None:
        """Return where it is first found."""


class Found(Protocol):
    """A match."""

    def start(self) -> int:
        """Return where it begins."""


def compiled(text: str, *, is_regex: bool, ignore_case: bool) -> Expression:
    """Return an expression whose search takes no more than the text's length times its own.

    Raises:
        ToolError: It is empty, too long, more than a line, or no regular expression.
    """
    import re2  # type: ignore[import-untyped]  # only a search needs it

    _check(text)
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    options.never_nl = True  # a match stays in its line
    source = text if is_regex else re2.escape(text)
    try:
        expression: Expression = re2.compile(_EACH_LINE + source, options)
    except re2.error as error:
        reason = error.args[0].decode("utf-8", "replace").replace(_EACH_LINE, "")
        raise ToolError(_unusable(text, reason)) from error
    finally:
        re2.purge()  # the package would keep the last 128, however large
    if expression.programsize > _LARGEST:
        raise ToolError(_unusable(text, "it repeats too much"))
    return expression


def lines_with(
    expression: Expression, data: bytes, may_go_on: Callable[[], bool]
) -> Iterator[tuple[int, bytes, int]]:
    """Yield the lines in which an expression is found: their numbers, and where it is in them.

    Args:
        expression: What is searched for.
        data: Text in UTF-8, with a line feed between its lines.
        may_go_on: Asked now and then whether there is time left.
    """
    number, counted, at = 1, 0, 0
    while at < len(data) and may_go_on():
        end, following = _piece(data, at, expression)
        found = expression.search(data, at, end)
        if found is None:
            at = following
            continue
        start, end = _line(data, found.start())
        number += data.count(b"\n", counted, start)
        yield number, data[start:end], found.start() - start
        counted, at = start, end + 1


def _unusable(text: str, reason: str) -> str:
    return (
        f"{text!r} is no regular expression that can be used here: {reason}. It must be one of"
        " RE2, without look-around and back-references; or leave `regex` out to search for the"
        " text as it stands."
    )


def _check(text: str) -> None:
    if not text:
        raise ToolError("`text` is empty; say what is searched for, or use `find` for names.")
    if len(text) > _LONGEST:
        raise ToolError(f"`text` is too long; at most {_LONGEST} characters.")
    if "\n" in text or not is_text(text):
        raise ToolError("`text` has a line break, or what is no text; one line is searched for.")


def _piece(data: bytes, start: int, expression: Expression) -> tuple[int, int]:
    """Return where the lines end that are searched at one go, and where the next ones start.

    RE2 may take a step for each byte and each part of the expression; between two pieces there
    is a look at the time. A line that is longer than a piece is torn.
    """
    end = start + max(_STEPS // max(1, expression.programsize), _SHORTEST)
    if end >= len(data):
        return len(data.removesuffix(b"\n")), len(data)
    last_break = data.rfind(b"\n", start, end)
    return (end, end) if last_break < 0 else (last_break, last_break + 1)


def _line(data: bytes, at: int) -> tuple[int, int]:
    """Return where the line starts and ends in which a byte is."""
    end = data.find(b"\n", at)
    return data.rfind(b"\n", 0, at) + 1, len(data) if end < 0 else end
