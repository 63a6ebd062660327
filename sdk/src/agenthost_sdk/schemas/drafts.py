"""Tell which draft of JSON Schema a schema is written in."""

from __future__ import annotations

from typing import Any

NEWEST = "2020-12"

_DRAFTS = {
    "json-schema.org/draft-04/schema": "4",
    "json-schema.org/draft-06/schema": "6",
    "json-schema.org/draft-07/schema": "7",
    "json-schema.org/draft/2019-09/schema": "2019-09",
    "json-schema.org/draft/2020-12/schema": NEWEST,
}

_METASCHEMAS = {
    "4": "http://json-schema.org/draft-04/schema#",
    "6": "http://json-schema.org/draft-06/schema#",
    "7": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    NEWEST: "https://json-schema.org/draft/2020-12/schema",
}


def draft_of(schema: Any) -> str:
    """Return the draft that `$schema` names; the newest where it names none that is known.

    A foreign metaschema's URI is no reason to refuse a tool, so it counts as the newest.
    """
    named = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(named, str):
        return NEWEST
    bare = named.removeprefix("https://").removeprefix("http://").removesuffix("#")
    return _DRAFTS.get(bare, NEWEST)


def metaschema_of(schema: Any) -> str:
    """Return the URI of the metaschema that a schema is held against."""
    return _METASCHEMAS[draft_of(schema)]
