"""Make actions of the JSON in which a model asks for them, whatever it calls the keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from agenthost.dialects.plain_input import properties_of, with_text, without_echo
from agenthost.dialects.reading import unread
from agenthost_sdk.actions import NativeNames, ToolAction, ToolSpec
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.errors import NotFoundError, shortened

#: More actions than this in one reply are no plan, but a model that runs on; the rest is not run.
MOST_ACTIONS = 128

TOO_MANY = (
    f"The reply asks for more than {MOST_ACTIONS} actions. Those behind the first {MOST_ACTIONS}"
    " were not run; ask for fewer at a time."
)

#: How much of something that is no action the model is shown again.
_SHOWN = 80

_NAMES = ("name", "tool", "toolname", "function", "functionname", "action", "activity")
_PATHS = ("path", "activity", "action", "method")
_TAGS = ("tag", "id", "callid", "toolcallid")
_INPUTS = (
    *("input", "arguments", "args", "parameters", "params", "actioninput", "toolinput"),
    *("kwargs", "inputs"),
)
_THOUGHTS = ("thought", "thoughts", "reasoning")

#: Keys under which a whole action stands.
_WRAPPERS = ("function", "functioncall", "toolcall", "action", "call")

#: The keys that a model is told to write.
_OWN = {"tag", "name", "path", "input"}

_SPACES = re.compile(r"[\s_\-]+")


@dataclass(frozen=True)
class Entry:
    """An action as it was written, its parts under the words that the model was told."""

    name: Any = None
    path: Any = None
    input: Any = None
    tag: str = ""
    thought: str = ""
    #: Keys that are none of these; they may be the input itself.
    others: Mapping[str, Any] = field(default_factory=dict)
    #: Whether a key for the input was there.
    has_input: bool = False
    #: Under which other words the parts stood.
    repairs: tuple[str, ...] = ()
    #: Why it is no action; "" where it may be one.
    fault: str = ""


def entry_of(item: Any) -> Entry:
    """Return the parts of an action that stands in JSON."""
    if isinstance(item, dict) and item.keys() <= _OWN:
        return _as_told(item)
    tag = ""
    notes: tuple[str, ...] = ()
    while isinstance(item, dict):
        keys = {_squashed(key): key for key in reversed(item)}
        tag = _text(item.get(_first(keys, _TAGS))) or tag
        wrapper = _wrapper(item, keys)
        if wrapper is None:
            flat = _flat(item, keys)
            return replace(flat, tag=tag, repairs=(*notes, *flat.repairs))
        item, notes = item[wrapper], (f"read out of {wrapper!r}",)
    return Entry(tag=tag, fault=f"An action must be a JSON object, not {brief(item)}.")


def actions_of(
    entries: Sequence[Entry], table: NativeNames, repairs: Iterable[str] = ()
) -> Iterator[ToolAction]:
    """Yield one action for each entry; one that cannot be used bears its error.

    Args:
        entries: The actions as they were written.
        table: The activities on offer.
        repairs: What was set right to read the entries; recorded on each action.
    """
    tags = [entry.tag for entry in entries]
    for entry, tag in zip(entries, unique_tags(tags, "action"), strict=True):
        action = _action(entry, tag, table)
        if repairs:
            action = replace(action, repairs=(*repairs, *action.repairs))
        if entry.tag and entry.tag != tag:
            words = f"The tag {entry.tag[:_SHOWN]!r} stands twice; tags must be unique."
            action = refused(action, words, "duplicate-tag")
        yield action


def unknown(tag: str, name: str, path: str | None, error: NotFoundError) -> ToolAction:
    """Return an action that names nothing on offer, answered by what was found instead."""
    shown = name.strip()[:_SHOWN] or "unknown"
    action = ToolAction(tag, shown, path[:_SHOWN] if path else None)
    return action.with_output(ErrorArtifact(str(error), code="not-found", exception=error))


def refused(action: ToolAction, words: str, code: str) -> ToolAction:
    """Return the action answered by an error."""
    return action.with_output(ErrorArtifact(words, code=code))


def nameless(tag: str, table: NativeNames) -> ToolAction:
    """Return an action that says not which activity it wants, answered by the names there are."""
    words = f'The action {tag[:_SHOWN]!r} has no "name". Names: {shortened([*table.specs])}.'
    return refused(ToolAction(tag, "unknown"), words, "invalid-action")


def unique_tags(tags: Sequence[str], stem: str) -> Iterator[str]:
    """Yield the tags; one that is missing or stands twice is made anew, so that all differ."""
    taken = set(tags)
    if len(taken) == len(tags) and "" not in taken:
        yield from tags
        return
    given: set[str] = set()
    for place, tag in enumerate(tags, 1):
        unique = tag
        if not tag or tag in given:
            unique = _unused(tag, f"{stem}_{place}", taken)
            taken.add(unique)
        given.add(unique)
        yield unique


def _unused(tag: str, fresh: str, taken: set[str]) -> str:
    if not tag and fresh not in taken:
        return fresh
    numbered = (f"{tag or fresh}_{number}" for number in count(2))
    return next(name for name in numbered if name not in taken)


def brief(value: Any) -> str:
    """Say in a few words what a value of JSON is."""
    if isinstance(value, str):
        return json.dumps(value[:_SHOWN], ensure_ascii=False)
    if value is None:
        return "null"
    kinds = {list: "an array", dict: "an object", bool: "true or false"}
    return kinds.get(type(value), "a number")


def _as_told(item: Mapping[str, Any]) -> Entry:
    """Return the parts of an action whose keys are those that the model was told."""
    tag = item.get("tag")
    return Entry(
        item.get("name"),
        item.get("path"),
        item.get("input"),
        tag if isinstance(tag, str) else _text(tag),
        has_input="input" in item,
    )


def _wrapper(item: Mapping[str, Any], keys: Mapping[str, str]) -> str | None:
    """Return the key under which the whole action stands, as in `{"function": {"name": …}}`."""
    for word in _WRAPPERS:
        inner = item.get(keys.get(word, ""))
        if isinstance(inner, dict) and _first({_squashed(key): key for key in inner}, _NAMES):
            return keys[word]
    return None


def _flat(item: Mapping[str, Any], keys: Mapping[str, str]) -> Entry:
    name, given, thought = _first(keys, _NAMES), _first(keys, _INPUTS), _first(keys, _THOUGHTS)
    path = _first({word: key for word, key in keys.items() if key != name}, _PATHS)
    used = {name, given, thought, path, _first(keys, _TAGS)}
    renamed = [(name, "name"), (given, "input"), (path, "path")]
    return Entry(
        name=item.get(name),
        path=item.get(path),
        input=item.get(given),
        thought=_text(item.get(thought)),
        others={key: value for key, value in item.items() if key not in used and key != "type"},
        has_input=bool(given),
        repairs=tuple(
            f"{key!r} was read as {word!r}" for key, word in renamed if key and key != word
        ),
    )


def _action(entry: Entry, tag: str, table: NativeNames) -> ToolAction:
    if entry.fault:
        return refused(ToolAction(tag, "unknown"), entry.fault, "invalid-action")
    if entry.name is None:
        entry = _keyed(entry, table)
    if not isinstance(entry.name, str) or not entry.name.strip():
        return nameless(tag, table)
    path = entry.path if isinstance(entry.path, str) else None
    try:
        meant = table.meant(entry.name, path)
    except NotFoundError as error:
        return unknown(tag, entry.name, path, error)
    repairs = (*entry.repairs, meant.repair) if meant.repair else entry.repairs
    spec = meant.spec
    if isinstance(entry.input, dict) and not entry.others:
        value, notes = without_echo(entry.input, spec)
        return ToolAction(tag, spec.name, spec.path, value, repairs=(*repairs, *notes))
    return _with_input(ToolAction(tag, spec.name, spec.path, repairs=repairs), spec, entry)


def _keyed(entry: Entry, table: NativeNames) -> Entry:
    """Take `{"Stock_count": {…}}` for an action where that key names an activity."""
    others = [(key, value) for key, value in entry.others.items() if not key.startswith("$")]
    if entry.has_input or len(others) != 1 or not table.knows(others[0][0]):
        return entry
    [(name, given)] = others
    note = f"the key {name[:_SHOWN]!r} was read as the name"
    return replace(
        entry, name=name, input=given, others={}, has_input=True, repairs=(*entry.repairs, note)
    )


def _with_input(action: ToolAction, spec: ToolSpec, entry: Entry) -> ToolAction:
    others, _ = without_echo(entry.others, spec)
    if not entry.has_input and others and others.keys() <= properties_of(spec).keys():
        note = "keys beside the name were read as the input"
        return replace(action, input=others, repairs=(*action.repairs, note))
    if entry.others:
        dropped = ", ".join(repr(key[:_SHOWN]) for key in [*entry.others][:5])
        action = replace(action, repairs=(*action.repairs, f"left out: {dropped}"))
    given = entry.input
    if given is None:
        return action
    if isinstance(given, dict):
        value, notes = without_echo(given, spec)
        return replace(action, input=value, repairs=(*action.repairs, *notes))
    if isinstance(given, str):
        return _read_text(action, spec, given)
    return unread(action, brief(given), f"it is {brief(given)}")


def _read_text(action: ToolAction, spec: ToolSpec, text: str) -> ToolAction:
    read = with_text(action, spec, text)
    if read.failed or not read.input or len(read.repairs) > len(action.repairs):
        return read
    return replace(read, repairs=(*read.repairs, "the input was read out of a text"))


def _first(keys: Mapping[str, str], words: Sequence[str]) -> str:
    """Return the key that stands for the first of the words; "" where none does."""
    return next((keys[word] for word in words if word in keys), "")


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, dict | list) else str(value)


def _squashed(key: str) -> str:
    return _SPACES.sub("", key).lower()
