"""Find the calls that stand in the tags of other models' templates, as a server lets them through.

Known are those of Hermes and Qwen, GLM, Llama, Mistral, DeepSeek, Kimi, Harmony, and `<invoke>`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from agenthost.dialects.text_reply import ends_sentence

#: What begins a call. A name in it, or right behind it, is the call's, and its input follows.
_SIGN = re.compile(
    r"""<(?:tool_calls?|function_calls?|tool_use|functioncall)>(?!\s*+<)
    |\[TOOL_CALLS\]|<\|python_tag\|>
    |<function=(?P<equal>[^>\n]{1,80})>
    |<(?:\w{1,20}:)?(?:invoke|tool_call)\s++name="(?P<quoted>[^"\n]{1,80})"\s*+>
    |<[|｜]tool[▁_]call[▁_]begin[|｜]>\s*+(?:function\s*+<[|｜]tool[▁_]sep[|｜]>)?(?P<begun>[^\n<]{1,80})
    |<\|channel\|>\w{1,20}\s++to=(?P<to>[\w.\-]{1,80})
    |\bto=(?P<first>functions\.[\w.\-]{1,80})\s*+<\|channel\|>\w{1,20}
    """,
    re.IGNORECASE | re.VERBOSE,
)

#: What ends one.
_CLOSING = re.compile(
    r"</(?:\w{1,20}:)?(?:tool_calls?|function_calls?|tool_use|functioncall|function|invoke)>"
    r"|<[|｜]tool[▁_]call[▁_]end[|｜]>|<\|call\|>",
    re.IGNORECASE,
)

#: A name right behind a sign that has none, and the number that some add to a name.
_BEHIND = re.compile(
    r"\s*+(?P<name>\w[\w.\-]{0,79})\s*+"
    r"(?:(?:\[CALL_ID\]\s*+\w{1,80}\s*+)?\[ARGS\]|(?=<arg_key>|\{|</))"
)
_NUMBER = re.compile(r":\d{1,9}\Z")

#: A part of an input that has a tag of its own, up to its value.
_PART = re.compile(
    r"<arg_key>(?P<key>[^<]{1,80})</arg_key>\s*+<arg_value>"
    r"|<(?P<space>\w{1,20}:)?parameter(?:=|\s++name=\")(?P<name>[^\">\n]{1,80})\"?[^>\n]{0,80}>"
)
_ANY_PART = re.compile(r"<arg_(?:key|value)>|<(?:\w{1,20}:)?parameter\b")

#: What may stand before a call and belongs to the tags, and tokens that say nothing alone.
_OPENING = re.compile(
    r"(?:<(?:\w{1,20}:)?(?:tool|function)_calls?>"
    r"|<[|｜]tool[▁_]calls[▁_](?:section[▁_])?begin[|｜]>)\s*+\Z",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"<\|(?:start|channel)\|>\w{0,20}|<[|｜][\w▁]{1,40}[|｜]>")

_FENCE = re.compile(r"^[ \t]*+```", re.MULTILINE)

#: More of them in one reply are a model that runs on.
MOST_SIGNS = 600

#: How much of a line tells whether a sentence goes on.
_SHORT = 200


@dataclass(frozen=True)
class Tagged:
    """A call in tags, or what looks like one."""

    #: Its name, where the tags give it.
    name: str
    #: What stands behind its sign, up to the next one.
    inner: str
    #: Where it is closed within that; -1 where it is not.
    end: int
    #: Whether it stands within a sentence, and whether anything follows it in its line.
    is_said: bool
    is_followed: bool

    @property
    def is_bare(self) -> bool:
        """Whether it is closed and there is nothing in it."""
        return self.end >= 0 and not _TOKEN.sub("", self.inner[: self.end]).strip()


def tagged(text: str) -> tuple[str, list[Tagged]]:
    """Return the words before the first call of a text, and the calls.

    What stands in backticks or in a code fence is shown, and no call.
    """
    signs = [*islice(_SIGN.finditer(text), MOST_SIGNS)]
    if not signs:
        return "", []
    ends = [*(sign.start() for sign in signs[1:]), len(text)]
    found: list[Tagged] = []
    shown = _Shown(text)
    first = 0
    for sign, end in zip(signs, ends, strict=True):
        before = shown.before(sign.start())
        if before is None:
            continue
        first = first if found else sign.start()
        found.append(_tagged(sign, text[sign.end() : end], before))
        if found[-1].end >= 0:
            shown.pass_call(end)
    return without_tokens(text[:first]), found


def parts_in(inner: str, *, is_cut: bool) -> dict[str, str] | None:
    """Return an input each part of which has a tag of its own; None where there are no such tags.

    Raises:
        ValueError: A part has no end, or the reply broke off and there may have been more.
    """
    parts: dict[str, str] = {}
    position = 0
    while (part := _PART.search(inner, position)) is not None:
        closing = "</arg_value>" if part["key"] else f"</{part['space'] or ''}parameter>"
        end = inner.find(closing, part.end())
        value = inner[part.end() : end]
        if end < 0 or _ANY_PART.search(value):
            raise ValueError(f"the value of {(part['key'] or part['name']).strip()!r} has no end")
        parts[(part["key"] or part["name"]).strip()] = value.strip("\n")
        position = end + len(closing)
    is_open = is_cut and bool(parts) and not _CLOSING.search(inner, position)
    if is_open or _ANY_PART.search(inner, position):
        raise ValueError("it broke off before its end")
    return parts or None


def without_tokens(text: str) -> str:
    """Return words without the tags and tokens of a template that stand with them."""
    return _TOKEN.sub("", _OPENING.sub("", text)).strip()


def _tagged(sign: re.Match[str], inner: str, before: str) -> Tagged:
    name = next((group for group in sign.groups() if group), "")
    if not name and (behind := _BEHIND.match(inner)) is not None:
        name, inner = behind["name"], inner[behind.end() :]
    closing = _CLOSING.search(inner)
    rest = inner[closing.end() :].partition("\n")[0] if closing else ""
    return Tagged(
        _NUMBER.sub("", name.strip()),
        inner,
        closing.start() if closing else -1,
        is_said=not ends_sentence(without_tokens(before)),
        is_followed=bool(without_tokens(_CLOSING.sub("", rest))),
    )


class _Shown:
    """Tells, from the beginning of a text to its end, what is shown there and not said."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._is_fenced = False
        self._is_quoted = False

    def before(self, start: int) -> str | None:
        """Return what ends at a place of the line before it; None where the place is shown."""
        text, position = self._text, self._position
        self._is_fenced ^= sum(1 for _ in _FENCE.finditer(text, position, start)) % 2 == 1
        line = text.rfind("\n", position, start) + 1
        self._is_quoted &= line == 0
        position = max(position, line)
        self._is_quoted ^= text.count("`", position, start) % 2 == 1
        self._position = start
        is_shown = self._is_fenced or self._is_quoted or text.endswith("`", position, start)
        return None if is_shown else text[max(position, start - _SHORT) : start]

    def pass_call(self, end: int) -> None:
        """Go on behind a call; backticks in it say nothing."""
        self._position = end
