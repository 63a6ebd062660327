"""Find the JSON in a reply: behind the reasoning, in a fence, or among prose."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import islice
from typing import Any

from agenthost_sdk.json_text.mending import mend
from agenthost_sdk.json_text.requoting import MOST_CHARACTERS, requote
from agenthost_sdk.json_text.strict import Found, decode_at
from agenthost_sdk.json_text.unreadable import Damage, Want, is_kind, of_another_kind

#: White space of any kind, and signs that nobody sees.
INVISIBLE = "\ufeff \t\r\n\f\v\xa0\u200b\u2060\u3000"

FENCE = "read out of a code fence"
TAGS = ("think", "thinking", "reasoning", "thought", "thoughts", "reflection")

_TAG = re.compile(rf"<(/?)(?:{'|'.join(TAGS)})(?:\s[^<>]*+)?>", re.IGNORECASE)

#: More of these have no meaning in a reply; each may cost a look at what stands before it.
_MOST_TAGS = 20
_MOST_VALUES = 1_000

_FENCE = r"(?P<fence>`{3,}+|~{3,}+)[ \t]*+(?P<label>[\w+\-]*+)"

#: Where a value, or a fence, may begin. Brackets round plain words, such as {name}, are prose; so
#: is the first of two that open together, as {{ in a template. All others are looked into, since
#: what stands within a damaged value must never be taken for a value of its own.
_OPENING = re.compile(
    _FENCE + r"|[{\[](?=\s*+(?:[\]}\"'`“”„‟‘’«\\]|\Z))"
    r"|\{(?!\s*+\{|[^{}\[\]\"“”:：=]*+\})"
    r"|\[(?!(?=\s*+[^\s\-+.0-9tfnTFN])[^{}\[\]\"“”]*+\])"
)

_FENCED_END = re.compile(r"`{3}|~{3}")
_BRACKETS = re.compile(r"""(?P<text>"(?:[^"\\]|\\.)*+(?:"|\\?\Z))|(?P<open>[\[{(])|[\])}]""", re.S)
_BRACKETS_ALSO_SINGLE = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|'(?:[^'\\]|\\.)*+(?:'|\\?\Z))"""
    r"""|(?P<open>[\[{(])|[\])}]""",
    re.S,
)


def value_at(text: str, start: int, *, may_requote: bool = True) -> Found:
    """Return the value that begins at `start`, repaired where that is sure.

    Raises:
        Damage: It cannot be read whole.
    """
    try:
        return decode_at(text, start)
    except json.JSONDecodeError:
        pass
    try:
        mended = mend(text, start)
    except Damage as damage:
        if damage.reason != "invalid" or not may_requote:
            raise
        end = _outer_end(text, start)
        found = requote(text[start:end], end) if end else None
        if found is None:
            raise
        return found
    found = _decoded(mended.json, start)
    return Found(found.value, (*mended.repairs, *found.repairs), mended.end)


def _decoded(mended: str, start: int) -> Found:
    try:
        return decode_at(mended, 0)
    except json.JSONDecodeError as error:
        raise Damage("invalid", f"The JSON is damaged ({error.msg})", start) from None


def past_reasoning(text: str) -> tuple[int, int]:
    """Return where the reply begins and ends once the model's reasoning is cut off."""
    at = 0
    for tag in islice(_TAG.finditer(text), _MOST_TAGS):
        if tag.start() < at:
            continue
        before = _OPENING.search(text, at, tag.start())
        if before is not None:
            if tag[1] == "" or _reaches(text, before.start(), tag.start()):
                break
            at = tag.end()
        elif tag[1]:
            at = tag.end()
        else:
            closing = next((one for one in _TAG.finditer(text, tag.end()) if one[1]), None)
            if closing is None:
                return at, tag.start()
            at = closing.end()
    return at, len(text)


def _reaches(text: str, start: int, place: int) -> bool:
    """Say whether a value, be it broken off, goes on beyond a place."""
    try:
        return mend(text, start).end > place
    except Damage as damage:
        return damage.reason == "truncated"


def search(text: str, start: int, want: Want) -> Found:
    """Return the one value of the wanted kind; that in a fence marked json comes first.

    Raises:
        Damage: There is none, there are several, or it cannot be read whole.
    """
    tiers = _look(text, start, want)
    for tier in tiers:
        if (found := tier.chosen(text, start, want)) is not None:
            return found
    for tier in tiers:
        if tier.weak_fault is not None:
            raise tier.weak_fault
        if tier.stranger is not None:
            raise of_another_kind(tier.stranger.value, want)
    raise Damage("no-json", "No JSON was found in the text")


@dataclass
class _Tier:
    """The values found in places of one rank."""

    is_fenced: bool
    first: Found | None = None
    first_at: int = 0
    second_at: int | None = None
    stranger: Found | None = None
    fault: Damage | None = None
    weak_fault: Damage | None = None

    def add(self, found: Found, start: int, want: Want) -> None:
        """Take a value; one that equals the first is no second one."""
        if want != "any" and not is_kind(found.value, want):
            self.stranger = self.stranger or found
        elif self.first is None:
            self.first, self.first_at = found, start
        elif self.second_at is None and not _are_equal(self.first.value, found.value):
            self.second_at = start

    def fail(self, damage: Damage, sign: str, want: Want) -> None:
        """Take what could not be read; an array in prose counts only where none is wanted."""
        if sign == "[" and want == "object":
            self.weak_fault = self.weak_fault or damage
        else:
            self.fault = self.fault or damage

    def chosen(self, text: str, start: int, want: Want) -> Found | None:
        """Return the tier's one value; None where it has none.

        Args:
            text: The text that was looked through.
            start: Where the looking began.
            want: The wanted kind.
        """
        if self.fault is not None:
            raise self.fault
        if self.second_at is not None:
            kind = "values" if want == "any" else f"{want}s"
            raise Damage(
                "ambiguous", f"Two different JSON {kind} came, the second", self.second_at
            )
        if self.first is None:
            return None
        found = self.first
        before, behind = text[start : self.first_at], text[found.end :]
        if self.is_fenced:
            behind = _FENCED_END.split(behind, maxsplit=1)[0]
        if _goes_on(before, behind, text[self.first_at]):
            raise Damage(
                "invalid", "The JSON goes on behind the bracket that closes it", found.end
            )
        repairs = (FENCE,) if self.is_fenced else _left_out(before, behind)
        return Found(found.value, (*repairs, *found.repairs), found.end)


def _goes_on(before: str, behind: str, sign: str) -> bool:
    """Say whether a value seems to be but a part of a damaged one."""
    behind = behind.strip()
    closer = "}" if sign == "{" else "]"
    if before.rstrip().endswith(sign) and not behind.startswith(closer):
        return True
    return behind.strip("]})") != "" and behind.count(closer) > behind.count(sign)


def _left_out(before: str, behind: str) -> tuple[str, ...]:
    before, behind = before.strip(INVISIBLE), behind.strip(INVISIBLE)
    if not before and behind and not behind.strip("]})"):
        return ("a closing bracket too many removed",)
    return ("text around the JSON left out",) if before or behind else ()


def _look(text: str, start: int, want: Want) -> list[_Tier]:
    """Read each value that the text holds, from left to right, none twice."""
    fenced, plain, foreign = _Tier(True), _Tier(False), _Tier(True)
    ranks = {"json": fenced, "json5": fenced, "jsonc": fenced, "": plain, "text": plain}
    tier, at, is_in_fence, count = plain, start, False, 0
    while (opening := _OPENING.search(text, at)) is not None:
        at = opening.end()
        if opening["fence"]:
            is_in_fence = not is_in_fence
            tier = ranks.get(opening["label"].lower(), foreign) if is_in_fence else plain
            continue
        count += 1
        if count > _MOST_VALUES:
            tier.fault = Damage("ambiguous", f"More than {_MOST_VALUES} separate values came")
            break
        at = _take(tier, text, opening.start(), want, may_requote=count == 1)
    return [fenced, plain, foreign]


def _take(tier: _Tier, text: str, start: int, want: Want, *, may_requote: bool) -> int:
    """Put the value at `start` into its tier, read or not; return where it ends."""
    try:
        found = value_at(text, start, may_requote=may_requote)
    except Damage as damage:
        tier.fail(damage, text[start], want)
        return len(text) if damage.reason == "truncated" else _past(text, start, len(text))
    tier.add(found, start, want)
    return found.end


def _outer_end(text: str, start: int) -> int:
    """Return where a short value that cannot be read seems to end; 0 where it is not short."""
    stop = min(len(text), start + MOST_CHARACTERS)
    end = _past(text, start, stop)
    if end < stop or text.endswith(("}", "]"), start, end):
        return end
    closer = "}" if text[start] == "{" else "]"
    return text.rfind(closer, start, stop) + 1 if stop == len(text) else 0


def _past(text: str, start: int, stop: int) -> int:
    """Return where the bracket at `start` is closed, be it by another kind; else `stop`."""
    is_single = text[start + 1 : start + 20].lstrip().startswith("'")
    brackets = _BRACKETS_ALSO_SINGLE if is_single else _BRACKETS
    depth = 0
    for found in brackets.finditer(text, start, stop):
        if found["text"] is None:
            depth += 1 if found["open"] else -1
        if not depth:
            return found.end()
    return stop


def _are_equal(one: Any, other: Any) -> bool:
    """Compare as JSON does, where 1 is neither true nor 1.0."""
    try:
        return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    except RecursionError:
        return False
