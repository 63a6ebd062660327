"""Make jsonschema try alternatives only when a message needs them, and each value once.

By itself it tells of each alternative all that is wrong below it, even to say only whether a
value is valid: that grows with a power of the value's depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

from jsonschema.exceptions import ValidationError

from agenthost_sdk.schemas.findings import JsonSchema
from agenthost_sdk.schemas.tries import MOST_FAULTS

#: Whether a part of a value fits an alternative, by the ids of both.
Known: TypeAlias = dict[tuple[int, int], bool]

#: What is known of the value that is being checked.
_known: ContextVar[Known] = ContextVar("known")

#: Finds what one alternative has against a part of the value.
Trial = Callable[[], list[ValidationError]]


class NoneFitsError(ValidationError):
    """A part of the value fits no alternative; what each has against it can be asked."""

    def __init__(self, trials: list[Trial]) -> None:
        super().__init__("It fits none of the forms that are allowed.")
        self.trials = trials


@contextmanager
def remembering(known: Known | None = None) -> Iterator[None]:
    """Keep within the block what fits which alternative; the value must not change in it."""
    token = _known.set({} if known is None else known)
    try:
        yield
    finally:
        _known.reset(token)


def any_of(
    validator: Any, ways: list[Any], value: Any, _schema: JsonSchema
) -> Iterator[ValidationError]:
    """Yield an error where no alternative fits."""
    for way in ways:  # no generator: each level of a value costs frames enough
        if _fits(validator, way, value):
            return
    yield _none_fits(validator, ways, value)


def one_of(
    validator: Any, ways: list[Any], value: Any, _schema: JsonSchema
) -> Iterator[ValidationError]:
    """Yield an error where no alternative fits, or more than one."""
    fitting = 0
    for way in ways:
        fitting += _fits(validator, way, value)
    if not fitting:
        yield _none_fits(validator, ways, value)
    elif fitting > 1:
        yield ValidationError("It fits more than one of the forms; exactly one must fit.")


def _fits(validator: Any, way: Any, value: Any) -> bool:
    known, key = _known.get(), (id(way), id(value))
    if key not in known:
        known[key] = next(validator.descend(value, way), None) is None
    return known[key]


def _none_fits(validator: Any, ways: list[Any], value: Any) -> NoneFitsError:
    known = _known.get()
    return NoneFitsError([partial(_errors, validator, way, value, known) for way in ways])


def _errors(validator: Any, way: Any, value: Any, known: Known) -> list[ValidationError]:
    with remembering(known):
        return list(islice(validator.descend(value, way), MOST_FAULTS))
