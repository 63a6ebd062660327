"""JSON as models write it, read whole or refused with a fitting reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from agenthost_sdk.json_text import JsonText, Reason, UnreadableJson, read_json
from cases.case_file import Case, Expected, holds_for_one

#: Which reasons may be given where a case has words like these, the surest words first.
_REASONS: tuple[tuple[str, set[Reason]], ...] = (
    (r"surrogate|code unit", {"invalid"}),
    (r"reasoning|think", {"no-json", "empty", "truncated"}),
    (r"deep|nest|recurs|depth", {"invalid", "truncated"}),
    (r"ambig|two different|several|more than one|multiple", {"ambiguous"}),
    (r"empty|blank|nothing", {"empty", "no-json"}),
    (r"truncat|cut|unterminated|incomplete|unclosed|unfinished|unbalanced", {"truncated"}),
    (r"range|overflow|infinit|\bnan\b|finite|non-json number|not a json number", {"out-of-range"}),
    (r"trailing|extra data", {"invalid", "ambiguous"}),
    (r"wanted|expected|wrong (?:type|kind)|not an? (?:object|array)|got ", {"wrong-kind"}),
    (r"no json|not found|only prose|no object|no array", {"no-json"}),
)

#: Where the words are of another kind, such as "missing colon", the text itself is at fault.
_OTHERWISE: set[Reason] = {"invalid", "truncated"}


def run(case: Case) -> None:
    """Read the text of a case."""
    text, want = _spelled_out(case.input["text"]), case.input.get("want", "any")
    try:
        result: JsonText | UnreadableJson = read_json(text, want)
    except UnreadableJson as error:
        result = error
    _judge_conditions(result, want, case.expected)
    holds_for_one(case, lambda expected: _judge(result, expected))


def _spelled_out(text: str) -> str:
    """Return the text with each `@repeat:x:n` in it replaced by that many of that sign."""
    return re.sub(
        r"@repeat:(.+?):(\d+)", lambda found: found[1] * int(found[2]), text, flags=re.DOTALL
    )


def _judge_conditions(result: JsonText | UnreadableJson, want: str, expected: Expected) -> None:
    """Assert what no case may break: the wanted kind, sound text, finite numbers, no silence."""
    if isinstance(result, UnreadableJson):
        assert str(result)
        return
    kinds: dict[str, type] = {"object": dict, "array": list, "any": object}
    assert isinstance(result.value, kinds[want])
    json.dumps(result.value, ensure_ascii=False, allow_nan=False).encode()
    for wrong in _values_in(expected.get("must_not", "")):
        assert _as_text(result.value) != _as_text(wrong)


def _values_in(words: str) -> Iterator[Any]:
    """Yield the values that stand as JSON behind "return" in the words of a condition."""
    for found in re.finditer(r"return (?=[{\[])", words):
        with suppress(json.JSONDecodeError):
            yield json.JSONDecoder().raw_decode(words, found.end())[0]


def _judge(result: JsonText | UnreadableJson, expected: Expected) -> None:
    if next(key for key in expected if key in ("value", "error")) == "error":
        assert isinstance(result, UnreadableJson), f"{result} instead of {expected['error']}"
        assert result.reason in _reasons(expected["error"])
        return
    assert isinstance(result, JsonText), f"{result} instead of {expected['value']}"
    if flag := expected.get("flag"):
        assert any(flag in repair for repair in result.repairs)
    assert _as_text(result.value) == _as_text(expected["value"])


def _reasons(words: str) -> set[Reason]:
    return next(
        (reasons for pattern, reasons in _REASONS if re.search(pattern, words, re.IGNORECASE)),
        _OTHERWISE,
    )


def _as_text(value: Any) -> str:
    """Return a value so that 1, 1.0 and true differ, whatever the order of keys."""
    return json.dumps(value, sort_keys=True)
