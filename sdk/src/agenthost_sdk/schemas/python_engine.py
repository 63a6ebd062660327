"""Validate with jsonschema, where jsonschema-rs has no wheel."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import islice
from typing import Any

import jsonschema
from jsonschema.exceptions import SchemaError as Refused
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

from agenthost_sdk.schemas.author_words import invalid_schema, unresolved
from agenthost_sdk.schemas.drafts import draft_of
from agenthost_sdk.schemas.findings import Branches, Finding, JsonSchema
from agenthost_sdk.schemas.patterns import to_python
from agenthost_sdk.schemas.problems import Path
from agenthost_sdk.schemas.python_nested import NoneFitsError, Trial, any_of, one_of, remembering
from agenthost_sdk.schemas.references import references
from agenthost_sdk.schemas.showing import shown
from agenthost_sdk.schemas.tries import MOST_FAULTS, Tries

_VALIDATORS: dict[str, Any] = {
    "4": jsonschema.Draft4Validator,
    "6": jsonschema.Draft6Validator,
    "7": jsonschema.Draft7Validator,
    "2019-09": jsonschema.Draft201909Validator,
    "2020-12": jsonschema.Draft202012Validator,
}


class PythonEngine:
    """A schema compiled by jsonschema, mended where it strays from the standard.

    Args:
        schema: The schema; it is JSON.
        formats: Whether `format` is asserted, as far as jsonschema knows them.
        own_formats: Formats that are checked otherwise than the library does.

    Raises:
        SchemaError: The schema is not valid, or refers to what it does not hold.
    """

    def __init__(
        self,
        schema: JsonSchema | bool,
        formats: bool,
        own_formats: Mapping[str, Callable[[str], bool]],
    ) -> None:
        draft = draft_of(schema)
        try:
            _mended(draft).check_schema(schema)
        except Refused as error:
            raise invalid_schema(_finding(error)) from None
        if any(target is None and not _is_standard(name) for name, target in references(schema)):
            raise unresolved(schema, "it leads nowhere")
        kind = _trying(draft)
        checker = _checker(kind, own_formats) if formats else None
        # This registry holds the metaschemas and fetches nothing.
        self._validator = kind(schema, format_checker=checker, registry=REGISTRY)

    def accepts(self, value: Any) -> bool:
        """Return whether the value is valid."""
        with remembering():
            return bool(self._validator.is_valid(value))

    def findings(self, value: Any) -> Iterator[Finding]:
        """Return what is wrong with the value."""
        with remembering():
            errors = list(islice(self._validator.iter_errors(value), MOST_FAULTS))
        tries = Tries()
        return (_opened(error, (), tries) for error in errors)


def _opened(error: ValidationError, path: Path, tries: Tries) -> Finding:
    """Return the finding of an error in the part at a path; it tries alternatives when asked."""
    found = _finding(error)
    found = replace(found, path=(*path, *found.path))
    if not isinstance(error, NoneFitsError):
        return found
    return replace(found, tried=partial(_branches, error.trials, found.path, tries))


def _branches(trials: Iterable[Trial], path: Path, tries: Tries) -> Branches:
    def faults(trial: Trial) -> Iterator[Finding]:
        return (_opened(error, path, tries) for error in trial())

    return tries.of(partial(faults, trial) for trial in trials)


def _is_standard(reference: str) -> bool:
    """Return whether a reference leads to a metaschema."""
    return reference.partition("#")[0] in REGISTRY


@cache
def _mended(draft: str) -> Any:
    mends = {"multipleOf": _multiple_of, "pattern": _pattern}
    extend: Any = jsonschema.validators.extend
    return extend(_VALIDATORS[draft], mends)


@cache
def _trying(draft: str) -> Any:
    """Return the validator that tries alternatives only when asked."""
    extend: Any = jsonschema.validators.extend
    return extend(_mended(draft), {"anyOf": any_of, "oneOf": one_of})


def _multiple_of(
    validator: Validator, factor: float, value: Any, _schema: JsonSchema
) -> Iterator[ValidationError]:
    """Divide numbers as they are written: 19.99 is a multiple of 0.01."""
    if not validator.is_type(value, "number"):
        return
    if (Fraction(str(value)) / Fraction(str(factor))).denominator != 1:
        yield ValidationError(f"{value} is no multiple of {factor}")


def _pattern(
    validator: Validator, pattern: str, value: Any, _schema: JsonSchema
) -> Iterator[ValidationError]:
    if validator.is_type(value, "string") and not _compiled(pattern).search(value):
        yield ValidationError(f"{shown(value)} does not match the pattern {pattern}")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(to_python(pattern), re.ASCII)


def _checker(kind: Any, own_formats: Mapping[str, Callable[[str], bool]]) -> Any:
    checker = jsonschema.FormatChecker()
    checker.checkers = dict(kind.FORMAT_CHECKER.checkers)
    for name, accepts in own_formats.items():
        checker.checks(name)(_for_strings(accepts))
    return checker


def _for_strings(accepts: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or accepts(value)


def _finding(error: ValidationError | Refused) -> Finding:
    holder = error.schema if isinstance(error.schema, dict) else {}
    words = error.message if error.validator else f"{shown(error.instance)} is not allowed here"
    keyword = str(error.validator or _parent_keyword(error))
    return Finding(
        path=tuple(error.absolute_path),
        keyword=keyword,
        schema=holder,
        value=error.instance,
        words=words,
        is_key="propertyNames" in list(error.absolute_schema_path)[:-1],
        tried=partial(_context, error) if error.context else None,
    )


def _parent_keyword(error: ValidationError | Refused) -> str:
    """Return the keyword under which a subschema is `false`."""
    place = list(error.absolute_schema_path)
    return str(place[-2] if len(place) > 1 else place[-1] if place else "false")


def _context(error: ValidationError | Refused) -> Branches:
    """Return what the alternatives of a metaschema have against a schema."""
    branches: dict[Any, list[Finding]] = {}
    for part in error.context or ():
        # The error of a schema that is `false` bears no path.
        way = part.schema_path[0] if part.schema_path else id(part)
        branches.setdefault(way, []).append(_finding(part))
    return tuple(map(tuple, branches.values()))
