"""Write the catalog's activities in the forms in which models are told of tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from agenthost.registry.entries import ActivityEntry
from agenthost.registry.selection import Wanted

Json = dict[str, Any]

#: What the Model Context Protocol calls what an activity says of itself.
_HINTS = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}


def definitions(wanted: Iterable[Wanted], form: str, *, strict: bool = False) -> list[Json]:
    """Return a definition of each activity that is on.

    Args:
        wanted: The tools, with the activities that are on.
        form: One of `FORMS`.
        strict: Whether OpenAI is to hold the model to the schema, where it has such a form.
    """
    activities = [
        activity
        for owned, paths in wanted
        for activity in owned.tool.activities
        if activity.path in paths
    ]
    write = _openai_strict if strict else _WRITERS[form]
    return [write(activity) for activity in activities]


def _plain(activity: ActivityEntry) -> Json:
    return {
        "name": activity.native,
        "description": activity.description,
        "schema": activity.schema,
        "annotations": activity.annotations,
    }


def _openai(activity: ActivityEntry) -> Json:
    return _function(activity, {"parameters": _safe(activity.schema)})


def _openai_strict(activity: ActivityEntry) -> Json:
    from agenthost_sdk.schemas import to_strict  # the catalog's own form needs none of it

    safe = _safe(activity.schema)
    narrowed = to_strict(safe)
    if narrowed is None:  # it takes keys of any name, or the like
        return _function(activity, {"parameters": safe})
    return _function(activity, {"parameters": narrowed, "strict": True})


def _function(activity: ActivityEntry, form: Json) -> Json:
    named = {"name": activity.native, "description": activity.description}
    return {"type": "function", "function": {**named, **form}}


def _anthropic(activity: ActivityEntry) -> Json:
    return {
        "name": activity.native,
        "description": activity.description,
        "input_schema": _safe(activity.schema),
    }


def _mcp(activity: ActivityEntry) -> Json:
    hints = {_HINTS[name]: value for name, value in activity.annotations.items()}
    return {
        "name": activity.native,
        "description": activity.description,
        "inputSchema": _safe(activity.schema),
        **({"annotations": hints} if hints else {}),
    }


def _safe(schema: Mapping[str, Any]) -> Json:
    from agenthost_sdk.schemas import provider_safe  # as above

    return provider_safe(dict(schema))


_WRITERS: Mapping[str, Callable[[ActivityEntry], Json]] = {
    "json": _plain,
    "openai": _openai,
    "anthropic": _anthropic,
    "mcp": _mcp,
}

#: The forms by name.
FORMS = tuple(_WRITERS)
