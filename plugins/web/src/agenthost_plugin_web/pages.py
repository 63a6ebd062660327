"""Turn a page of HTML into readable text: its main part, as Markdown with whole links."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urljoin

from turbohtml import Document, Markdown, parse

#: What is no text for readers, or is not shown to them.
_UNSEEN = ", ".join(
    (
        "script, style, template, noscript, svg, math annotation, iframe, object, canvas",
        "select, textarea, button, datalist, dialog:not([open])",
        '[hidden], [aria-hidden="true" i]',
        '[style*="display:none" i], [style*="display: none" i]',
        '[style*="visibility:hidden" i], [style*="visibility: hidden" i]',
    )
)

#: What surrounds the text of a page.
_AROUND = "nav, aside, body > header, body > footer, [role=navigation], [role=banner]"

#: A page whose main part is less than this part of it, is more likely a list than an article.
_LEAST_PART = 0.3

#: Longer links carry data rather than name a page.
_LONGEST_LINK = 500

#: How a text may begin that says itself how it is encoded.
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

#: As a reader would see it, without what keeps a renderer from taking a sign for markup.
_STYLE = Markdown(
    escaping=Markdown.Escaping(mode="none", asterisks=False, underscores=False),
    images=Markdown.Images(mode="alt"),
    tables=Markdown.Tables(cell_blocks="text"),
)


@dataclass(frozen=True)
class Page:
    """The title of a page, and its text."""

    title: str
    text: str


def read_page(body: bytes, charset: str, url: str, *, is_whole: bool) -> Page:
    """Return the text of a page of HTML; nothing in it is run or loaded.

    Args:
        body: The page.
        charset: What its server calls its encoding; a mark in the page comes first, and what is
            not known is passed over.
        url: Where it is from; its links are made whole with it.
        is_whole: Whether to return all of it, instead of its main part.
    """
    document = _parsed(body, charset)
    title = document.find("title")
    name = title.text if title else ""
    document.remove(_UNSEEN)
    document.rewrite_links(_whole_link(document.base_url(url)))
    document.strip_tags('a[href=""]')
    return Page(name, document.to_markdown(_STYLE) if is_whole else _main_text(document))


def encoding_of(body: bytes, charset: str) -> str:
    """Return the encoding that a mark at the start, or else a server, names; "" for neither.

    Its name is the Encoding Standard's, by which a server can name nothing but an encoding of
    texts; Python's own list has others, some of which take long.
    """
    if body.startswith(_MARKS):
        return parse(body[:4]).encoding or ""
    try:
        return (parse(b"", encoding=charset).encoding or "") if charset else ""
    except LookupError:
        return ""


def _parsed(body: bytes, charset: str) -> Document:
    try:
        return parse(body, encoding=charset or None, positions=False)
    except LookupError:
        return parse(body, positions=False)


def _main_text(document: Document) -> str:
    main = document.main_content()
    text = main.to_markdown(_STYLE) if main else ""
    document.remove(_AROUND)
    around = document.to_markdown(_STYLE)
    return around if len(text) < _LEAST_PART * len(around) else text


def _whole_link(base: str) -> Callable[[str], str]:
    def whole(link: str) -> str:
        """Return a link as it is followed from elsewhere; "" for one that is no page's."""
        try:
            joined = urljoin(base, link.strip())
        except ValueError:
            return ""
        is_page = joined.startswith(("http://", "https://")) and len(joined) <= _LONGEST_LINK
        return joined if is_page else ""

    return whole
