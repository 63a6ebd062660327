"""Change the case of a text, turn it round, and replace pieces of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from agenthost_plugin_text.counting import characters
from agenthost_sdk.errors import ToolError

Case = Literal["upper", "lower", "title", "sentence", "snake", "kebab"]

#: Where a word starts within a name such as helloWorld or HTTPServer.
_HUMPS = re.compile(r"(?<=[^\W_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^\W_A-Z\d])")

#: The start of a text or of a sentence in it, up to the first letter.
_SENTENCE_START = re.compile(r"(?:\A|[.!?…][\"'”’»)\]]*\s+)[^\w]*[^\W\d_]")


def change_case(text: str, case: Case) -> str:
    """Return a text in another case."""
    return _CASES[case](text)


def reverse(text: str) -> str:
    """Return a text with its last character first; what a reader sees as one stays whole."""
    return "".join(reversed(characters(text)))


def replace(text: str, find: str, replacement: str) -> str:
    """Return a text with every occurrence of a piece replaced.

    Raises:
        ToolError: The piece is empty, or does not occur in the text.
    """
    if not find:
        raise ToolError("`find` is empty; name the piece of the text that is to be replaced.")
    if find not in text:
        raise ToolError(_not_found(text, find))
    return text.replace(find, replacement)


def _not_found(text: str, find: str) -> str:
    found = re.search(re.escape(find), text, re.IGNORECASE)
    hint = f" The case counts: the text has {found[0]!r}." if found else ""
    return f"Nothing was replaced: {find!r} does not occur in the text.{hint}"


def _title(text: str) -> str:
    return re.sub(r"(?<!\w)[^\W\d_][^\s-]*", lambda word: word[0].capitalize(), text.lower())


def _sentence(text: str) -> str:
    return _SENTENCE_START.sub(lambda found: _last_up(found[0]), text.lower())


def _last_up(text: str) -> str:
    return text[:-1] + text[-1].capitalize()


def _joined(text: str, sign: str) -> str:
    parted = _HUMPS.sub(" ", re.sub(r"['’]", "", text))
    return sign.join(re.findall(r"[^\W_]+", parted)).lower()


_CASES: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "title": _title,
    "sentence": _sentence,
    "snake": lambda text: _joined(text, "_"),
    "kebab": lambda text: _joined(text, "-"),
}
