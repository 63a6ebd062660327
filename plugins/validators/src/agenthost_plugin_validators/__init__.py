"""Output validators for agenthost: JSON Schema, patterns, lengths, choices."""

from __future__ import annotations

from collections.abc import Callable

from agenthost_plugin_validators.json_schema import JsonSchema
from agenthost_plugin_validators.length import Length
from agenthost_plugin_validators.one_of import OneOf
from agenthost_plugin_validators.pattern import Regex
from agenthost_sdk.hooks import hookimpl
from agenthost_sdk.validators import BaseOutputValidator

__all__ = ["JsonSchema", "Length", "OneOf", "Regex"]


@hookimpl
def agenthost_output_validators() -> dict[str, Callable[..., BaseOutputValidator]]:
    """Return the validators by name."""
    return {validator.name: validator for validator in (JsonSchema, Regex, Length, OneOf)}
