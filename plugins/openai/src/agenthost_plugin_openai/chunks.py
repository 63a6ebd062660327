"""Read the chunks of a streamed reply, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agenthost_plugin_openai import decode
from agenthost_plugin_openai.decode import UnreadableReply, as_dict, further, listed, text
from agenthost_plugin_openai.faults import fault_in
from agenthost_plugin_openai.parts import PROVIDER
from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    ActionCallMessageContent,
    AudioDeltaMessageContent,
    BaseMessageContent,
    DeltaContent,
    DeltaMessage,
    GenericDeltaMessageContent,
    GenericMessageContent,
    ReasoningDeltaMessageContent,
    ReasoningMessageContent,
    TextDeltaMessageContent,
    TextMessageContent,
    WholeDeltaMessageContent,
)

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionChunk

Json = dict[str, Any]

_NO_CHUNK = (
    "The stream ended before anything of the reply had arrived."
    " Check that base_url names a server that streams chat completions, or ask with stream off."
)


_DETAILS = "reasoning_details"

# A block of its own beside the words of the content, which are block 0, and their parts.
_REFUSAL = 1


class ChunkReader:
    """Reads the chunks of one stream; made anew for each.

    `read` takes them as they come. `end` is called once after the last of them, also where the
    connection was lost.

    Args:
        sound: The format of sound that was asked for.
    """

    def __init__(self, sound: str = "wav") -> None:
        self.begun = False
        self._sound = sound
        self._called = self._refused = self._spoke = False
        self._has_come = False
        self._choice: int | None = None  # the number of the one that is read: the first
        self._reason = ""
        self._thoughts = _Thoughts()
        self._parts = _Parts()
        self._heard: Json = {}
        self._kept: Json = {}
        self._pictures = 0

    def read(self, chunk: ChatCompletionChunk) -> list[DeltaMessage]:
        """Return what the chunk adds to the reply.

        Raises:
            UnreadableReply: The server tells of an error in its place.
        """
        self.begun = True
        added: list[DeltaMessage] = []
        counted = getattr(chunk, "usage", None)
        if counted is None and "x_groq" in (more := further(chunk)):
            counted = _Counted.of(more["x_groq"])
        if counted is not None:
            added.append(DeltaMessage(usage=decode.usage(counted)))
        choices = listed(getattr(chunk, "choices", None))
        if self._choice is None and choices:
            self._choice = min(map(_number, choices))
        elif not choices and (fault := fault_in(chunk)) is not None:
            raise decode.refused(fault)
        for choice in choices:
            if _number(choice) == self._choice:  # further ones are asked for by none of ours
                added.extend(self._read_choice(choice))
        return added

    def end(self, *, is_done: bool) -> Iterator[DeltaMessage]:
        """Yield how the reply ended.

        Args:
            is_done: Whether the server marked the end of its stream. Where it did not, and gave
                no reason for an end either, the reply is "incomplete".

        Raises:
            UnreadableReply: Nothing of a reply has arrived.
        """
        if not self.begun:
            raise UnreadableReply(_NO_CHUNK, may_pass=True)
        yield from self._thoughts.end()
        yield from self._parts.end()
        if self._heard.get("id"):
            sound = {name: self._heard.get(name) for name in ("id", "expires_at")}
            self._kept["audio"] = {name: value for name, value in sound.items() if value}
        if self._kept:
            yield DeltaMessage(GenericDeltaMessageContent(self._kept, provider=PROVIDER))
        if not self._reason and not is_done:
            yield DeltaMessage(finish="incomplete")
            return
        end = decode.finish(self._reason, self._called, self._refused)
        yield DeltaMessage(finish=end, finish_reason=self._reason)

    def _read_choice(self, choice: Any) -> Iterable[DeltaMessage]:
        delta, reason = getattr(choice, "delta", None), getattr(choice, "finish_reason", None)
        if reason:
            self._reason = text(reason) or self._reason
        if reason or delta is None:
            more = further(choice)
            if error := more.get("error"):
                raise decode.refused(error)
            if delta is None and not self._has_come and isinstance(more.get("message"), dict):
                return self._read_whole(more["message"])
        added = list(self._read_delta(delta)) if hasattr(delta, "content") else []
        self._has_come = self._has_come or bool(added)
        return added

    def _read_whole(self, said: Json) -> Iterator[DeltaMessage]:
        """Yield the blocks of a message that came in one piece, though a stream was asked for.

        Some servers repeat with it what they have streamed; it is not read then.
        """
        from openai.types.chat import ChatCompletion  # loaded already

        whole = ChatCompletion.construct(choices=[{"message": said, "finish_reason": None}])
        read = decode.message(whole, self._sound)
        self._refused = read.finish == "refusal"
        for number, block in enumerate(read.content):
            self._called = self._called or isinstance(block, ActionCallMessageContent)
            yield DeltaMessage(_piece(block, number))

    def _read_delta(self, delta: Any) -> Iterator[DeltaMessage]:
        if more := further(delta):
            yield from self._read_further(delta, more)
        content = delta.content
        if content:
            self._spoke = True
            if isinstance(content, str):
                yield DeltaMessage(TextDeltaMessageContent(content))
            else:
                yield from self._parts.read(_listed(content))
        if delta.tool_calls:
            self._called = True
            yield from map(_call_piece, _calls(delta.tool_calls))
        if delta.refusal and (refusal := text(delta.refusal)):
            self._refused = True
            yield DeltaMessage(TextDeltaMessageContent(refusal, _REFUSAL))
        if delta.function_call and (call := decode.old_call(delta.function_call)) is not None:
            self._called = True
            piece = ActionCallDeltaMessageContent(0, call.id, call.native, call.arguments)
            yield DeltaMessage(piece)
        if (audio := getattr(delta, "audio", None)) is not None:
            yield from self._read_audio(as_dict(audio))

    def _read_further(self, delta: Any, more: Mapping[str, Any]) -> Iterator[DeltaMessage]:
        yield from self._thoughts.read(more)
        for name, value in decode.kept_fields(delta, {}).items():
            earlier = self._kept.get(name)
            self._kept[name] = [*earlier, *value] if isinstance(earlier, list) else value
        for part in listed(more.get("images")):
            if shown := decode.picture(part):
                yield DeltaMessage(WholeDeltaMessageContent(shown, self._pictures))
                self._pictures += 1

    def _read_audio(self, audio: Json) -> Iterator[DeltaMessage]:
        """Yield sound as bytes; what was said is the text where there is no other."""
        self._heard |= {name: value for name, value in audio.items() if value}
        if not self._spoke and (said := text(audio.get("transcript"))):
            yield DeltaMessage(TextDeltaMessageContent(said))
        if data := decode.decoded(audio.get("data")):
            yield DeltaMessage(AudioDeltaMessageContent(data, format=self._sound))


class _Thoughts:
    """The thoughts that come beside the content, and the fields to send back."""

    def __init__(self) -> None:
        self._held: dict[str, list[str]] = {}
        self._details: list[Json] = []
        self._read_from = ""  # of several fields with the same thoughts, the first that came

    def read(self, more: Mapping[str, Any]) -> Iterator[DeltaMessage]:
        found = {name: said for name in decode.THOUGHTS if (said := text(more.get(name)))}
        for name, said in found.items():
            self._held.setdefault(name, []).append(said)
        details = [one for one in listed(more.get(_DETAILS)) if isinstance(one, dict)]
        for one in details:
            self._add(one)
        if details:
            found[_DETAILS] = decode.thoughts_of(details)
        if found:
            self._read_from = self._read_from or next(iter(found))
            yield DeltaMessage(ReasoningDeltaMessageContent(found.get(self._read_from, "")))

    def end(self) -> Iterator[DeltaMessage]:
        held: Json = {name: "".join(pieces) for name, pieces in self._held.items()}
        if self._details:
            held[_DETAILS] = self._details
        if held:
            yield DeltaMessage(ReasoningDeltaMessageContent(value=held, provider=PROVIDER))

    def _add(self, piece: Json) -> None:
        """Join a piece with the one before it where both are of one detail."""
        last = self._details[-1] if self._details else {}
        if any(last.get(name) != piece.get(name) for name in ("type", "index")) or not last:
            self._details.append(dict(piece))
            return
        for name, value in piece.items():
            if name in ("text", "summary", "data") and isinstance(last.get(name), str):
                last[name] += text(value)
            elif value is not None:
                last[name] = value


class _Parts:
    """The parts of a content that comes as a list: words and thoughts in turn."""

    def __init__(self) -> None:
        self._at = _REFUSAL
        self._kind = ""
        self._thinking: dict[int, Json] = {}

    def read(self, parts: list[Any]) -> Iterator[DeltaMessage]:
        for part in map(_part, parts):
            kind = text(part.get("type"))
            if kind != self._kind:
                self._at, self._kind = self._at + 1, kind
            if kind == "text" and (words := text(part.get("text"))):
                yield DeltaMessage(TextDeltaMessageContent(words, self._at))
            elif kind == "thinking":
                thoughts = decode.thoughts_in(part)
                self._keep(part, thoughts)
                yield DeltaMessage(ReasoningDeltaMessageContent(thoughts, self._at))

    def end(self) -> Iterator[DeltaMessage]:
        for index, part in self._thinking.items():
            yield DeltaMessage(
                ReasoningDeltaMessageContent(index=index, value=part, provider=PROVIDER)
            )

    def _keep(self, part: Json, thoughts: str) -> None:
        earlier = self._thinking.get(self._at, {})
        before = decode.thoughts_in(earlier) if earlier else ""
        whole = [{"type": "text", "text": before + thoughts}]
        self._thinking[self._at] = {**earlier, **part, "thinking": whole}


def _number(choice: Any) -> int:
    index = getattr(choice, "index", None)
    return index if isinstance(index, int) else 0


def _listed(held: Any) -> list[Any]:
    """Return what should be a list; some servers send its only item."""
    return held if isinstance(held, list) else [held]


def _calls(held: Any) -> list[Any]:
    if not isinstance(held, dict):
        return listed(held)
    from openai.types.chat.chat_completion_chunk import ChoiceDeltaToolCall  # loaded already

    return [ChoiceDeltaToolCall.construct(**held)]


def _part(part: Any) -> Json:
    return {"type": "text", "text": part} if isinstance(part, str) else as_dict(part)


def _piece(block: BaseMessageContent, index: int) -> DeltaContent:
    """Return a whole block as a piece."""
    match block:
        case TextMessageContent():
            return TextDeltaMessageContent(block.text, index)
        case ReasoningMessageContent():
            return ReasoningDeltaMessageContent(block.text, index, block.value, block.provider)
        case ActionCallMessageContent():
            return ActionCallDeltaMessageContent(
                index, block.id, block.native, block.arguments, block.extra
            )
        case GenericMessageContent():
            return GenericDeltaMessageContent(block.value, index, block.provider)
    return WholeDeltaMessageContent(block, index)


def _call_piece(read: Any) -> DeltaMessage:
    """Return a piece of a call as it came; servers number the calls wrongly, or send no index."""
    index = getattr(read, "index", None)
    number = index if isinstance(index, int) else None
    return DeltaMessage(ActionCallDeltaMessageContent(number, *decode.call_fields(read)))


class _Counted:
    """What one server counts beside the chunk, in the form of the others."""

    def __init__(self, counted: Mapping[str, Any]) -> None:
        self.prompt_tokens = counted.get("prompt_tokens")
        self.completion_tokens = counted.get("completion_tokens")

    @classmethod
    def of(cls, held: Any) -> _Counted | None:
        counted = held.get("usage") if isinstance(held, dict) else None
        return cls(counted) if isinstance(counted, dict) else None
