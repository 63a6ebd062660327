"""Show what the settings hold without the secrets in it."""

from __future__ import annotations

from typing import Any

#: Stands where a secret is set.
MASK = "***"

#: Parts of a name that betray a secret, and endings that say it is but about one.
_SECRET = (
    "key",
    "token",
    "secret",
    "passw",
    "passphrase",
    "credential",
    "authorization",
    "cookie",
)
_PLAIN = ("_env", "_name", "_file", "_path")


def masked(name: str, value: Any) -> Any:
    """Return the value of an option as it may be shown, however deep a secret lies in it."""
    if value and _is_secret(name) and not _is_count(name, value):
        return MASK
    if isinstance(value, dict):
        return {inner: masked(inner, one) for inner, one in value.items()}
    if isinstance(value, list):
        return [masked(name, one) for one in value]
    if not isinstance(value, str):
        return value
    from agenthost_sdk.redaction import without_secrets  # most people set no option

    return without_secrets(value)


def _is_secret(name: str) -> bool:
    folded = name.lower().replace("-", "_")
    return any(part in folded for part in _SECRET) and not folded.endswith(_PLAIN)


def _is_count(name: str, value: Any) -> bool:
    """Return whether a value is a number of tokens, and no token."""
    return isinstance(value, int) and name.lower().endswith("tokens")
