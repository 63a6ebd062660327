"""Word a value that fits none of several alternatives, or too many of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from agenthost_sdk.schemas.findings import Finding
from agenthost_sdk.schemas.problems import pointer_to
from agenthost_sdk.schemas.showing import ARTICLES, joined, listed, shown, typed

_MOST_TOLD = 3

#: Keywords that say which keys an object has.
_OF_KEYS = ("required", "additionalProperties", "unevaluatedProperties")

Branch = Sequence[Finding]


def meant(found: Finding) -> Iterator[Finding]:
    """Yield the faults of the alternative that the value was clearly meant for, and so on below.

    Anything else, and where more than one alternative may be meant, is yielded as it is.
    """
    return _followed(found, _clearly_meant)


def none_fits(found: Finding, worded: Callable[[Finding], str]) -> str:
    """Return words for `anyOf` or `oneOf` where no alternative took the value."""
    branches = _branches(found)
    if not branches:
        return ""
    if _are_plain(branches, found):
        return _plain_words(branches, found)
    deepest = _followed(found, _nearest)
    told = dict.fromkeys(_placed(part, found, worded) for part in islice(deepest, _MOST_TOLD))
    faults = " ".join(told)
    if _clearly_meant(found):
        return faults
    return f"It fits none of the {len(branches)} forms that are allowed. The nearest: {faults}"


def too_many_fit(found: Finding) -> str:
    """Return words for `oneOf` where more than one alternative took the value."""
    return f"{shown(found.value)} fits more than one of the forms; exactly one must fit."


def _followed(found: Finding, inner: Callable[[Finding], Branch]) -> Iterator[Finding]:
    """Yield what remains when findings are replaced by what is inside them, to the last."""
    waiting = [found]
    while waiting:
        found = waiting.pop()
        parts = inner(found)
        waiting += reversed(parts)
        if not parts:
            yield found


def _clearly_meant(found: Finding) -> Branch:
    """Return the faults of the only alternative that can be meant; nothing where it is unclear."""
    branches = _branches(found)
    if not branches or _are_plain(branches, found):
        return ()
    if tag := _wrong_tag(branches, found):
        return (tag,)
    near = min(branches, key=lambda branch: _distance(branch, found))
    return near if len(branches) == 1 or _is_only_near(near, branches, found) else ()


def _nearest(found: Finding) -> Branch:
    """Return the faults of the nearest alternative; nothing where one sentence covers them all."""
    branches = _branches(found)
    if not branches or _are_plain(branches, found):
        return ()
    near = min(branches, key=lambda branch: _distance(branch, found))
    return _clearly_meant(found) or near


def _branches(found: Finding) -> list[Branch]:
    """Return what the alternatives found wrong; those that only hold others give way to them."""
    branches: list[Branch] = []
    for branch in filter(None, found.branches):
        inner = _branches(branch[0]) if len(branch) == 1 and branch[0].path == found.path else []
        branches += inner or [branch]
    return branches


def _are_plain(branches: Sequence[Branch], found: Finding) -> bool:
    return all(_is_plain(branch, found) for branch in branches)


def _is_plain(branch: Branch, found: Finding) -> bool:
    """Return whether the alternative asks for a type or for certain values, and no more."""
    first = branch[0]
    told = first.keyword in ("type", "enum", "const") and first.keyword in first.schema
    return told and first.path == found.path


def _plain_words(branches: Sequence[Branch], found: Finding) -> str:
    values = [value for branch in branches for value in _values(branch[0])]
    types = [name for branch in branches for name in _types(branch[0])]
    allowed = [ARTICLES.get(name, name) for name in dict.fromkeys(types)]
    allowed += [listed(values)] if values else []
    if types and not values:
        return f"{typed(found.value)}; {joined(allowed)} is needed."
    return f"{shown(found.value)} is not allowed; allowed: {joined(allowed)}."


def _values(first: Finding) -> list[object]:
    if first.keyword == "const":
        return [first.limit]
    return list(first.limit) if first.keyword == "enum" else []


def _types(first: Finding) -> list[str]:
    if first.keyword != "type":
        return []
    return first.limit if isinstance(first.limit, list) else [first.limit]


def _wrong_tag(branches: Sequence[Branch], found: Finding) -> Finding | None:
    """Return one fault for all, where each alternative asks for another value of the same key."""
    fitting = [branch for branch in branches if not _distance(branch, found)[0]]
    tags = [[part for part in branch if _is_tag(part, found)] for branch in fitting]
    firsts = [parts[0] for parts in tags if parts]
    if len(firsts) < max(len(fitting), 2) or len({first.path for first in firsts}) > 1:
        return None
    allowed = [value for first in firsts for value in _values(first)]
    return replace(firsts[0], keyword="enum", schema={"enum": allowed})


def _is_tag(part: Finding, found: Finding) -> bool:
    told = part.keyword in ("const", "enum") and part.keyword in part.schema
    return told and len(part.path) == len(found.path) + 1


def _distance(branch: Branch, found: Finding) -> tuple[bool, bool, int, bool]:
    """Return how far the value is from an alternative; the smallest is the one that was meant."""
    wrong_kind = any(part.path == found.path and part.keyword == "type" for part in branch)
    wrong_tag = any(_is_tag(part, found) for part in branch)
    wrong_keys = any(part.path == found.path and part.keyword in _OF_KEYS for part in branch)
    return wrong_kind, wrong_tag, len(branch), wrong_keys


def _is_only_near(near: Branch, branches: Sequence[Branch], found: Finding) -> bool:
    """Return whether the value's kind, tag or keys leave only one alternative."""
    kind, tag, _, keys = _distance(near, found)
    others = [_distance(branch, found) for branch in branches if branch is not near]
    by_tag = all(other[0] or other[1] for other in others)
    by_keys = not keys and all(other[0] or other[1] or other[3] for other in others)
    return not kind and not tag and (by_tag or by_keys)


def _placed(part: Finding, found: Finding, worded: Callable[[Finding], str]) -> str:
    below = pointer_to(part.path[len(found.path) :])
    return f"{below}: {worded(part)}" if below else worded(part)
