"""Say of a tool that is made of others what they say of themselves."""

from __future__ import annotations

from collections.abc import Iterable

from agenthost_sdk.actions import Annotations


def combined_annotations(parts: Iterable[Annotations]) -> Annotations:
    """Return what holds of activities together.

    They only read where each of them does, and destroy or reach beyond this machine where one
    does. What is not known of one of them is not known of all, unless another settles it.
    """
    known = list(parts)
    reads = all(one.read_only is True and not one.destructive for one in known)
    return Annotations(
        read_only=reads,
        destructive=False if reads else _any(one.destructive for one in known),
        idempotent=True if reads else None,  # two such steps need not be so in sequence
        open_world=_any(one.open_world for one in known),
    )


def _any(stated: Iterable[bool | None]) -> bool | None:
    values = list(stated)
    if True in values:
        return True
    return None if None in values else False
