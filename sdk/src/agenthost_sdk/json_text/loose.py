"""Read what is not strict JSON: a value by itself, or one within a reply."""

from __future__ import annotations

import json
import re

from agenthost_sdk.json_text.finding import FENCE, INVISIBLE, past_reasoning, search, value_at
from agenthost_sdk.json_text.strict import BLANK, SCALAR, Found, whole_strict
from agenthost_sdk.json_text.strings import CLOSERS
from agenthost_sdk.json_text.unreadable import Damage, Want, nothing

UNSEEN = "invisible signs around the JSON removed"

_FENCE = re.compile(r"(`{3,}+|~{3,}+)[ \t]*+[\w+\-]*+\s*+")
_ESCAPED = re.compile(r"[{\[](?:\s|\\[nrt])*+\\+\"")

#: Longer texts in round brackets are prose.
_MOST_TUPLE = 10_000


def read_loosely(text: str, want: Want) -> Found:
    """Return the value that a text is or contains, now that it is no strict JSON.

    Raises:
        Damage: There is no such value, more than one, or it cannot be read whole.
    """
    bare = text.strip(INVISIBLE)
    if not bare:
        raise nothing()
    repairs = () if bare == text.strip(BLANK) else (UNSEEN,)
    found = (repairs and whole_strict(bare)) or _alone(text, bare) or _within(text, want)
    return Found(found.value, (*repairs, *found.repairs), found.end)


def _alone(text: str, bare: str) -> Found | None:
    """Return the string, number or literal, or the once too often escaped JSON, that a text is."""
    inner = _unfenced(bare)
    repairs = (FENCE,) if inner != bare else ()
    try:
        found = _scalar(inner)
    except Damage as damage:
        if damage.offset is not None:
            damage.offset += text.find(inner)
        raise
    return found and Found(found.value, (*repairs, *found.repairs), len(text))


def _scalar(inner: str) -> Found | None:
    if _ESCAPED.match(inner):
        return _unescaped(inner)
    if (inner[:1] in CLOSERS and inner[0] != "`") or _is_tuple(inner) or SCALAR.fullmatch(inner):
        return _whole(inner)
    return None


def _is_tuple(inner: str) -> bool:
    return inner.startswith("(") and inner.endswith(")") and len(inner) <= _MOST_TUPLE


def _unfenced(bare: str) -> str:
    """Return what stands in the fence that a whole text is."""
    found = _FENCE.match(bare)
    return bare[found.end() :].rstrip(found[1][0]).rstrip() if found else bare


def _whole(inner: str) -> Found | None:
    try:
        found = value_at(inner, 0, may_requote=False)
    except Damage as damage:
        is_sure = inner.startswith(('"', "{", "["))
        if damage.reason == "out-of-range" or (is_sure and damage.reason == "truncated"):
            raise
        return None
    return found if found.end == len(inner) else None


def _unescaped(inner: str) -> Found | None:
    """Return JSON that was encoded twice but lost the quotes around it."""
    try:
        text = json.loads(f'"{inner}"', strict=False)
    except ValueError:
        return None
    try:
        found = _whole(text)
    except Damage as damage:  # its place would be one in the inner text
        raise Damage(damage.reason, f"Without its escapes: {damage.words}") from None
    return found and Found(found.value, ("needless escapes taken off", *found.repairs), found.end)


def _within(text: str, want: Want) -> Found:
    start, end = past_reasoning(text)
    repairs = ("reasoning cut off",) if start else ()
    kept = text[:end]
    if start and (found := whole_strict(kept[start:].strip(BLANK))) is not None:
        return Found(found.value, (*repairs, *found.repairs), end)
    found = search(kept, start, want)
    return Found(found.value, (*repairs, *found.repairs), found.end)
