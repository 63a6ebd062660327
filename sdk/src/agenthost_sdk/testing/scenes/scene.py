"""What a scene is: one way in which a model misbehaves, and what it plays with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    DeltaMessage,
    Finish,
    Message,
    TextMessageContent,
    Usage,
)
from agenthost_sdk.testing.scenes.writing import TEXT_FORMS, Pairs

#: What a careful host makes of a scene. "runs": every action runs; what was damaged and can be
#: read whole is set right. "told": nothing runs, and the model is told what was wrong. "mixed":
#: the good actions run, the bad are answered by an error. "answers": the reply is the answer.
#: "fails": the run ends in the driver's error. "stopped": a limit ends the run.
Outcome = Literal["runs", "told", "mixed", "answers", "fails", "stopped"]

#: The dialects that a scene is written in.
TEXT_DIALECTS = tuple(TEXT_FORMS)
DIALECTS = ("native", *TEXT_DIALECTS)

#: The tokens that a reply reports.
USAGE = Usage(input_tokens=20, output_tokens=10)

#: A native name, and the arguments as text.
Written = tuple[str, str]


@dataclass(frozen=True)
class Part:
    """What a scene plays with: a right call, another one, and the words of the dialect.

    Args:
        native: The native name of the right call.
        input: Its input.
        other: Another right call, for scenes that need two; the same where there is no other.
        answer: The answer that the model knows in the end.
        dialect: In which the model speaks.
        schema: The JSON Schema of the input, as far as it is known.
        pairs: Tool and activity by native name, as far as they are known.
        turn: Which reply of the scene this is, from 0.
    """

    native: str
    input: Mapping[str, Any]
    other: tuple[str, Mapping[str, Any]]
    answer: str = "Done."
    dialect: str = "native"
    schema: Mapping[str, Any] = field(default_factory=dict)
    pairs: Pairs = field(default_factory=dict)
    turn: int = 0

    @property
    def arguments(self) -> str:
        """The right input as JSON text."""
        return written(self.input)

    @property
    def second(self) -> Written:
        """The other call, its arguments as text."""
        return self.other[0], written(self.other[1])

    def properties(self, *types: str) -> Iterator[str]:
        """Yield the names of the arguments that the schema gives one of these types alone."""
        for name, stated in self.schema.get("properties", {}).items():
            if isinstance(stated, Mapping) and stated.get("type") in types:
                yield name

    def changed(self, **values: Any) -> str:
        """Return the input with some values changed, as JSON text."""
        return written({**self.input, **values})

    def call(self, arguments: str | None = None, native: str | None = None) -> Message:
        """Return a reply with one call; the right one but for what is given."""
        asked = self.arguments if arguments is None else arguments
        return self.calls((self.native if native is None else native, asked))

    def calls(self, *asked: Written, ids: Sequence[str] = (), text: str = "") -> Message:
        """Return a reply with these calls, in the dialect."""
        if self.dialect != "native":
            return said(TEXT_FORMS[self.dialect].act(asked, self.pairs))
        names = ids or [f"call_{self.turn}_{place}" for place in range(len(asked))]
        blocks = (ActionCallMessageContent(id, *one) for id, one in zip(names, asked, strict=True))
        before = (TextMessageContent(text),) if text else ()
        return Message("assistant", (*before, *blocks), USAGE, "actions")

    def broken_off(self, arguments: str, finish: Finish = "length") -> Message:
        """Return the right call as it stands when the reply breaks off behind these arguments."""
        message = self.call(arguments)
        if self.dialect == "native":
            return replace(message, finish=finish)
        text = message.to_text()
        return said(text[: text.rindex(arguments) + len(arguments)], finish)

    def closing(self) -> Message:
        """Return the reply with the answer, in the dialect."""
        if self.dialect == "native":
            return said(self.answer)
        return said(TEXT_FORMS[self.dialect].answer(self.answer))


def said(text: str, finish: Finish = "stop") -> Message:
    """Return a reply of text."""
    return Message("assistant", (TextMessageContent(text),), USAGE, finish)


def written(value: Any) -> str:
    """Return a value as JSON text."""
    return json.dumps(value, ensure_ascii=False)


#: What a scene gives: a reply, or an error that the driver raises.
Play = Callable[[Part], Message | Exception]

#: How its reply comes in pieces, where that is what misbehaves. May raise on the way.
PlayStreamed = Callable[[Part], Iterator[DeltaMessage]]


@dataclass(frozen=True)
class Scene:
    """One way in which a model misbehaves.

    Args:
        name: Its name, as `MisbehavingDriver` takes it.
        description: What the model does, in one line.
        outcome: What a careful host makes of it.
        play: Makes the reply.
        streamed: Makes its pieces; a scene without comes in even pieces.
        dialects: In which of them it can be played.
        wants: Whether an activity suits the scene; the first on offer that does is called.
        lasts: Whether every reply misbehaves, not only the first.
    """

    name: str
    description: str
    outcome: Outcome
    play: Play
    streamed: PlayStreamed | None = None
    dialects: tuple[str, ...] = DIALECTS
    wants: Callable[[ToolSpec], bool] | None = None
    lasts: Literal["no", "while tools are offered", "always"] = "no"

    def suits(self, specs: Iterable[ToolSpec]) -> bool:
        """Return whether the scene can be played as it is meant with one of these activities."""
        return self.wants is None or any(map(self.wants, specs))
