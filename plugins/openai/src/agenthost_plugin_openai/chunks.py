"""Read the chunks of a streamed reply, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agenthost_plugin_openai import decode
from agenthost_plugin_openai.decode import UnreadableReply, as_dict, further, listed, text
from agenthost_plugin_openai.parts import PROVIDER
from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    ActionCallMessageContent,
    AudioDeltaMessageContent,
    DeltaMessage,
    GenericDeltaMessageContent,
    ReasoningDeltaMessageContent,
    TextDeltaMessageContent,
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
        self._reason = ""
        self._thoughts = _Thoughts()
        self._parts = _Parts()
        self._heard: Json = {}
        self._kept: Json = {}
        self._pictures = 0

    def read(self, chunk: ChatCompletionChunk) -> Iterator[DeltaMessage]:
        """Yield what the chunk adds to the reply."""
        self.begun = True
        counted = getattr(chunk, "usage", None)
        if counted is None and "x_groq" in (more := further(chunk)):
            counted = _Counted.of(more["x_groq"])
        if counted is not None:
            yield DeltaMessage(usage=decode.usage(counted))
        for choice in listed(getattr(chunk, "choices", None)):
            if not getattr(choice, "index", None):  # further choices are asked for by none of ours
                self._reason = text(getattr(choice, "finish_reason", None)) or self._reason
                delta = getattr(choice, "delta", None)
                if hasattr(delta, "content"):
                    yield from self._read_delta(delta)

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

    def _read_delta(self, delta: Any) -> Iterator[DeltaMessage]:
        if more := further(delta):
            yield from self._read_further(delta, more)
        content = delta.content
        if content:
            self._spoke = True
            if isinstance(content, str):
                yield DeltaMessage(TextDeltaMessageContent(content))
            else:
                yield from self._parts.read(listed(content))
        if delta.tool_calls:
            self._called = True
            for read in listed(delta.tool_calls):
                yield DeltaMessage(_call_piece(decode.call_of(read), getattr(read, "index", None)))
        if refusal := text(delta.refusal):
            self._refused = True
            yield DeltaMessage(TextDeltaMessageContent(refusal, _REFUSAL))
        if delta.function_call and (call := decode.old_call(delta.function_call)) is not None:
            self._called = True
            yield DeltaMessage(_call_piece(call, 0))
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
        for part in map(as_dict, parts):
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


def _call_piece(call: ActionCallMessageContent, index: Any) -> ActionCallDeltaMessageContent:
    """Return the piece as it came; servers number the calls wrongly, or send no index."""
    number = index if isinstance(index, int) else None
    return ActionCallDeltaMessageContent(number, call.id, call.native, call.arguments, call.extra)


class _Counted:
    """What one server counts beside the chunk, in the form of the others."""

    def __init__(self, counted: Mapping[str, Any]) -> None:
        self.prompt_tokens = counted.get("prompt_tokens")
        self.completion_tokens = counted.get("completion_tokens")

    @classmethod
    def of(cls, held: Any) -> _Counted | None:
        counted = held.get("usage") if isinstance(held, dict) else None
        return cls(counted) if isinstance(counted, dict) else None
