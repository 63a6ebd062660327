"""The pieces of a streamed reply's blocks, and which call each piece of a call belongs to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class TextDeltaMessageContent:
    """A piece of the text block at `index`."""

    text: str
    index: int = 0


@dataclass(frozen=True)
class ActionCallDeltaMessageContent:
    """A piece of the call at `index`; id and name may come once, late or again.

    A driver passes on what its provider sends: None where there is no index, and one index for
    several calls where the provider errs. `StreamedCalls` tells the calls apart.
    """

    index: int | None = None
    id: str = ""
    native: str = ""
    arguments: str = ""
    #: Further fields of the call that its provider wants back, unchanged.
    extra: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ReasoningDeltaMessageContent:
    """A piece of the thoughts at `index`.

    `value`, in any of them, is the provider's own form of the whole block, to be sent back.
    """

    text: str = ""
    index: int = 0
    value: Any = None
    provider: str = ""


@dataclass(frozen=True)
class GenericDeltaMessageContent:
    """A whole block that only one provider knows, at `index`."""

    value: Any
    index: int = 0
    provider: str = ""


@dataclass(frozen=True)
class AudioDeltaMessageContent:
    """A piece of the sound at `index`, as bytes; the format may be stated in any of them."""

    data: bytes
    index: int = 0
    format: str = ""


@dataclass(frozen=True)
class WholeDeltaMessageContent:
    """A whole block at `index`, of a kind that does not come in pieces, such as a picture."""

    block: Any
    index: int = 0


DeltaContent = (
    TextDeltaMessageContent
    | ReasoningDeltaMessageContent
    | ActionCallDeltaMessageContent
    | GenericDeltaMessageContent
    | AudioDeltaMessageContent
    | WholeDeltaMessageContent
)


@dataclass(frozen=True)
class Placed:
    """Where a piece belongs: the number of its call, and the id and name that it brings there."""

    number: int
    id: str
    native: str
    #: Whether its arguments are all that the call had already.
    is_again: bool = False


class StreamedCalls:
    """The calls of one streamed reply, kept apart whatever its provider makes of the indices.

    Providers give parallel calls one index, or none; they send id and name once, late, in every
    piece, or never. A piece belongs to the call at its index, and among several there to the one
    with its id; a piece without an index to the call with its id, else to the call before it. It
    begins another call where it bears another id or another name, or where it bears an id or a
    name again and what has come of the arguments is a whole object.

    Some change the id or the index in the middle of a call: a piece without a name goes on with
    the call whose arguments are not whole yet. Others send a whole call twice; what is said again
    is left out.

    Args:
        offered: The names that may be called. A name that comes in pieces ("Stock", "_count") is
            joined where its beginning is that of one of these, or where the id says that the
            pieces are of one call.
    """

    def __init__(self, offered: Iterable[str] = ()) -> None:
        self._offered = frozenset(offered)
        self._count = 0
        self._last: _Call | None = None
        self._at: dict[int, _Call] = {}  # an index -> the call there that had a piece last
        self._called: dict[tuple[int | None, str], _Call] = {}  # index and id, or the id alone

    def place(self, index: int | None, id: str, native: str, arguments: str) -> Placed:
        """Return where the next piece belongs."""
        if not id and not native and arguments[:1] != "{":  # as nearly all pieces are
            call = self._last if index is None else self._at.get(index)
            if call is not None and not call.announced[1]:
                call.add_arguments(arguments)
                self._last = call
                return call.further
        call = self._candidate(index, id, native)
        if call is not None and call.is_said_again(id, native, arguments):
            return Placed(call.number, "", "", is_again=True)
        if call is not None and native:
            native = call.grown(id, native, self._offered) or native
        if call is None or call.is_over_before(id, native, arguments):
            if call is not None and call.announced[1] and not native:
                id, native = id or call.announced[0], call.announced[1]
            call = _Call(self._count)
            self._count += 1
        self._remember(call, index, id)
        id = call.first(id)
        call.add(id, native, arguments)
        return Placed(call.number, id, native)

    def _candidate(self, index: int | None, id: str, native: str) -> _Call | None:
        if index is None:
            return self._called.get((None, id), self._last)
        if index in self._at:
            return self._called.get((index, id), self._at[index])
        if native:
            return None
        if id:
            return self._called.get((None, id))
        return self._last if self._last is not None and self._last.goes_on() else None

    def _remember(self, call: _Call, index: int | None, id: str) -> None:
        self._last = call
        if id:
            self._called[None, id] = self._called[index, id] = call
        if index is not None:
            self._at[index] = call
            call.has_index = True


class _Call:
    """What has come of one call."""

    def __init__(self, number: int) -> None:
        self.number = number
        #: Where a piece without id and name belongs.
        self.further = Placed(number, "", "")
        self.has_index = False
        #: Id and name of a piece that begins another call, if arguments follow it.
        self.announced = "", ""
        self._id = ""
        self._native = ""
        self._arguments = _Arguments()

    def first(self, id: str) -> str:
        """Return the id where it is the first of this call, or that again; "" for a later one."""
        return "" if self._id and id != self._id else id

    def goes_on(self) -> bool:
        """Return whether a piece that says nothing of its call may be of this one."""
        return not self.has_index or not self._arguments.are_whole()

    def is_said_again(self, id: str, native: str, arguments: str) -> bool:
        """Return whether a piece holds all of this call once more."""
        is_same = id == self._id and native in ("", self._native) if id else not native
        return is_same and self._arguments.are(arguments)

    def add(self, id: str, native: str, arguments: str) -> None:
        self._id = id or self._id
        self._native = native or self._native
        self._arguments.add(arguments)

    def add_arguments(self, arguments: str) -> None:
        self._arguments.add(arguments)

    def grown(self, id: str, piece: str, offered: Collection[str]) -> str:
        """Return the name with its next piece; "" where that is a name by itself."""
        name = self._native + piece
        is_another = bool(id and self._id and id != self._id)
        if not self._native or piece in offered or is_another or self._arguments.are_whole():
            return ""
        if any(one.startswith(name) for one in offered):
            return name
        return name if self._id and not piece.startswith(self._native) else ""

    def is_over_before(self, id: str, native: str, arguments: str) -> bool:
        """Return whether a piece with this id and name begins another call."""
        if not id and not native and not self.announced[1]:
            return False
        if id and self._id and id != self._id:
            return not self._goes_on_under_another_id(native, arguments)
        if native and self._native and native != self._native:
            return self._is_over_before_name(id, native)
        return self._arguments.are_whole() and self._is_over_when_whole(id, native, arguments)

    def _goes_on_under_another_id(self, native: str, arguments: str) -> bool:
        is_piece = bool(self._native and arguments and not native)
        return is_piece and not self._arguments.are_whole()

    def _is_over_before_name(self, id: str, native: str) -> bool:
        """Return whether another name begins another call: not where the id says it does not.

        A name may also grow with each piece, and a call with an id be named twice, before its
        arguments begin.
        """
        if id and self._id:
            return False
        if native.startswith(self._native):
            return self._arguments.are_whole()
        return bool(self._arguments) or not self._id

    def _is_over_when_whole(self, id: str, native: str, arguments: str) -> bool:
        """Return whether this whole call is over, since some providers repeat the name at its end.

        A name alone tells nothing yet; it is kept until arguments follow it, or none do.
        """
        if arguments.lstrip().startswith("{"):
            return bool(id or native or self.announced[1])
        if native and self._native:
            if id and not self._id:
                return True
            self.announced = id, native
        return False


#: A sign that an opening, an end or a text in JSON is told by; an escaped one is none.
_SIGNS = re.compile(r'\\.|["{}\[\]]', re.DOTALL)


class _Arguments:
    """The arguments of a call; each character is looked at once at most, and only on demand."""

    def __init__(self) -> None:
        self._all: list[str] = []
        self._pieces: list[str] = []  # those that were not looked at yet
        self._is_object: bool | None = None
        self._depth = 0
        self._is_in_text = False

    def __bool__(self) -> bool:
        return self._is_object is not None

    def add(self, piece: str) -> None:
        if self._is_object is None and piece.strip():
            self._is_object = piece.lstrip().startswith("{")
        if piece:
            self._all.append(piece)
            self._pieces.append(piece)

    def are_whole(self) -> bool:
        """Return whether an object has begun and ended."""
        if not self._is_object:
            return False
        self._look_at("".join(self._pieces))
        return self._depth == 0 and not self._is_in_text

    def are(self, text: str) -> bool:
        """Return whether they are whole, and a text is they."""
        is_object = text.lstrip().startswith("{")
        return is_object and self.are_whole() and text.strip() == "".join(self._all).strip()

    def _look_at(self, text: str) -> None:
        end = 0
        for sign in _SIGNS.finditer(text):
            end = sign.end()
            if sign[0] == '"':
                self._is_in_text = not self._is_in_text
            elif not self._is_in_text:
                self._depth += (sign[0] in ("{", "[")) - (sign[0] in ("}", "]"))
        is_escape_cut = end < len(text) and text.endswith("\\")
        self._pieces = ["\\"] if is_escape_cut else []
