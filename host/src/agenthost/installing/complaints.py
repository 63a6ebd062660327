"""Understand, as far as it can be told, what an installer complains of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agenthost.installing.asked import Asked
from agenthost_sdk.errors import NotFoundError

_REFUSED = re.compile(r"conflict|unsatisfiable|No solution|cannot be used", re.IGNORECASE)

#: What pip and uv say of a name that no index has; {name} is the name in any spelling.
_UNKNOWN = (
    r"(?i)\b{name}\b[^\n]{{0,40}}was not found in",
    r"(?i)requirement {name}\b[^\n]*from versions: none",
)

#: What pip and uv say where they reach nobody; what they then tell of names is not to be trusted.
_UNREACHED = re.compile(
    r"after connection broken by|Max retries exceeded|dns error|tcp connect error"
    r"|network (?:connectivity )?(?:is|was) disabled|error trying to connect"
    r"|Could not (?:connect to server|resolve host)|Couldn't connect to"
    r"|Failed to (?:fetch|download):? `",
    re.IGNORECASE,
)

_UNREACHED_WORDS = (
    "What was asked for could not be fetched: see to the network, or to the address."
)

#: How many of the host's versions a message names.
_MOST = 3


def explained(said: Sequence[str], asked: Iterable[Asked], constraints: Iterable[str]) -> str:
    """Return in a sentence why an installer refused; "" where that is not clear.

    Args:
        said: The installer's words.
        asked: What was to be installed.
        constraints: The host's versions that were not to be changed.

    Raises:
        NotFoundError: There is no distribution of a name that was asked for.
    """
    text = "\n".join(said)
    is_reached = not _UNREACHED.search(text)
    for one in asked:
        if is_reached and one.name and not one.path and _is_unknown(one.name, text):
            raise NotFoundError("distribution", one.name, (), _hint())
    held = [line for line in constraints if _is_named(line, text)]
    if not held or not _REFUSED.search(text):
        return "" if is_reached else _UNREACHED_WORDS
    versions = " and ".join(line.replace("==", " ") for line in held[:_MOST])
    return (
        f"It does not go with {versions}, which agenthost needs as it is and does not change for a"
        " plugin. Ask for another version of the plugin, or upgrade agenthost."
    )


def _hint() -> str:
    return (
        "The index that was asked has none, and nothing was changed. A name without agenthost in"
        " it is short for agenthost-plugin-NAME; where it is the whole name, add --exact."
    )


def _is_unknown(name: str, text: str) -> bool:
    return any(re.search(one.format(name=_spelt(name)), text) for one in _UNKNOWN)


def _is_named(constraint: str, text: str) -> bool:
    name, _, version = constraint.partition("==")
    exactly = rf"(?i)(?<![\w.-]){_spelt(name)}\s?==\s?{re.escape(version)}(?![\w+])"
    return bool(re.search(exactly, text))


def _spelt(name: str) -> str:
    """Return an expression for a name as others may spell it."""
    return re.sub(r"[-_.]+", "[-_.]+", name)
