"""Turn a page of HTML into readable text: its main part, as Markdown with whole links."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from urllib.parse import urljoin

from lxml import etree  # type: ignore[import-untyped]  # it has no types of its own

from agenthost_plugin_web.charsets import decoded, encoding_of_page
from agenthost_plugin_web.markdown import Block, MarkdownWriter

#: A page whose main part is less than this part of it, is more likely a list than an article.
_LEAST_PART = 0.3

#: Longer links carry data rather than name a page.
_LONGEST_LINK = 500


@dataclass(frozen=True)
class Page:
    """The title of a page, and its text."""

    title: str
    text: str


def read_page(body: bytes, charset: str, url: str, *, is_whole: bool) -> Page:
    """Return the text of a page of HTML; nothing in it is run or loaded.

    Args:
        body: The page.
        charset: What its server calls its encoding, which comes before what the page says; what
            is not known is passed over.
        url: Where it is from; its links are made whole with it.
        is_whole: Whether to return all of it, instead of its main part.
    """
    text = decoded(body, encoding_of_page(body, charset))
    written = _written(text, MarkdownWriter(partial(_whole_link, url)))
    blocks = written.blocks
    return Page(written.title, _joined(blocks) if is_whole else _main_text(blocks))


def _written(text: str, writer: MarkdownWriter) -> MarkdownWriter:
    parser = etree.HTMLParser(target=writer, encoding="utf-8")
    parser.feed(text.encode("utf-8", "replace"))
    written: MarkdownWriter = parser.close()
    return written


def _main_text(blocks: Iterable[Block]) -> str:
    within = [block for block in blocks if not block.is_around]
    inside, main = _joined(within), _joined(block for block in within if block.is_main)
    return inside if len(main) < _LEAST_PART * len(inside) else main


def _joined(blocks: Iterable[Block]) -> str:
    pieces: list[str] = []
    for block in blocks:
        pieces += ["\n" if block.is_close else "\n\n", block.text]
    return "".join(pieces[1:])


def _whole_link(url: str, base: str, link: str) -> str:
    """Return a link as it is followed from elsewhere; "" for one that leads to no other page."""
    is_within = not link or link.startswith("#")  # it leads to another place of the page
    if is_within or len(base) > _LONGEST_LINK or len(link) > _LONGEST_LINK:
        return ""
    try:
        joined = urljoin(urljoin(url, base), link.strip())
    except ValueError:
        return ""
    is_page = joined.startswith(("http://", "https://")) and len(joined) <= _LONGEST_LINK
    return joined if is_page else ""
