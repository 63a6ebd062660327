"""Write the Markdown of a page while it is parsed: no tree is built that could be too deep."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

#: What is no text for readers, or is not shown to them.
_UNSEEN = re.compile(
    "script|style|template|noscript|svg|annotation|annotation-xml|iframe|object|canvas|select"
    "|textarea|button|datalist"
)
_UNSEEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

#: What holds the main part of a page, and what surrounds it.
_MAIN = frozenset(("article", "main"))
_AROUND = frozenset(("aside", "nav"))
_AROUND_IN_BODY = frozenset(("footer", "header"))  # those of an article belong to it
_AROUND_ROLES = frozenset(("banner", "navigation"))

#: What stands in a line; all else begins a new block.
_INLINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|br|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label|mark"
    "|math|mi|mn|mo|mrow|msub|msup|mfrac|nobr|output|q|rp|rt|ruby|s|samp|small|span|strike|strong"
    "|sub|sup|time|tt|u|var|wbr"
)
_HEADING = re.compile("h[1-6]")

_SPACES = re.compile(r"[ \t\n\r\f]+")
_BLANKS = re.compile(r"  +")
_ROUND_BREAK = re.compile(r" *\n *")

#: How far lists and quotations are moved in.
_DEEPEST = 8


class Block(NamedTuple):
    """A paragraph, heading, item, row or the like."""

    text: str
    #: Whether it follows what is before it without an empty line.
    is_close: bool
    is_main: bool
    is_around: bool


class _Element(NamedTuple):
    """An element that is open, and what it counts for until it ends."""

    tag: str
    is_unseen: bool
    is_main: bool
    is_around: bool


class MarkdownWriter:
    """Takes what a parser finds, piece by piece, as lxml hands it to a target.

    Args:
        whole_link: Returns a link as it is followed from elsewhere, given the page's own base;
            "" for one that is left out.
    """

    def __init__(self, whole_link: Callable[[str, str], str]) -> None:
        self.blocks: list[Block] = []
        self._title: list[str] = []
        self._whole_link = whole_link
        self._base = ""
        self._open: list[_Element] = []
        self._unseen = self._main = self._around = self._quotes = self._pre = 0
        self._in_title = False
        self._line: list[str] = []
        self._marker = self._heading = ""  # what the next block begins with: "- ", "# "
        self._link, self._link_start = "", 0
        self._lists: list[int] = []  # the number of the last item; -1 where there are none
        self._was_item = False
        self._row: list[str] | None = None
        self._in_cell = False
        self._rows = 0  # of the table so far

    @property
    def title(self) -> str:
        """The title of the page; "" where it has none."""
        return "".join(self._title)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element."""
        element = self._judged(tag, attributes)
        if self._is_block(tag):
            self._end_block()
        self._open.append(element)
        self._unseen += element.is_unseen
        self._main += element.is_main
        self._around += element.is_around
        if tag == "base" and not self._base:
            self._base = attributes.get("href", "")
        if not self._unseen:
            self._in_title = tag == "title" and not self._title
            self._begin(tag, attributes)

    def end(self, tag: str) -> None:
        """Take the end of the element that was opened last."""
        if self._is_block(tag):
            self._end_block()
        if not self._unseen:
            self._in_title = False
            self._finish(tag)
        element = self._open.pop()
        self._unseen -= element.is_unseen
        self._main -= element.is_main
        self._around -= element.is_around

    def data(self, text: str) -> None:
        """Take a piece of text."""
        if self._in_title:
            self._title.append(text)
        elif not self._unseen:
            self._line.append(text if self._pre else _SPACES.sub(" ", text))

    def comment(self, text: str) -> None:
        """Pass a comment over."""

    def close(self) -> MarkdownWriter:
        """End what is open still."""
        self._end_block()
        return self

    def _judged(self, tag: str, attributes: Mapping[str, str]) -> _Element:
        role = attributes.get("role", "").strip().lower()
        is_in_body = bool(self._open) and self._open[-1].tag == "body"
        return _Element(
            tag,
            is_unseen=bool(_UNSEEN.fullmatch(tag)) or _is_hidden(tag, attributes),
            is_main=tag in _MAIN or role == "main",
            is_around=tag in _AROUND
            or role in _AROUND_ROLES
            or (is_in_body and tag in _AROUND_IN_BODY),
        )

    def _is_block(self, tag: str) -> bool:
        return not (self._unseen or _INLINE.fullmatch(tag) or _UNSEEN.fullmatch(tag))

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "a" and not self._pre:  # code has no links
            self._end_link()
            self._link = self._whole_link(self._base, attributes.get("href", ""))
            self._link_start = len(self._line)
        elif tag == "img":
            self._line.append(_SPACES.sub(" ", attributes.get("alt", "")))
        elif tag == "br":
            self._line.append("\n")
        elif tag == "code" and not self._pre:
            self._line.append("`")
        elif tag == "pre":
            self._pre += 1
        elif tag == "blockquote":
            self._quotes += 1
        elif _HEADING.fullmatch(tag):
            self._heading = "#" * int(tag[1]) + " "
        else:
            self._begin_item(tag)
            self._begin_cell(tag)

    def _finish(self, tag: str) -> None:
        if tag == "a":
            self._end_link()
        elif tag == "code" and not self._pre:
            self._line.append("`")
        elif tag == "pre":
            self._pre -= 1
        elif tag == "blockquote":
            self._quotes -= 1
        elif _HEADING.fullmatch(tag):
            self._heading = ""
        else:
            self._finish_item(tag)
            self._finish_cell(tag)

    def _begin_item(self, tag: str) -> None:
        if tag == "ul":
            self._lists.append(-1)
        elif tag == "ol":
            self._lists.append(0)
        elif tag == "li" and self._lists and self._lists[-1] >= 0:
            self._lists[-1] += 1
            self._marker = f"{self._lists[-1]}. "
        elif tag == "li":
            self._marker = "- "

    def _finish_item(self, tag: str) -> None:
        if tag in ("ul", "ol"):
            self._lists.pop()
        elif tag == "li":
            self._marker = ""

    def _begin_cell(self, tag: str) -> None:
        if tag == "table":  # one in another shows that the other is a layout
            self._in_cell, self._row, self._rows = False, None, 0
        elif tag == "tr":
            self._row = []
        elif tag in ("td", "th"):
            self._in_cell = self._row is not None

    def _finish_cell(self, tag: str) -> None:
        if tag == "tr":
            self._end_row()
        elif tag in ("td", "th"):
            if self._in_cell and self._row is not None:
                self._row.append(self._taken().replace("\n", " "))
            self._in_cell = False

    def _end_row(self) -> None:
        row, self._row = self._row or [], None
        if len(row) < 2:
            self._line += row
            self._end_block()
        elif any(row):
            self._add(f"| {' | '.join(row)} |", is_close=self._rows > 0)
            if not self._rows:
                self._add(f"|{' --- |' * len(row)}", is_close=True)
            self._rows += 1

    def _end_link(self) -> None:
        """Put what the link's text has become so far in its brackets."""
        link, self._link = self._link, ""
        text = "".join(self._line[self._link_start :]) if link else ""
        if text.strip():
            before, after = " " * text.startswith(" "), " " * text.endswith(" ")
            del self._line[self._link_start :]
            self._line.append(f"{before}[{text.strip()}]({link}){after}")

    def _end_block(self) -> None:
        """Add what the line has become; in a cell, it goes on."""
        if self._in_cell:
            self._line.append(" ")
            return
        link = self._link
        text = self._taken()
        self._link, self._link_start = link, 0  # it may go on in the next block
        if not text:
            return
        if self._pre:
            text = f"```\n{text}\n```"
        is_item = bool(self._lists or self._marker)
        self._add(self._moved_in(text), is_close=is_item and self._was_item)
        self._was_item = is_item
        self._marker = self._heading = ""

    def _taken(self) -> str:
        """Return the text of the line, and begin another."""
        self._end_link()
        text = "".join(self._line)
        self._line.clear()
        if self._pre:
            return text.strip("\n") if text.strip() else ""
        text = _ROUND_BREAK.sub("\n", _BLANKS.sub(" ", text)).strip()
        return "" if text == "``" else text

    def _moved_in(self, text: str) -> str:
        """Return a block with what marks it as a heading, an item or a quotation."""
        depth = min(len(self._lists), _DEEPEST)
        first = "  " * (depth - bool(self._marker)) + self._marker + self._heading
        lines = text.split("\n")
        moved = [first + lines[0], *("  " * depth + line for line in lines[1:])]
        quoted = "> " * min(self._quotes, _DEEPEST)
        return "\n".join(quoted + line for line in moved)

    def _add(self, text: str, *, is_close: bool) -> None:
        self._was_item = False
        self.blocks.append(Block(text, is_close, self._main > 0, self._around > 0))


def _is_hidden(tag: str, attributes: Mapping[str, str]) -> bool:
    if "hidden" in attributes or attributes.get("aria-hidden", "").lower() == "true":
        return True
    if tag == "dialog" and "open" not in attributes:
        return True
    return bool(_UNSEEN_STYLE.search(attributes.get("style", "")))
