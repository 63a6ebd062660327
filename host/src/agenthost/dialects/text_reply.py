"""What the text dialects share: how a reply is made ready for reading, and what becomes of it."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from agenthost.dialects.blocks import BROKE_OFF, CUT_OFF, EMPTY, called, parts, refusal, said
from agenthost.dialects.entries import MOST_ACTIONS, TOO_MANY, Entry, actions_of
from agenthost.dialects.reasoning import OPENING, bared, reasoned
from agenthost.dialects.sections import LENIENT_SIZE, Labels, Section, fence_end, sections
from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.artifacts import AudioArtifact, ImageArtifact, ImageUrlArtifact, ListArtifact
from agenthost_sdk.dialects import BaseDialect, Reply
from agenthost_sdk.messages import (
    AudioMessageContent,
    BaseMessageContent,
    ImageMessageContent,
    Message,
    TextMessageContent,
    contents,
)

_WRAPPED = re.compile(r"(?P<mark>`{3,}+|~{3,}+)[^\n`]*+\n")
_WRAPPED_WORDS = re.compile(r"(?P<mark>`{3,}+|~{3,}+)[ \t]*+(?:\w*text|markdown|md|txt)?[ \t]*+\n")
_EMPTY_FENCE = re.compile(r"(?:`{3,}+|~{3,}+)\w*+[ \t]*+(?:\n[\s`~]*+)?\Z")
_FENCED_REASONING = re.compile(
    rf"(?P<mark>`{{3,}}+|~{{3,}}+)[^\n`]*+\n\s*+{OPENING}", re.IGNORECASE
)

#: A sign with which models end a turn, where a server let it through.
_END_SIGN = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|end|return|endoftext|end_of_text|end_of_turn)\|>\Z"
)

#: A short sentence, and a fence that goes to the end.
_FENCED = re.compile(r"[^`\n]{1,200}+\n\s*+```[^\n`]*+\n(?P<inner>[^`]+)```\s*\Z")


@dataclass(frozen=True)
class Parsed:
    """What a text holds.

    Args:
        thought: What was said before the actions.
        actions: The actions; with any, nothing else counts.
        answer: The answer; None where there is none.
        fault: What is wrong with the reply, where that is more than a lack.
        text: The words without their labels.
    """

    thought: str = ""
    actions: tuple[ToolAction, ...] = ()
    answer: str | None = None
    fault: str = ""
    text: str = ""

    @property
    def runs(self) -> bool:
        """Whether there is an action that may run."""
        return any(not action.failed for action in self.actions)

    @property
    def is_good(self) -> bool:
        """Whether the reply says what to do."""
        is_answer = self.answer is not None and not self.actions and not self.fault
        return is_answer or self.runs


class TextDialect(BaseDialect):
    """A format in plain text. A reply with no mark of it is the answer as it stands."""

    @abstractmethod
    def parse(self, text: str, table: NativeNames, *, is_cut: bool) -> Parsed:
        """Return what a text holds; it is not empty, and has no reasoning at its beginning."""

    def read(self, message: Message, table: NativeNames) -> Reply:
        """Return the actions of a reply; without any, the answer; else what is wrong with it."""
        if message.finish == "refusal":
            return refusal(message)
        actions = called(message, table)
        text = self.prepared(message.to_text())
        if actions:
            return Reply(text, actions)
        if not text:
            if parts(message) and message.finish != "incomplete":
                return Reply(answer=said(message))
            return Reply(problem=f"{EMPTY} {self.reminder if len(table) else 'Answer in words.'}")
        parsed = self.parse(text, table, is_cut=message.finish in ("length", "incomplete"))
        if not len(table):
            parsed = replace(parsed, actions=(), fault="", answer=parsed.answer or text)
        return self._concluded(message, parsed)

    def prepared(self, text: str) -> str:
        """Return a text without reasoning at its beginning, line ends alike, stop texts cut."""
        text = bared(_END_SIGN.sub("", text.replace("\r\n", "\n").strip()))
        if _EMPTY_FENCE.match(text):
            return ""
        if "<" not in text:
            return text
        if (fence := _FENCED_REASONING.match(text)) is not None:
            text = _without_fence(text, fence)
        return bared(text[reasoned(text) :])

    def _concluded(self, message: Message, parsed: Parsed) -> Reply:
        if parsed.actions:
            return Reply(parsed.thought, parsed.actions)
        is_cut = message.finish == "length"
        if message.finish == "incomplete":
            return Reply(parsed.thought, problem=BROKE_OFF, text=parsed.text)
        if parsed.answer is not None and not parsed.fault:
            answer = said(message, parsed.answer)
            return Reply(parsed.thought, answer=answer, cut=is_cut)
        fault = parsed.fault or "The reply has neither actions nor an answer."
        words = f"{CUT_OFF} {fault}" if is_cut else fault
        return Reply(parsed.thought, problem=f"{words} {self.reminder}", text=parsed.text)


def limited(
    entries: Sequence[Entry], table: NativeNames, repairs: Iterable[str] = ()
) -> tuple[ToolAction, ...]:
    """Return the actions of the entries; one with an error stands for those that are too many."""
    if len(entries) > MOST_ACTIONS:
        entries = [*entries[:MOST_ACTIONS], Entry(fault=TOO_MANY)]
    return tuple(actions_of(entries, table, repairs))


def first_good(first: Parsed, *others: Callable[[], Parsed | None]) -> Parsed:
    """Return the first reading that says what to do, else the first of all.

    Where the first found something that cannot be used, only actions take its place: an answer
    beside them may be built on a result that the model made up.
    """
    if first.is_good:
        return first
    for other in others:
        parsed = other()
        if parsed is not None and parsed.is_good and (parsed.runs or _is_empty(first)):
            return parsed
    return first


def _is_empty(parsed: Parsed) -> bool:
    return not parsed.actions and not parsed.fault


def ends_sentence(text: str) -> bool:
    """Return whether a new sentence may begin behind a text."""
    return text.rstrip()[-1:] in (*".!?:;)。！？：", "")


def bare_text(found: Sequence[Section]) -> str:
    """Return the words of a reply without their labels."""
    return "\n".join(text for section in found if (text := section.text.strip()))


def spoken_text(found: Sequence[Section]) -> str:
    """Return the words of a reply that are meant for somebody: no action, no observation."""
    meant = [section for section in found if section.kind in _MEANT]
    return bare_text(meant)


_MEANT = ("", "thought", "answer")


def thought_in(found: Sequence[Section], entries: Sequence[Entry] = ()) -> str:
    """Return the thought of a reply: what is labelled so, or stands with the actions, or first.

    What the model thought behind its last action, it thought too soon.
    """
    asked = [place for place, section in enumerate(found) if section.kind == "actions"]
    found = found[: asked[-1]] if entries and asked else found
    said = [section.text.strip() for section in found if section.kind == "thought"]
    said = [thought for thought in said if thought] or [entry.thought for entry in entries]
    return "\n".join(thought for thought in said if thought) or found[0].text.strip()


def hidden_replies(text: str, labels: Labels, *, is_cut: bool) -> Iterator[list[Section]]:
    """Yield the sections of a reply without a label at the beginning of a line, where it has any.

    They may stand in a fence at its end, or within a line behind a finished sentence.
    """
    fenced = None if is_cut else fenced_reply(text, labels)
    if fenced is not None:
        yield sections(fenced, labels)
    if len(text) <= LENIENT_SIZE:
        within = sections(text, labels, is_within=True, is_cut=is_cut)
        if len(within) > 1 and ends_sentence(within[0].text):
            yield within


def fenced_reply(text: str, labels: Labels) -> str | None:
    """Return the fence that ends a reply where it begins with a label; few words precede it."""
    fence = _FENCED.match(text)
    inner = fence["inner"] if fence is not None else ""
    return inner if labels.begin(inner) else None


def unwrapped(text: str, labels: Labels) -> str:
    """Return a reply without the code fence that stands round the whole of it.

    One that begins with other words than a label must be closed where the reply ends.
    """
    fence = _WRAPPED.match(text)
    if fence is None:
        return text
    if labels.begin(text[fence.end() :]):
        return _without_fence(text, fence)
    words = _WRAPPED_WORDS.match(text) if len(text) <= LENIENT_SIZE else None
    end = fence_end(text[0], text, fence.end()) if words else None
    if end is None or end.end() < len(text):
        return text
    inner = bared(text[fence.end() : end.start()])
    return inner if len(sections(inner, labels)) > 1 else text


def _without_fence(text: str, fence: re.Match[str]) -> str:
    """Return a text without the fence that begins it, and the end of it where the text ends."""
    inner = bared(text[fence.end("mark") :].partition("\n")[2])
    return inner.removesuffix(fence["mark"]).rstrip()


def spoken(text: str) -> tuple[TextMessageContent, ...]:
    """Return the blocks of a message in words."""
    return (TextMessageContent(text),)


def told(results: str, actions: Sequence[ToolAction]) -> tuple[BaseMessageContent, ...]:
    """Return the blocks that tell of results: in words, and the pictures and sounds among them."""
    blocks: list[BaseMessageContent] = [TextMessageContent(results)]
    for action in actions:
        if isinstance(action.output, _MAY_SHOW):
            blocks += [one for one in contents(action.output) if isinstance(one, _SHOWN)]
    return tuple(blocks)


_MAY_SHOW = (ImageArtifact, ImageUrlArtifact, AudioArtifact, ListArtifact)
_SHOWN = (ImageMessageContent, AudioMessageContent)
