"""Find the alternatives of a schema, and whether some can be reached from inside others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from agenthost_sdk.schemas.findings import JsonSchema, step_into
from agenthost_sdk.schemas.problems import Path
from agenthost_sdk.schemas.references import References, subschemas

#: The keywords that hold alternatives.
ALTERNATIVES = ("anyOf", "oneOf")

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class Nesting:
    """What a schema's root reaches, by structure and by reference."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self._finder = References(schema)
        #: Whether some reference leads to no place in the schema, but to a metaschema.
        self.leads_out = False
        #: The places of the schemas in it that hold alternatives.
        self.places = [path for path, part in self._reached([()]) if _ways(path, part)]

    def is_nested(self) -> bool:
        """Return whether an alternative can be reached from inside another."""
        ways = [way for path in self.places for way in _ways(path, step_into(self._schema, path))]
        return any(_ways(path, part) for path, part in self._reached(ways))

    def _reached(self, starts: Iterable[Path]) -> Iterator[tuple[Path, JsonSchema]]:
        seen: set[Path] = set()
        waiting = list(starts)
        while waiting:
            start = waiting.pop()
            if start in seen:
                continue
            for path, part in subschemas(step_into(self._schema, start), start):
                if path not in seen:
                    seen.add(path)
                    yield path, part
                    waiting += self._targets(path, part)

    def _targets(self, path: Path, part: JsonSchema) -> Iterator[Path]:
        for keyword in _REFERENCES:
            if isinstance(part.get(keyword), str):
                target = self._finder.target(path, part[keyword])
                if target is None:
                    self.leads_out = True
                else:
                    yield target


def _ways(path: Path, part: JsonSchema) -> list[Path]:
    """Return the places of the alternatives that a schema holds."""
    return [
        (*path, keyword, index)
        for keyword in ALTERNATIVES
        if isinstance(part.get(keyword), list)
        for index in range(len(part[keyword]))
    ]
