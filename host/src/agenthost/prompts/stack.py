"""Build the system message: rules, the dialect's text, and the plan."""

from __future__ import annotations

from collections.abc import Iterable

from agenthost_sdk.messages import Message, contents


def system_message(parts: Iterable[str]) -> tuple[Message, ...]:
    """Return the system message of these parts; none where none of them says anything."""
    text = "\n\n".join(part for part in parts if part)
    return (Message("system", contents(text)),) if text else ()
