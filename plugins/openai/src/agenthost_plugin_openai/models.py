"""What single models of OpenAI do not take, whoever serves them."""

from __future__ import annotations

import re

# Reasoning models answer 400 to `stop`; the dialects cut a reply at the same texts themselves.
_NO_STOP = re.compile(r"o\d|gpt-[5-9]")
# These answer 400 to tools unless the request says that there is to be no reasoning.
_TOOLS_WITHOUT_REASONING = re.compile(r"gpt-(5\.[6-9]|[6-9])")
# The first reasoning models answer 400 to rules in any role of their own, and to tools.
_FIRST_REASONING = re.compile(r"o1-(mini|preview)")
_NO_TOOLS = re.compile(r"o1-(mini|preview)|chatgpt-4o|gpt-4o(-mini)?-search")
# Older than the schemas for answers, or made for sound.
_NO_JSON_SCHEMA = re.compile(
    r"o1-(mini|preview)|chatgpt-4o|gpt-3\.5|gpt-4(?![.o])|gpt-4o-2024-05-13|gpt-.*audio"
)


def takes_stop(model: str) -> bool:
    """Return whether a model takes stop sequences."""
    return not _NO_STOP.match(_bare(model))


def takes_system(model: str) -> bool:
    """Return whether a model takes messages of the system; else the user must say the rules."""
    return not _FIRST_REASONING.match(_bare(model))


def takes_tools(model: str) -> bool:
    """Return whether a model takes tools."""
    return not _NO_TOOLS.match(_bare(model))


def takes_json_schema(model: str) -> bool:
    """Return whether a model takes a JSON Schema for its answer."""
    return not _NO_JSON_SCHEMA.match(_bare(model))


def uses_tools_unreasoned(model: str) -> bool:
    """Return whether a model takes tools only where it does not reason."""
    return bool(_TOOLS_WITHOUT_REASONING.match(_bare(model)))


def _bare(model: str) -> str:
    """Return a model's name without that of who made it, as routers put it before."""
    return model.rpartition("/")[2]
