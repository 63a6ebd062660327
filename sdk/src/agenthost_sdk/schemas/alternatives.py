"""Word a value that fits none of several alternatives, or too many of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agenthost_sdk.schemas.findings import Finding
from agenthost_sdk.schemas.problems import pointer_to
from agenthost_sdk.schemas.showing import ARTICLES, joined, listed, shown, typed

_MOST_TOLD = 3

Branch = Sequence[Finding]


def none_fits(found: Finding, worded: Callable[[Finding], str]) -> str:
    """Return words for `anyOf` or `oneOf` where no alternative took the value."""
    branches = [branch for branch in found.branches if branch]
    if not branches:
        return ""
    if all(_is_plain(branch, found) for branch in branches):
        return _plain_words(branches, found)
    near = min(branches, key=lambda branch: _distance(branch, found))
    if tags := _tag_words(branches, found):
        return tags
    told = dict.fromkeys(_placed(part, found, worded) for part in near)
    faults = " ".join([*told][:_MOST_TOLD])
    if len(branches) == 1 or _is_only_near(near, branches, found):
        return faults
    return f"It fits none of the {len(branches)} forms that are allowed. The nearest: {faults}"


def too_many_fit(found: Finding) -> str:
    """Return words for `oneOf` where more than one alternative took the value."""
    return f"{shown(found.value)} fits more than one of the forms; exactly one must fit."


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


def _tag_words(branches: Sequence[Branch], found: Finding) -> str:
    """Return words where every alternative asks for another value of the same key."""
    fitting = [branch for branch in branches if not _distance(branch, found)[0]]
    tags = [[part for part in branch if _is_tag(part, found)] for branch in fitting]
    firsts = [parts[0] for parts in tags if parts]
    if len(firsts) < max(len(fitting), 2) or len({first.path for first in firsts}) > 1:
        return ""
    allowed = listed([value for first in firsts for value in _values(first)])
    below = pointer_to(firsts[0].path[len(found.path) :])
    return f"{below}: {shown(firsts[0].value)} is not allowed; allowed: {allowed}."


def _is_tag(part: Finding, found: Finding) -> bool:
    told = part.keyword in ("const", "enum") and part.keyword in part.schema
    return told and len(part.path) == len(found.path) + 1


def _distance(branch: Branch, found: Finding) -> tuple[bool, bool, int]:
    """Return how far the value is from an alternative; the smallest is the one that was meant."""
    wrong_kind = any(part.path == found.path and part.keyword == "type" for part in branch)
    wrong_tag = any(_is_tag(part, found) for part in branch)
    return wrong_kind, wrong_tag, len(branch)


def _is_only_near(near: Branch, branches: Sequence[Branch], found: Finding) -> bool:
    """Return whether the value's kind or tag leaves only one alternative."""
    kind, tag, _ = _distance(near, found)
    others = [branch for branch in branches if branch is not near]
    return not kind and not tag and all(any(_distance(other, found)[:2]) for other in others)


def _placed(part: Finding, found: Finding, worded: Callable[[Finding], str]) -> str:
    below = pointer_to(part.path[len(found.path) :])
    return f"{below}: {worded(part)}" if below else worded(part)
