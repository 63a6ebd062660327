"""Count what a reader sees in a text: characters, words, lines and sentences."""

from __future__ import annotations

import re

#: Abbreviations whose full stop ends no sentence.
ABBREVIATIONS = frozenset(
    {"mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "gen", "capt", "e.g", "i.e"}
)

#: Where a sentence may end: at its marks and what closes with them, before a space or the end.
_END = re.compile(r"""(?P<marks>[.!?…؟।]+)["'”’»)\]]*(?=\s|\Z)|[。！？｡]+[」』”’]*""")


def characters(text: str) -> list[str]:
    """Return a text's characters as a reader sees them (Unicode's grapheme clusters).

    A letter with its accents is one of them, and so is an emoji of several code points.
    """
    if text.isascii() and "\r" not in text:
        return list(text)
    import regex  # only text beyond ASCII needs it

    return regex.findall(r"\X", text)


def count(text: str) -> dict[str, int]:
    """Return how many characters, words, lines and sentences a text has."""
    seen = characters(text)
    return {
        "characters": len(seen),
        "characters_without_spaces": sum(not character.isspace() for character in seen),
        "words": sum(any(map(str.isalnum, piece)) for piece in text.split()),
        "lines": len(re.sub(r"\r\n?", "\n", text).removesuffix("\n").split("\n")) if text else 0,
        "sentences": len(sentences(text)),
    }


def sentences(text: str) -> list[str]:
    """Return a text's sentences; what follows the last mark is one too.

    A full stop after an abbreviation or an initial, or before a small letter, ends none.
    """
    found, start = [], 0
    for end in _END.finditer(text):
        if _ends_sentence(text, end):
            found.append(text[start : end.end()].strip())
            start = end.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if any(map(str.isalnum, sentence))]


def _ends_sentence(text: str, end: re.Match[str]) -> bool:
    following = _NEXT.match(text, end.end())
    if following is None:
        return True
    if following[1].islower():
        return False
    return end["marks"] != "." or not _is_abbreviation(text, end.start())


def _is_abbreviation(text: str, stop: int) -> bool:
    """Whether the word before a full stop is an abbreviation or an initial."""
    before = text[max(0, stop - 20) : stop].split()[-1:]
    word = before[0].lstrip("(\"'“‘") if before else ""
    is_initial = len(word) == 1 and word.isupper() and word != "I"
    return is_initial or word.casefold() in ABBREVIATIONS


_NEXT = re.compile(r"\s*(\S)")
