"""Make the JSON Schema of a dict in a `schema.Schema`: its keys are schemas themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import schema as library

from agenthost_sdk.schemas.author_patterns import published_pattern
from agenthost_sdk.schemas.findings import JsonSchema
from agenthost_sdk.schemas.json_values import foreign
from agenthost_sdk.schemas.merging import Emitted, all_of, any_of

Emit = Callable[[Any, bool], Emitted]


@dataclass
class _Object:
    """An object's schema while its keys are read."""

    properties: dict[str, Emitted] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    patterns: dict[str, Emitted] = field(default_factory=dict)
    #: The schemas of values whose keys are not named.
    others: list[Emitted] = field(default_factory=list)
    #: Alternatives of keys, one of which must be there.
    choices: list[JsonSchema] = field(default_factory=list)
    #: Whether at least one of those must be there.
    needs_other: bool = False
    #: Whether a key that must be there cannot be, or its value cannot.
    impossible: bool = False


def object_schema(part: dict[Any, Any], ignore_extra_keys: bool, emit: Emit) -> Emitted:
    """Return the JSON Schema of a dict whose keys and values are parts of a `Schema`."""
    made = _Object()
    hooks = {key: value for key, value in part.items() if isinstance(key, library.Hook)}
    for key, value in part.items():
        if key not in hooks:
            _add(made, key, emit(value, ignore_extra_keys))
    for key, value in hooks.items():
        if isinstance(key, library.Forbidden):
            _forbid(made, key, value, emit)
    return False if made.impossible else _finished(made, ignore_extra_keys)


def _add(made: _Object, key: Any, value: Emitted) -> None:
    optional = isinstance(key, library.Optional)
    bare = _bare(key)
    names = _names(bare)
    if names:
        for name in names:
            made.properties[name] = _told(value, key, bare)
        if len(names) == 1 and not isinstance(bare, library.Or):
            made.required += [] if optional else names
        elif not optional or bare.only_one:
            made.choices.append(_choice(names, optional, bare.only_one))
        made.impossible |= value is False and not optional
    elif isinstance(bare, library.Regex) and (pattern := pattern_of(bare)) is not None:
        made.patterns[pattern] = value
    elif _may_be_text(bare):
        made.others.append(value)
        made.needs_other |= not optional
    else:
        made.impossible |= not optional


def _bare(key: Any) -> Any:
    while isinstance(key, library.Schema):
        key = key.schema
    return key


def _names(bare: Any) -> list[str]:
    """Return the names that a key spells out; none where it is a rule for keys."""
    if isinstance(bare, library.Or):
        return _all_texts(_bare(one) for one in bare.args)
    return _all_texts([bare])


def _all_texts(keys: Any) -> list[str]:
    names = [key.schema if isinstance(key, library.Literal) else key for key in keys]
    return names if all(isinstance(name, str) for name in names) else []


def _may_be_text(bare: Any) -> bool:
    if isinstance(bare, type):
        return issubclass(str, bare)
    return callable(bare) or hasattr(bare, "validate")


def _told(value: Emitted, key: Any, bare: Any) -> Emitted:
    """Return a property's schema with what its key says of it."""
    if isinstance(value, bool):
        return value
    told = {
        "title": getattr(bare, "title", None) if isinstance(bare, library.Literal) else None,
        "description": getattr(bare, "description", None) or getattr(key, "description", None),
    }
    said = {keyword: words for keyword, words in told.items() if words}
    return {**value, **said, **_default(key)}


def _default(key: Any) -> JsonSchema:
    """Return the default of an `Optional`; a callable one counts where it is a plain type."""
    if not hasattr(key, "default"):
        return {}
    default = key.default() if key.default in (list, dict, str, int, float, bool) else key.default
    return {} if callable(default) or foreign(default) else {"default": default}


def _choice(names: list[str], optional: bool, only_one: bool) -> JsonSchema:
    present: list[JsonSchema] = [{"required": [name]} for name in names]
    if optional:  # none of them, or one
        present.append({"not": {"anyOf": list(present)}})
    return {"oneOf" if only_one else "anyOf": present}


def _forbid(made: _Object, key: Any, value: Any, emit: Emit) -> None:
    """Forbid a key, or some of its values, where other keys would let it pass."""
    for name in _names(_bare(key)):
        ruled_out = emit(value, False)
        if ruled_out == {} and value is not object:
            continue  # a function judges the value, which JSON Schema cannot say
        allowed: Emitted = False if ruled_out == {} else {"not": ruled_out}
        made.properties[name] = all_of([made.properties.get(name, {}), allowed])


def _finished(made: _Object, ignore_extra_keys: bool) -> JsonSchema:
    others = any_of(made.others) if made.others else ignore_extra_keys
    named = {
        name: part
        for name, part in made.properties.items()
        if others is not False or part is not False
    }
    finished: JsonSchema = {"type": "object", "properties": named}
    if made.required:
        finished["required"] = made.required
    if made.patterns:
        finished["patternProperties"] = made.patterns
    return {**finished, "additionalProperties": others, **dict(_conditions(made))}


def pattern_of(part: library.Regex) -> str | None:
    """Return a `Regex` as JSON Schema writes it, or None where it cannot."""
    compiled = getattr(part, "_pattern", None)  # the flags are kept nowhere else
    return published_pattern(part.pattern_str, getattr(compiled, "flags", 0))


def _conditions(made: _Object) -> Iterator[tuple[str, Any]]:
    if made.needs_other and not made.properties:
        yield "minProperties", 1
    if len(made.choices) == 1:
        yield from made.choices[0].items()
    elif made.choices:
        yield "allOf", made.choices
