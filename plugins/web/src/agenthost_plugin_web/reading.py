"""Turn an answer into the text that a model reads, whatever kind of document it is."""

from __future__ import annotations

import re
from dataclasses import replace

from agenthost_plugin_web.charsets import decoded, encoding_of
from agenthost_plugin_web.fetching import Answer
from agenthost_plugin_web.media import Kind
from agenthost_plugin_web.pages import Page, read_page
from agenthost_sdk.errors import ToolError

#: What can hide words from a person, or turn their order round: control characters, marks of
#: direction, invisible letters, and the tags and selectors that can carry a hidden text.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)

_LINE_BREAK = re.compile("\r\n?|[\u2028\u2029\x85\x0b\x0c]")

#: A document that begins so is a page, whatever its server calls it or does not.
_PAGE_START = re.compile(rb"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)

#: How much of the page of an error is told.
_ERROR_WORDS = 500

_LONGEST_TITLE = 200


def read_answer(answer: Answer, *, is_whole: bool) -> Page:
    """Return the title and the text of an answer.

    Raises:
        ToolError: It is an error, or of a kind that is not read.
    """
    if not 200 <= answer.status < 300:
        raise ToolError(_error_words(answer))
    if answer.medium.kind == "other":
        raise ToolError(
            f"{answer.url} is {answer.medium.type[:60]}, not a page or a text. Only HTML, plain"
            " text, JSON and the like are read."
        )
    return _read(answer, is_whole=is_whole)


def _read(answer: Answer, *, is_whole: bool) -> Page:
    if answer.is_cut:
        answer = replace(answer, body=_without_torn_letter(answer.body))
    kind = _kind(answer)
    if kind == "html":
        page = read_page(answer.body, answer.medium.charset, answer.url, is_whole=is_whole)
        return Page(_one_line(page.title), _visible(page.text))
    if kind == "other":
        raise ToolError(f"{answer.url} is called a text, and is none: it holds binary data.")
    return Page("", _visible(decoded(answer.body, _encoding(answer))))


def _kind(answer: Answer) -> Kind:
    if answer.medium.kind == "html":
        return "html"
    if answer.medium.kind == "unknown" and _PAGE_START.match(answer.body[:200]):
        return "html"
    is_binary = b"\0" in answer.body[:1000] and not _encoding(answer).startswith("utf-16")
    return "other" if is_binary else "text"


def _encoding(answer: Answer) -> str:
    return encoding_of(answer.body, answer.medium.charset)


def _without_torn_letter(body: bytes) -> bytes:
    """Return a text without its last letter, which may be torn, where that is none of ASCII."""
    last = next((n for n, byte in enumerate(reversed(body[-4:]), 1) if byte >= 0xC0), 0)
    return body[: len(body) - last]


def _error_words(answer: Answer) -> str:
    said = f"{answer.url} answered {answer.status} {_one_line(answer.reason)}".strip()
    if answer.medium.kind == "other" or not answer.body:
        return f"{said}."
    page = _read(answer, is_whole=False)
    words = " ".join(f"{page.title} {page.text}".split())[:_ERROR_WORDS]
    return f"{said}. Its page says: {words}" if words else f"{said}."


def _visible(text: str) -> str:
    """Return a text without characters that nobody sees, and with line breaks of one kind."""
    return _INVISIBLE.sub("", _LINE_BREAK.sub("\n", text)).strip()


def _one_line(text: str) -> str:
    line = " ".join(_visible(text).split())
    return line if len(line) <= _LONGEST_TITLE else f"{line[:_LONGEST_TITLE]}…"
