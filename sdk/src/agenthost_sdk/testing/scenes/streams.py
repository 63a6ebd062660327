"""Scenes of streams whose pieces are odd: two calls, unless the stream is lost."""

from __future__ import annotations

from collections.abc import Iterator

from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import ActionCallDeltaMessageContent as Piece
from agenthost_sdk.messages import DeltaMessage, Message
from agenthost_sdk.testing.scenes.scene import USAGE, Part, PlayStreamed, Scene, Written

#: The index of a call's pieces, its id, its name, its arguments.
_Row = tuple[int | None, str, str, str]


def _two(part: Part) -> tuple[Written, Written]:
    return (part.native, part.arguments), part.second


def _both(part: Part) -> Message:
    return part.calls(*_two(part), ids=("call_a", "call_b"))


def _good(part: Part) -> list[_Row]:
    (one, first), (other, second) = _two(part)
    return [
        (0, "call_a", one, ""),
        *((0, "", "", piece) for piece in _halves(first)),
        (1, "call_b", other, ""),
        *((1, "", "", piece) for piece in _halves(second)),
    ]


def _id_each(part: Part) -> list[_Row]:
    ids = {0: "call_a", 1: "call_b"}
    return [(index, ids[index or 0], name, text) for index, _, name, text in _good(part)]


def _late_id(part: Part) -> list[_Row]:
    (one, first), (other, second) = _two(part)
    return [
        *((0, "", name, piece) for name, piece in zip((one, ""), _halves(first), strict=True)),
        (0, "call_a", "", ""),
        *((1, "", "", piece) for piece in _halves(second)),
        (1, "call_b", other, ""),
    ]


def _no_id(part: Part) -> list[_Row]:
    return [(0, "", name, text) for _, _, name, text in _good(part)]


def _interleaved(part: Part) -> list[_Row]:
    rows = _good(part)
    return [rows[place] for place in (0, 3, 1, 4, 2, 5)]


def _name_twice(part: Part) -> list[_Row]:
    names = part.native, part.second[0]
    return [(index, id, names[index or 0], text) for index, id, _, text in _good(part)]


def _null_index(part: Part) -> list[_Row]:
    return [(None, *row[1:]) for row in _good(part)]


def _same_index(part: Part) -> list[_Row]:
    return [(0, *row[1:]) for row in _good(part)]


def _whole_call(part: Part) -> list[_Row]:
    (one, first), (other, second) = _two(part)
    return [(0, "call_a", one, first), (1, "call_b", other, second)]


def _halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


def _pieces(rows: list[_Row]) -> Iterator[DeltaMessage]:
    for row in rows:
        yield DeltaMessage(Piece(*row))


def _stream(rows: list[_Row]) -> Iterator[DeltaMessage]:
    yield from _pieces(rows)
    yield DeltaMessage(finish="actions")
    yield DeltaMessage(usage=USAGE)


def _empty_choices(part: Part) -> Iterator[DeltaMessage]:
    yield DeltaMessage()
    yield from _stream(_good(part))
    yield DeltaMessage()


def _no_done(part: Part) -> Iterator[DeltaMessage]:
    yield from _pieces(_good(part))
    yield DeltaMessage(finish="actions")


def _cut(part: Part) -> Iterator[DeltaMessage]:
    yield from _pieces([(0, "call_a", part.native, _halves(part.arguments)[0])])


def _error_event(part: Part) -> Iterator[DeltaMessage]:
    yield from _cut(part)
    raise _lost(part)


def _lost(_: Part) -> DriverError:
    return DriverError("The server is overloaded.", provider="misbehaving", model="misbehaving-1")


def _two_calls(name: str, description: str, streamed: PlayStreamed) -> Scene:
    return Scene(name, description, "runs", _both, streamed, ("native",))


SCENES = (
    _two_calls("s_good", "Two calls, streamed as they should be.", lambda p: _stream(_good(p))),
    _two_calls("s_empty_choices", "Pieces with nothing in them.", _empty_choices),
    _two_calls("s_no_done", "The stream stops behind its end, without tokens.", _no_done),
    _two_calls("s_id_each", "The id comes in each piece.", lambda p: _stream(_id_each(p))),
    _two_calls("s_late_id", "The ids come last, a name too.", lambda p: _stream(_late_id(p))),
    _two_calls("s_no_id", "One index, and never an id.", lambda p: _stream(_no_id(p))),
    _two_calls(
        "s_interleaved", "The calls' pieces alternate.", lambda p: _stream(_interleaved(p))
    ),
    _two_calls("s_name_twice", "The name comes in each piece.", lambda p: _stream(_name_twice(p))),
    _two_calls("s_null_index", "No piece has an index.", lambda p: _stream(_null_index(p))),
    _two_calls("s_same_index", "Both calls have index 0.", lambda p: _stream(_same_index(p))),
    _two_calls("s_whole_call", "Each call comes in one piece.", lambda p: _stream(_whole_call(p))),
    Scene(
        "s_cut",
        "The stream ends within the arguments, without a word.",
        "told",
        lambda part: part.broken_off(_halves(part.arguments)[0], "incomplete"),
        _cut,
        ("native",),
    ),
    Scene(
        "s_error_event",
        "The provider fails in the middle of the stream.",
        "fails",
        _lost,
        _error_event,
        ("native",),
    ),
)
