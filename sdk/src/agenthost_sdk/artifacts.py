"""The values that pass between tools, models and people."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, MappingView, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import Any

#: What the model reads when an activity returned nothing.
NOTHING = "The tool returned nothing."

#: How many values of a generator are kept; the rest is never drawn.
GENERATOR_LIMIT = 1_000

#: JSON as a model reads it; one encoder serves all.
_encode = json.JSONEncoder(ensure_ascii=False, default=str).encode

#: Above this, Python refuses to write an integer as text (`sys.set_int_max_str_digits`).
_MOST_BITS = 14_000


@dataclass(frozen=True)
class BaseArtifact:
    """A value with a name and notes; `to_text()` is what a model reads of it."""

    value: Any
    name: str = field(default="", kw_only=True)
    meta: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    @property
    def type(self) -> str:
        """The artifact's kind in one word, such as "text"."""
        return type(self).__name__.removesuffix("Artifact").lower()

    def to_text(self) -> str:
        """Return the value in words that a model can read and that UTF-8 can carry."""
        return _words(self.value)

    def to_json(self) -> Any:
        """Return the value as JSON has it, for output and records."""
        return self.to_text()

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class TextArtifact(BaseArtifact):
    """Text."""

    value: str


@dataclass(frozen=True)
class InfoArtifact(BaseArtifact):
    """A note about what happened, as opposed to a result."""

    value: str


@dataclass(frozen=True)
class ErrorArtifact(BaseArtifact):
    """Something went wrong; the value says it in words that the model can act on.

    `code` is a stable word for programs, such as "invalid-input" or "denied".
    """

    value: str
    code: str = field(default="error", kw_only=True)
    exception: BaseException | None = field(default=None, kw_only=True, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy in another process needs; an exception that breaks there stays."""
        return {**vars(self), "exception": self.exception if _travels(self.exception) else None}


@dataclass(frozen=True)
class BooleanArtifact(BaseArtifact):
    """True or false."""

    value: bool

    def to_text(self) -> str:
        """Return "true" or "false"."""
        return "true" if self.value else "false"

    def to_json(self) -> bool:
        """Return the value."""
        return self.value


@dataclass(frozen=True)
class JsonArtifact(BaseArtifact):
    """A value that JSON has a word for: object, array, number, string, true, false, null."""

    def to_text(self) -> str:
        """Return the value as JSON; a string stands without quotes."""
        if isinstance(self.value, str):
            return _words(self.value)
        try:
            text = _encode(self.value)
            return text if text.isascii() else _words(text)
        except (TypeError, ValueError, RecursionError):  # the author filled it with something else
            return _words(self.value)

    def to_json(self) -> Any:
        """Return the value."""
        return self.value


@dataclass(frozen=True)
class ModelArtifact(BaseArtifact):
    """A pydantic model or a dataclass."""

    def to_text(self) -> str:
        """Return the model as JSON."""
        if self._is_plain():
            return _from_json(self.value).to_text()
        try:
            return _words(self.value.model_dump_json(fallback=str))
        except Exception:  # the model's own code runs here
            return _words(self.value)

    def to_json(self) -> Any:
        """Return the model as a JSON object."""
        if self._is_plain():
            return _from_json(self.value).to_json()
        try:
            return self.value.model_dump(mode="json", fallback=str)
        except Exception:  # as above
            return self.to_text()

    def _is_plain(self) -> bool:
        return dataclasses.is_dataclass(self.value) and not hasattr(self.value, "model_dump")


@dataclass(frozen=True)
class GenericArtifact(BaseArtifact):
    """A value that passes through untouched, such as a block that only one provider knows."""


@dataclass(frozen=True)
class ListArtifact(BaseArtifact):
    """Several artifacts in order."""

    value: Sequence[BaseArtifact]

    def to_text(self) -> str:
        """Return the texts of the items, a blank line between them."""
        return "\n\n".join(to_artifact(item).to_text() for item in self.value)

    def to_json(self) -> list[Any]:
        """Return the items as JSON has them."""
        return [to_artifact(item).to_json() for item in self.value]


@dataclass(frozen=True)
class BlobArtifact(BaseArtifact):
    """Bytes of no stated kind."""

    value: bytes

    def to_text(self) -> str:
        """Return the bytes as UTF-8 where they are, else their number."""
        try:
            return str(self.value, "utf-8")
        except UnicodeDecodeError:
            return f"{len(self.value)} bytes"
        except TypeError:  # the author filled it with something else
            return _words(self.value)


@dataclass(frozen=True)
class ImageArtifact(BaseArtifact):
    """A picture; `format` is its media subtype, such as "png"."""

    value: bytes
    format: str = field(default="png", kw_only=True)

    def to_text(self) -> str:
        """Return the picture's format and size."""
        return f"image, format {self.format}, {len(self.value)} bytes"


@dataclass(frozen=True)
class ImageUrlArtifact(BaseArtifact):
    """A picture by its address."""

    value: str


@dataclass(frozen=True)
class AudioArtifact(BaseArtifact):
    """Sound; `format` is its media subtype, such as "wav"."""

    value: bytes
    format: str = field(default="wav", kw_only=True)

    def to_text(self) -> str:
        """Return the sound's format and size."""
        return f"audio, format {self.format}, {len(self.value)} bytes"


@dataclass(frozen=True)
class DocumentArtifact(BaseArtifact):
    """A document that a model can read; `format` is its media subtype: "pdf", or "plain" for text.

    `name` is the file's name, where it has one.
    """

    value: bytes
    format: str = field(default="pdf", kw_only=True)

    def to_text(self) -> str:
        """Return a text as it is, else the document's name, format and size."""
        if self.format == "plain":
            return BlobArtifact(self.value).to_text()
        named = f"document {self.name!r}" if self.name else "document"
        return f"{named}, format {self.format}, {len(self.value)} bytes"


def to_artifact(value: Any) -> BaseArtifact:
    """Return the artifact that fits what an activity returned or an application passed.

    A text becomes a `TextArtifact`, true and false a `BooleanArtifact`, bytes a `BlobArtifact`,
    an exception an `ErrorArtifact`, a pydantic model a `ModelArtifact`, nothing an
    `InfoArtifact`, a list of artifacts a `ListArtifact`, an enum's member what its value
    becomes; what JSON has a word for (dataclasses, dates, decimals, sets and the first values of
    an iterator included) a `JsonArtifact`; all else a `GenericArtifact`.
    """
    if isinstance(value, BaseArtifact):
        return value
    for kind, make in _MAKERS:
        if isinstance(value, kind):
            return make(value)
    return _from_other(value)


def _travels(error: BaseException | None) -> bool:
    """Return whether an exception can be pickled and read back; a pool dies of one that cannot."""
    import pickle  # only what goes to another process needs it

    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - we have just written it
    except Exception:  # whatever its author's code raises
        return False
    return True


def error_text(error: BaseException) -> str:
    """Return an exception in words that stand alone: its kind, and what it says, less the keys."""
    from agenthost_sdk.redaction import without_keys  # only a failure needs its expressions

    if isinstance(error, BaseExceptionGroup):
        return "; ".join(map(error_text, error.exceptions))
    said = without_keys(_words(error))
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def shown_error(error: BaseException) -> str:
    """Return an exception in words for a model: without secrets, and not too long.

    What it was raised from, its notes and its traceback are not among them.
    """
    from agenthost_sdk.redaction import for_model  # only a failure needs its expressions

    return for_model(error_text(error))


def _from_integer(value: int) -> BaseArtifact:
    return JsonArtifact(value) if value.bit_length() < _MOST_BITS else GenericArtifact(value)


def _from_number(value: float) -> BaseArtifact:
    return JsonArtifact(value) if math.isfinite(value) else TextArtifact(str(value))


def _from_sequence(values: Sequence[Any]) -> BaseArtifact:
    if values and any(isinstance(value, BaseArtifact) for value in values):
        return ListArtifact([to_artifact(value) for value in values])
    return _from_json(values)


def _from_json(value: Any) -> BaseArtifact:
    try:
        bare = _bared(value)
        made = _jsonable(bare, fallback=_told)
        if not isinstance(made, GenericArtifact):
            return made
        return _jsonable(_spelled(bare), fallback=_told)
    except RecursionError:
        return GenericArtifact(value)


def _bared(value: Any) -> Any:
    """Return a value with the artifacts in it as JSON has them."""
    if isinstance(value, BaseArtifact):
        return value.to_json()
    if type(value) is dict:
        return {key: part if type(part) in _BARE else _bared(part) for key, part in value.items()}
    if type(value) in (list, tuple):
        return [part if type(part) in _BARE else _bared(part) for part in value]
    return value


#: What holds no artifact; a call for each of many numbers would cost.
_BARE = frozenset((str, int, float, bool, type(None)))


def _spelled(value: Any) -> Any:
    """Return a value without what breaks JSON: odd bytes, half characters, endless numbers."""
    if isinstance(value, str):
        return _words(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return BlobArtifact(bytes(value)).to_text()
    if isinstance(value, int) and value.bit_length() >= _MOST_BITS:
        return _words(value)
    if isinstance(value, Mapping):
        return {_spelled(key): _spelled(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_spelled(part) for part in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: _spelled(getattr(value, one.name)) for one in dataclasses.fields(value)}
    return value


def _told(value: Any) -> Any:
    """Return what stands in JSON for a part that JSON has no word for."""
    if isinstance(value, range):
        return list(value[:GENERATOR_LIMIT])
    if isinstance(value, MappingView) and isinstance(value, Iterable):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else str(value)


def _from_other(value: Any) -> BaseArtifact:
    if isinstance(value, type):
        return GenericArtifact(value)
    if callable(getattr(value, "model_dump_json", None)):
        return ModelArtifact(value)
    if dataclasses.is_dataclass(value):
        return _from_json(value)
    return _jsonable(value, fallback=None)


def _jsonable(value: Any, fallback: Callable[[Any], Any] | None) -> BaseArtifact:
    import pydantic_core  # only what is not plain text needs it

    try:
        written = pydantic_core.to_json(value, inf_nan_mode="strings", fallback=fallback)
        return JsonArtifact(pydantic_core.from_json(written))
    except ValueError:  # pydantic's own errors are of this kind too
        return GenericArtifact(value)


_MAKERS: tuple[tuple[type | tuple[type, ...], Callable[[Any], BaseArtifact]], ...] = (
    (Enum, lambda member: to_artifact(member.value)),
    (str, TextArtifact),
    (type(None), lambda _: InfoArtifact(NOTHING)),
    (bool, BooleanArtifact),
    (int, _from_integer),
    (float, _from_number),
    ((bytes, bytearray, memoryview), lambda value: BlobArtifact(bytes(value))),
    (BaseException, lambda error: ErrorArtifact(shown_error(error), exception=error)),
    ((list, tuple), _from_sequence),
    ((dict, set, frozenset), _from_json),
    (Mapping, lambda value: _from_json(dict(value))),
    ((MappingView, range), lambda values: _from_sequence(_told(values))),
    (Iterator, lambda values: _from_sequence(list(islice(values, GENERATOR_LIMIT)))),
)


def _words(value: Any) -> str:
    try:
        text = str(value)
    except Exception:  # a foreign __str__ may raise anything
        return f"A value of type {type(value).__name__} that cannot be written as text."
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode()
