"""The reply formats that ship with the host."""

from __future__ import annotations

from agenthost.dialects.actions_json import ActionsJson
from agenthost.dialects.classic import Classic
from agenthost.dialects.json_reply import JsonReply
from agenthost.dialects.native import Native
from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.hooks import hookimpl

#: The dialects of the host by name; plugins add theirs.
BUILT_IN: dict[str, type[BaseDialect]] = {
    dialect.name: dialect for dialect in (Native, ActionsJson, Classic, JsonReply)
}


@hookimpl
def agenthost_dialects() -> list[type[BaseDialect]]:
    """Contribute them as a plugin does: the host's own entry point names this module."""
    return list(BUILT_IN.values())


__all__ = ["BUILT_IN", "ActionsJson", "Classic", "JsonReply", "Native"]
