"""Word what a validator found, so that a model or a person can mend it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from agenthost_sdk.errors import nearest
from agenthost_sdk.schemas.alternatives import none_fits, too_many_fit
from agenthost_sdk.schemas.findings import Finding
from agenthost_sdk.schemas.showing import (
    ARTICLES,
    counted,
    is_json_text,
    joined,
    listed,
    shown,
    typed,
)

#: How a value of a format looks; formats that are not here are only named.
_FORMAT_EXAMPLES = {
    "date-time": "2026-03-01T09:30:00Z",
    "date": "2026-03-01",
    "time": "09:30:00Z",
    "duration": "PT1H30M",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "email": "ada@example.org",
    "uri": "https://example.org/page",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "hostname": "www.example.org",
}


def worded(found: Finding) -> str:
    """Return a sentence: what was found, what is allowed."""
    word = _WORDS.get(found.keyword)
    sentence = word(found) if word is not None and found.keyword in found.schema else ""
    if not sentence:
        sentence = found.words if found.words.endswith(".") else f"{found.words}."
    return f"A key is wrong: {sentence}" if found.is_key else sentence


def _type(found: Finding) -> str:
    wanted: list[str] = found.limit if isinstance(found.limit, list) else [found.limit]
    needed = f"{joined(ARTICLES.get(name, name) for name in wanted)} is needed"
    if isinstance(found.value, float) and wanted == ["integer"]:
        return f"{shown(found.value)} has a fraction; {needed}."
    as_text = is_json_text(found.value) and {"object", "array"} & set(wanted)
    return f"{typed(found.value)}; {needed}{', not a text that holds one' if as_text else ''}."


def _enum(found: Finding) -> str:
    meant = _meant(found.value, found.limit)
    return f"{shown(found.value)} is not allowed{meant}; allowed: {listed(found.limit)}."


def _meant(value: Any, known: Iterable[Any]) -> str:
    names = [name for name in known if isinstance(name, str)]
    near = nearest(value, names, 1) if isinstance(value, str) else []
    return f" (did you mean {shown(near[0])}?)" if near else ""


def _const(found: Finding) -> str:
    return f"{shown(found.value)} is not allowed; allowed: {shown(found.limit)}."


def _required(found: Finding) -> str:
    missing = [name for name in found.limit if name not in found.value]
    extra = list(_unnamed_keys(found))
    renamed = [(near[0], name) for name in missing if (near := nearest(name, extra, 1))]
    hints = "".join(f"; rename {shown(old)} to {shown(new)}" for old, new in renamed)
    return f"{_named(missing, 'is missing', 'are missing')}{hints}." if missing else ""


def _named(names: Iterable[str], one: str, many: str) -> str:
    texts = [shown(name) for name in names]
    return f"{joined(texts, 'and')} {one if len(texts) == 1 else many}"


def _additional(found: Finding) -> str:
    extra = list(_unnamed_keys(found))
    known = list(found.schema.get("properties") or ())
    meant = next((hint for name in extra if (hint := _meant(name, known))), "")
    allowed = [listed(known)] if known else []
    allowed += [
        f"keys that match {pattern}" for pattern in found.schema.get("patternProperties", ())
    ]
    words = f"allowed: {joined(allowed)}" if allowed else "no key is allowed"
    return f"{_named(extra, 'is no key', 'are no keys')} here{meant}; {words}." if extra else ""


def _unnamed_keys(found: Finding) -> Iterator[str]:
    """Yield the keys of the value that the schema object does not name."""
    patterns = found.schema.get("patternProperties") or ()
    for name in found.value:
        named = name in (found.schema.get("properties") or ())
        if not named and not any(_matches(pattern, name) for pattern in patterns):
            yield name


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:  # legal where the schema comes from, and only a message is at stake
        return False


def _dependent(found: Finding) -> str:
    needs = [
        (name, missing)
        for name, others in found.limit.items()
        if name in found.value and isinstance(others, list)
        for missing in [[other for other in others if other not in found.value]]
        if missing
    ]
    return "; ".join(
        f"{shown(name)} needs {joined(map(shown, missing), 'and')} beside it"
        for name, missing in needs
    ) + ("." if needs else "")


def _format(found: Finding) -> str:
    example = _FORMAT_EXAMPLES.get(found.limit)
    like = f"; write it like {shown(example)}" if example else ""
    return f"{shown(found.value)} is no {found.limit}{like}."


def _pattern(found: Finding) -> str:
    return f"{shown(found.value)} does not match the pattern {found.limit}."


def _unique(found: Finding) -> str:
    texts = [shown(item) for item in found.value]
    twice = next((text for text in texts if texts.count(text) > 1), None)
    seen = f"{twice} stands there more than once; each" if twice else "Each"
    return f"{seen} item must differ from the others."


def _not(found: Finding) -> str:
    ruled_out = f"it fits {shown(found.limit)}, which is ruled out"
    return f"{shown(found.value)} is not allowed here: {ruled_out}."


def _contains(found: Finding) -> str:
    wanted = shown(found.schema.get("contains"))
    least, most = found.schema.get("minContains", 1), found.schema.get("maxContains")
    if found.keyword == "maxContains":
        return f"At most {counted(most, 'item')} may fit {wanted}; there are more."
    return f"At least {counted(least, 'item')} must fit {wanted}; there are fewer."


def _forbidden(found: Finding) -> str:
    return f"{shown(found.value)} is not allowed here." if found.limit is False else ""


def _closed_array(found: Finding) -> str:
    prefix = found.schema.get("prefixItems") or found.schema.get("items")
    most = len(prefix) if isinstance(prefix, list) else 0
    return f"It has {counted(len(found.value), 'item')}; at most {most} can be there."


def _one_of(found: Finding) -> str:
    return none_fits(found, worded) if found.tried is not None else too_many_fit(found)


def _bound(words: str) -> Callable[[Finding], str]:
    def bounded(found: Finding) -> str:
        limit = found.limit
        if limit is True:  # in draft 4 it only says how the bound beside it is meant
            limit = found.schema.get(found.keyword.removeprefix("exclusive").lower())
        return f"{shown(found.value)} is {words.format(shown(limit))}."

    return bounded


def _size(noun: str, least: bool) -> Callable[[Finding], str]:
    def sized(found: Finding) -> str:
        verb = "is" if found.limit == 1 else "are"
        rule = (
            f"at least {found.limit} {verb} needed"
            if least
            else f"at most {found.limit} {verb} allowed"
        )
        return f"It has {counted(len(found.value), noun)}; {rule}."

    return sized


_WORDS: dict[str, Callable[[Finding], str]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "required": _required,
    "additionalProperties": _additional,
    "dependentRequired": _dependent,
    "dependencies": _dependent,
    "format": _format,
    "pattern": _pattern,
    "minimum": _bound("too small; at least {} is needed"),
    "maximum": _bound("too big; at most {} is allowed"),
    "exclusiveMinimum": _bound("too small; more than {} is needed"),
    "exclusiveMaximum": _bound("too big; less than {} is allowed"),
    "multipleOf": _bound("no multiple of {}"),
    "minLength": _size("character", least=True),
    "maxLength": _size("character", least=False),
    "minItems": _size("item", least=True),
    "maxItems": _size("item", least=False),
    "minProperties": _size("key", least=True),
    "maxProperties": _size("key", least=False),
    "uniqueItems": _unique,
    "contains": _contains,
    "minContains": _contains,
    "maxContains": _contains,
    "not": _not,
    "anyOf": lambda found: none_fits(found, worded),
    "oneOf": _one_of,
    "items": _closed_array,
    "additionalItems": _closed_array,
    "propertyNames": _forbidden,
}
