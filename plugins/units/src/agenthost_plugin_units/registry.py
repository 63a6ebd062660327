"""Open the registry of units when it is first used, since that takes half a second."""

from __future__ import annotations

import functools
import threading
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pint import UnitRegistry

#: What the registry has otherwise: its acre is of the retired survey feet, and its rpm an angle.
DEFINITIONS = ("acre = 43560 * foot ** 2", "rotation_per_minute = 1 / minute")

_OPENING = threading.Lock()


def registry() -> UnitRegistry[Any]:
    """Return the registry; it calculates in fractions, so that nothing is rounded on the way."""
    with _OPENING:
        return _open()


@functools.cache
def _open() -> UnitRegistry[Any]:
    from pint import UnitRegistry  # importing it takes longer than all else here

    opened: UnitRegistry[Any] = UnitRegistry(non_int_type=Fraction, on_redefinition="ignore")
    for definition in DEFINITIONS:
        opened.define(definition)
    return opened
