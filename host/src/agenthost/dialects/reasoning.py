"""Take a model's reasoning off its reply: what stands in `<think>` is no answer and no action."""

from __future__ import annotations

import re

_NAMES = "think|thinking|reasoning"

#: A block of reasoning that begins a line, as a group of a larger pattern.
OPENING = rf"[ \t]*<(?P<think>{_NAMES})>"

#: Signs that are not seen and may begin a text.
_INVISIBLE = r"[\s\ufeff\u200b]"
_BLANK = re.compile(rf"{_INVISIBLE}++")
_MARK = re.compile(rf"\s*+[\ufeff\u200b]{_INVISIBLE}*+")

#: A block of reasoning, or what begins a message on a channel of Harmony.
_FIRST = re.compile(
    rf"{_INVISIBLE}*+(?:<(?P<think>{_NAMES})>"
    r"|(?:<\|start\|>assistant\s*+)?<\|channel\|>(?P<channel>analysis|commentary|final)\s*+<\|message\|>)",
    re.IGNORECASE,
)
_CHANNEL_END = "<|end|>"

_SIGN = re.compile(rf"^(?:{OPENING}|[ \t]*(?P<fence>```|~~~))", re.MULTILINE | re.IGNORECASE)
_ANY = re.compile(rf"<(?:{_NAMES})>", re.IGNORECASE)
_LONE = re.compile(rf"^[ \t]*</(?:{_NAMES})>|</(?:{_NAMES})>[ \t]*$", re.MULTILINE | re.IGNORECASE)
_CLOSINGS = {
    name: re.compile(f"</{name}>", re.IGNORECASE) for name in ("think", "thinking", "reasoning")
}


def without_reasoning(text: str) -> str:
    """Return a text without its blocks of reasoning; one that is never closed goes to the end.

    A block counts where it begins a line outside a code fence.
    """
    if "<" not in text:
        return text
    start = position = reasoned(text)
    kept: list[str] = []
    is_fenced = False
    while (sign := _SIGN.search(text, position)) is not None:
        position = sign.end()
        if sign["fence"]:
            is_fenced = not is_fenced
        elif not is_fenced:
            kept.append(text[start : sign.start()])
            start = position = closing(text, sign["think"], sign.end())
    return "".join([*kept, text[start:]])


def reasoned(text: str) -> int:
    """Return where the reasoning ends with which a text begins; 0 where it does not.

    Of a block whose opening is missing, as where the prompt held it, all up to the closing tag
    counts.
    """
    end = 0
    lone = _LONE.search(text)
    if lone is not None and _ANY.search(text, 0, lone.start()) is None:
        end = lone.end()
    while (opening := _FIRST.match(text, end)) is not None:
        end = _past(text, opening)
    return end


def bared(text: str) -> str:
    """Return a text without the blanks at both ends, and the unseen signs before it."""
    blank = _BLANK.match(text)
    return text[blank.end() if blank else 0 :].rstrip()


def unmarked(text: str) -> str:
    """Return a text without a byte order mark at its beginning; its blanks are kept without."""
    if not text.isascii() and (mark := _MARK.match(text)) is not None:
        return text[mark.end() :]
    return text


def _past(text: str, opening: re.Match[str]) -> int:
    if opening["think"]:
        return closing(text, opening["think"], opening.end())
    if opening["channel"].lower() != "analysis":
        return opening.end()
    end = text.find(_CHANNEL_END, opening.end())
    return end + len(_CHANNEL_END) if end >= 0 else len(text)


def closing(text: str, name: str, start: int) -> int:
    """Return where a block of reasoning ends: behind its closing tag, or with the text."""
    tag = _CLOSINGS[name.lower()].search(text, start)
    return tag.end() if tag is not None else len(text)
