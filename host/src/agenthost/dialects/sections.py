"""Find the labelled sections of a reply, as models write labels."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from agenthost.dialects.reasoning import OPENING, closing
from agenthost.dialects.sound_json import json_end

#: What may stand before a label: bullets, numbers, headings, quotes, bold.
_LEAD = r"(?P<lead>[ \t>#*+\-•\d.)_`~\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]{0,40}+)"

#: A colon, or what stands for one before JSON.
_COLON = r"[:：]|=(?=\s*[\[{])|(?=\[\s*\{)"

#: What may stand behind its word: a number, the end of bold, the colon or the line's end.
_TAIL = (
    r"(?:[ \t]*+#?\d{1,4})?(?P<tail>[*_`~]{0,3})[ \t]*+"
    rf"(?:(?P<colon>{_COLON})[ \t]*+|(?=$))"
)

#: The same for a label that stands within a line.
_INNER_TAIL = r"(?:[ \t]*+#?\d{1,4})?[*_]{0,3}[ \t]*+[:：][*_]{0,3}[ \t]*+"

_FENCE = r"[ \t]*+(?P<fence>`{3,}+|~{3,}+)[^\n`]*+$\n?"
_FENCE_HERE = re.compile(_FENCE, re.MULTILINE)
_FENCE_ENDS = {
    sign: re.compile(rf"^[ \t]*+{sign}{{3,}}+[ \t]*+$\n?", re.MULTILINE) for sign in ("`", "~")
}
_SPACES = re.compile(r"[\s_\-]+")
_EMPHASIS = re.compile(r"(?:\*{1,3}|_{1,3}|`{1,2})\Z")


@dataclass
class Section:
    """A label's kind, and what follows it up to the next; what precedes all has the kind ""."""

    kind: str
    text: str = ""
    #: The label as it was written.
    label: str = ""


#: More labels than this in one reply are a model that runs on; those behind are its text.
MOST_LABELS = 600

#: What JSON begins with, in a fence or not; most names of tools begin otherwise.
_JSON_SIGN = re.compile(r"\s*(?:[\[{`]|json)")

#: How many values that are no sound JSON are looked at before no more are.
_MOST_FAILURES = 8


class Labels:
    """The labels of a dialect.

    Args:
        words: The words of a label by the kind of its section.
        last: The kind whose section goes to the end of the text, labels in it and all.
        with_json: The kinds whose section may begin with JSON; what looks like a label in one
            of its texts is none.
    """

    def __init__(
        self, words: Mapping[str, Sequence[str]], last: str, with_json: Collection[str] = ()
    ) -> None:
        self.last = last
        self.with_json = frozenset(with_json)
        self._kinds = {one: kind for kind in words for one in words[kind]}
        self._kinds |= {_squashed(one): kind for one, kind in self._kinds.items()}
        self._hints = {one.split()[0] for kind in words for one in words[kind]}
        every = sorted((one for kind in words for one in words[kind]), key=len, reverse=True)
        either = "|".join(one.replace(" ", r"[ \t_\-]?") for one in every)
        titled = "|".join(one.title().replace(" ", r"[ \t_\-]?") for one in every)
        anchored = rf"^(?:{_LEAD}(?P<word>(?i:{either})){_TAIL}|(?i:{OPENING})|{_FENCE})"
        within = rf"(?<=[\s.,;!?])[*_]{{0,3}}(?P<inner>{titled}){_INNER_TAIL}"
        self._anchored = re.compile(anchored, re.MULTILINE)
        self._within = re.compile(f"{anchored}|{within}", re.MULTILINE)

    def kind(self, sign: re.Match[str]) -> str:
        """Return the kind of section that a sign begins; "" where it is no label.

        Without a colon, only a heading or a word in bold that has its line to itself is one.
        """
        word = sign["word"]
        if word is None:
            word = sign.groupdict().get("inner")
            if word is None:
                return ""
        elif sign["colon"] is None:
            lead = sign["lead"]
            if not ("#" in lead or (_EMPHASIS.search(lead) and sign["tail"])):
                return ""
        return self._kinds.get(word.lower()) or self._kinds[_squashed(word)]

    def may_occur(self, text: str) -> bool:
        """Return whether a word of a label stands anywhere in the text."""
        lowered = text.lower()
        return any(word in lowered for word in self._hints)

    def signs(self, is_within: bool) -> re.Pattern[str]:
        """Return the pattern of all that a scan stops at."""
        return self._within if is_within else self._anchored

    def begin(self, text: str) -> bool:
        """Return whether the text begins with a label."""
        sign = self._anchored.match(text.lstrip())
        return sign is not None and bool(self.kind(sign))


#: A longer reply is no slip of the form: what stands within lines or in fences is its text.
LENIENT_SIZE = 16_384


def sections(
    text: str,
    labels: Labels,
    *,
    is_within: bool = False,
    in_fences: bool = False,
    is_cut: bool = False,
) -> list[Section]:
    """Return the sections of a text; the first is what precedes all labels.

    A label counts at the beginning of a line, whatever decorates it, and outside code fences.
    What stands in `<think>` is left out.

    Args:
        text: The reply.
        labels: The dialect's.
        is_within: Count labels within a line too.
        in_fences: Count labels in code fences too.
        is_cut: Whether the reply broke off; then a fence that is not closed hides what follows.
    """
    if "<" not in text and not labels.may_occur(text):
        return [Section("", text)]
    return _Scan(text, labels, in_fences, is_cut).run(labels.signs(is_within))


def fence_end(mark: str, text: str, start: int) -> re.Match[str] | None:
    """Return the line that ends a fence of backticks or tildes; `mark` is one of them."""
    return _FENCE_ENDS[mark].search(text, start)


class _Scan:
    """One pass over a text."""

    def __init__(self, text: str, labels: Labels, in_fences: bool, is_cut: bool) -> None:
        self._text = text
        self._labels = labels
        self._in_fences = in_fences
        self._is_cut = is_cut
        self._found = [Section("")]
        self._pieces: list[str] = []
        self._start = 0
        self._emphasis = ""
        self._unclosed: set[str] = set()
        self._failures = 0

    def run(self, signs: re.Pattern[str]) -> list[Section]:
        position = 0
        while position >= 0 and len(self._found) <= MOST_LABELS:
            sign = signs.search(self._text, position)
            if sign is None:
                break
            kind = self._labels.kind(sign)
            position = self._begin(kind, sign) if kind else self._pass(sign)
        self._close(len(self._text))
        return self._found

    def _pass(self, sign: re.Match[str]) -> int:
        """Pass a sign that is no label, and return from where on to look for the next."""
        if sign["fence"]:
            return self._pass_fence(sign)
        if sign["think"]:
            self._keep(sign.start())
            self._start = closing(self._text, sign["think"], sign.end())
            return self._start
        return sign.end()

    def _pass_fence(self, sign: re.Match[str]) -> int:
        mark = sign["fence"][0]
        if self._in_fences:
            self._keep(sign.start())
            self._start = sign.end()
        elif mark not in self._unclosed:
            end = fence_end(mark, self._text, sign.end())
            if end is not None:
                return end.end()
            if self._is_cut:
                return len(self._text)
            self._unclosed.add(mark)
        return sign.end()

    def _begin(self, kind: str, sign: re.Match[str]) -> int:
        """Begin a section, and return from where on to look for the next; -1 for nowhere."""
        self._close(sign.start())
        self._found.append(Section(kind, label=sign[0]))
        self._start = sign.end()
        self._emphasis = self._left_open(sign) if sign["lead"] else ""
        if kind == self._labels.last:
            return -1
        is_json = kind in self._labels.with_json and _JSON_SIGN.match(self._text, self._start)
        if is_json and self._failures <= _MOST_FAILURES:
            end = json_end(self._text, self._start)
            if end > self._start:
                return end
            self._failures += end < 0
        fence = _FENCE_HERE.match(self._text, self._start)
        return self._pass_fence(fence) if fence is not None else self._start

    def _left_open(self, sign: re.Match[str]) -> str:
        """Return the emphasis that a label left open; one that closes behind its colon ends."""
        opened = _EMPHASIS.search(sign["lead"])
        if opened is None or sign["tail"]:
            return ""
        if self._text.startswith(opened[0], self._start):
            self._start += len(opened[0])
            return ""
        return opened[0]

    def _keep(self, end: int) -> None:
        self._pieces.append(self._text[self._start : end])

    def _close(self, end: int) -> None:
        self._pieces.append(self._text[self._start : end])
        text, self._pieces = "".join(self._pieces), []
        self._found[-1].text = (
            text.rstrip().removesuffix(self._emphasis) if self._emphasis else text
        )


def _squashed(word: str) -> str:
    return _SPACES.sub("", word).lower()
