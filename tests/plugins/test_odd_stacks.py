"""Odd stacks, with media that nobody takes and blocks that are half of one: all can be sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthost_plugin_anthropic.encode import RequestWriter
from agenthost_plugin_anthropic.options import Options
from agenthost_plugin_openai.encode import Encoder
from agenthost_plugin_openai.profiles import PROFILES, UNKNOWN, Profile
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    BlobArtifact,
    BooleanArtifact,
    DocumentArtifact,
    GenericArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    ListArtifact,
)
from agenthost_sdk.messages import (
    ActionResultMessageContent,
    AudioMessageContent,
    DocumentMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    PromptStack,
    ReasoningMessageContent,
)
from support.provider_rules import refusals
from support.stacks import any_blocks, ids, messages, natives, outputs, own_blocks, texts

Json = dict[str, Any]

few_bytes = st.binary(max_size=4)

pictures = st.builds(
    ImageArtifact, few_bytes, format=st.sampled_from(["png", "JPG", "bmp", "svg+xml", ""])
)
addresses = st.sampled_from(
    [
        "https://e.org/a",
        "HTTPS://E.org/a",
        "https://",
        "",
        "ftp://e.org/a",
        "http://[bad",
        "data:,x",
    ]
    + [f"data:image/{kind};base64,aGk=" for kind in ("png", "bmp")]
).map(ImageUrlArtifact)
sounds = st.builds(AudioArtifact, few_bytes, format=st.sampled_from(["wav", "WAV", "ogg", ""]))
documents = st.builds(
    DocumentArtifact,
    few_bytes,
    format=st.sampled_from(["pdf", "plain", "csv", "docx", ""]),
    name=st.sampled_from(["", "a.pdf", "half \ud800", "é" * 300]),
)

#: What bears a kind's name and lacks its content, or looks like one of the provider's own blocks.
halves = st.sampled_from(
    [{"type": kind} for kind in ("text", "image", "image_url", "document", "file", "refusal")]
    + [
        {"type": "text", "text": ""},
        {"type": "text", "text": 5},
        {"type": "image_url", "image_url": {}},
        {"type": "tool_result", "tool_use_id": "x"},
        {"type": "thinking", "thinking": "x", "signature": "y"},
        {"type": 3},
        {"a": 1},
    ]
)

odd_outputs: st.SearchStrategy[BaseArtifact] = st.one_of(
    outputs,
    pictures,
    addresses,
    sounds,
    documents,
    few_bytes.map(BlobArtifact),
    st.booleans().map(BooleanArtifact),
    (halves | st.sampled_from([5, None, [1]])).map(GenericArtifact),
)

odd_blocks = st.one_of(
    any_blocks,
    st.builds(ImageMessageContent, pictures | addresses),
    st.builds(AudioMessageContent, sounds),
    st.builds(DocumentMessageContent, documents),
    st.builds(GenericMessageContent, halves),
    st.builds(ReasoningMessageContent, texts, halves),
    own_blocks("another", halves),
    st.builds(
        ActionResultMessageContent,
        ids,
        natives,
        odd_outputs | st.lists(odd_outputs, max_size=3).map(ListArtifact),
        st.booleans(),
    ),
)

odd_schemas: st.SearchStrategy[Json] = st.sampled_from(
    [
        {},
        {"type": "object"},
        {"type": "string"},
        {"type": ["object", "null"], "properties": {"a": True, "b": False}},
        {"oneOf": [{"type": "object"}, {"type": "string"}]},
        {"type": "object", "properties": {"a": {"enum": [1, "b", None]}, "b": {"const": 3}}},
        {"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}},
        {
            "$ref": "#/$defs/A",
            "$defs": {"A": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}},
        },
    ]
)


@st.composite
def odd_stacks(draw: st.DrawFn) -> PromptStack:
    """Return a stack of anything, which may be empty and need not end with a question."""
    schemas = draw(st.lists(odd_schemas, max_size=3))
    return PromptStack(
        draw(st.lists(messages(odd_blocks), max_size=6)),
        tuple(ToolSpec(f"T_{n}", "T", str(n), "", schema) for n, schema in enumerate(schemas)),
        draw(st.sampled_from([(), ("", " ", "x"), ("1", "2", "3", "4", "5")])),
        "auto",
        draw(st.none() | odd_schemas),
    )


@pytest.mark.parametrize("profile", [UNKNOWN, *map(PROFILES.get, ("openai", "deepseek"))])
@settings(deadline=None)
@given(odd_stacks(), st.booleans())
def test_openai_takes_the_request_of_an_odd_stack(
    profile: Profile, stack: PromptStack, strict: bool
) -> None:
    body = json.loads(Encoder(profile, "gpt-4.1-mini", strict).request(stack, stream=strict))

    assert refusals("chat", body) == []


@settings(deadline=None)
@given(odd_stacks(), st.booleans())
def test_anthropic_takes_the_request_of_an_odd_stack(stack: PromptStack, strict: bool) -> None:
    options = Options("claude-sonnet-4-5", strict=strict)

    body = json.loads(RequestWriter().request(stack, options, stream=strict))

    assert refusals("messages", body) == []
