"""JSON Schema in and out: what inputs and answers have to be, and what is wrong with a value.

A signature, a `schema.Schema`, a pydantic model or a dataclass becomes JSON Schema, the one truth
(`input_of_signature`, `input_of`, `output_schema`); a value is held against it (`Check`); what
passed is turned into the author's own types (`Input.parse`, `Output.parse`); and providers get
the forms they accept (`to_strict`, `provider_safe`).
"""

from __future__ import annotations

from agenthost_sdk.errors import InvalidInput, SchemaError
from agenthost_sdk.schemas.check import Check, check
from agenthost_sdk.schemas.files import read_schema
from agenthost_sdk.schemas.findings import JsonSchema
from agenthost_sdk.schemas.inputs import Arguments, Input
from agenthost_sdk.schemas.output import Output, output_schema
from agenthost_sdk.schemas.problems import Problem
from agenthost_sdk.schemas.provider import is_wrapped, provider_safe, unwrapped
from agenthost_sdk.schemas.specs import input_of, input_of_signature
from agenthost_sdk.schemas.strict import to_strict

__all__ = [
    "Arguments",
    "Check",
    "Input",
    "InvalidInput",
    "JsonSchema",
    "Output",
    "Problem",
    "SchemaError",
    "check",
    "input_of",
    "input_of_signature",
    "is_wrapped",
    "output_schema",
    "provider_safe",
    "read_schema",
    "to_strict",
    "unwrapped",
]
