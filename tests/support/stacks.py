"""Hypothesis strategies for prompt stacks: all that the sdk can build, sound or odd."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    DocumentArtifact,
    ErrorArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    InfoArtifact,
    JsonArtifact,
    ListArtifact,
    TextArtifact,
)
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    AudioMessageContent,
    BaseMessageContent,
    DocumentMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    PromptStack,
    ReasoningMessageContent,
    TextMessageContent,
)

#: Texts with all that is hard to carry: nothing, white space, other scripts, half a character.
texts = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["", " ", "\n", "words", 'said "so"\\', "ünïcode 🧮", "half \ud83d", "\0\x1f"]
    ),
)

#: Names of calls: few, so that they meet again; missing, too long, and of another provider.
ids = st.sampled_from(["a", "b", "call_1", "", "x" * 50, "functions.F:0", "é"])

#: Names of functions: those of the tools, and what a model makes up.
natives = st.sampled_from(["Stock_count", "Stock_site", "made up!", "", "n" * 80])

json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)

#: Inputs of calls as JSON text; what cannot be read, or is no object, is among them.
arguments = st.one_of(
    st.dictionaries(st.text(max_size=5), json_values, max_size=3).map(json.dumps),
    st.sampled_from(['{"sku": "x"}', "", "null", "[1]", '{"sku', '{"a": NaN}', '{"a": "\ud83d"}']),
)

pictures = st.builds(
    ImageArtifact, st.binary(min_size=1, max_size=6), format=st.sampled_from(["png", "jpeg"])
)
addresses = st.sampled_from(["https://example.org/cat.png", "http://example.org/a%20b.jpg"])
sounds = st.builds(
    AudioArtifact, st.binary(min_size=1, max_size=6), format=st.sampled_from(["wav", "mp3"])
)
documents = st.builds(
    DocumentArtifact,
    st.binary(min_size=1, max_size=6),
    format=st.sampled_from(["pdf", "plain"]),
    name=st.sampled_from(["", "report.pdf"]),
)

_plain_outputs = st.one_of(
    texts.map(TextArtifact),
    texts.map(ErrorArtifact),
    texts.map(InfoArtifact),
    json_values.map(JsonArtifact),
    pictures,
    addresses.map(ImageUrlArtifact),
    documents,
)

#: What an action may give.
outputs: st.SearchStrategy[BaseArtifact] = st.one_of(
    _plain_outputs, st.lists(_plain_outputs, max_size=3).map(ListArtifact)
)

text_blocks = st.builds(TextMessageContent, texts)
media_blocks = st.one_of(
    st.builds(ImageMessageContent, pictures | addresses.map(ImageUrlArtifact)),
    st.builds(AudioMessageContent, sounds),
    st.builds(DocumentMessageContent, documents),
)
calls = st.builds(ActionCallMessageContent, ids, natives, arguments)
results = st.builds(ActionResultMessageContent, ids, natives, outputs, st.booleans())


def own_blocks(provider: str, values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Return thoughts and generic blocks of one provider, whose own form is one of the values."""
    return st.one_of(
        st.builds(ReasoningMessageContent, texts, values, st.just(provider)),
        st.builds(GenericMessageContent, values, st.just(provider)),
    )


#: Thoughts that nobody wants back, and blocks that no provider of ours knows.
foreign_blocks = st.one_of(
    st.builds(ReasoningMessageContent, texts),
    own_blocks("another", st.just({"type": "secret", "data": "…"})),
)

#: Every kind of block, wherever it may stand.
any_blocks: st.SearchStrategy[BaseMessageContent] = st.one_of(
    text_blocks, media_blocks, calls, results, foreign_blocks
)


def messages(
    blocks: st.SearchStrategy[BaseMessageContent] = any_blocks,
) -> st.SearchStrategy[Message]:
    """Return messages of any role with any of the blocks in them, in any order."""
    roles = st.sampled_from(["system", "user", "assistant"])
    return st.builds(Message, roles, st.lists(blocks, max_size=5).map(tuple))


_OBJECT = {
    "type": "object",
    "properties": {"sku": {"type": "string", "maxLength": 9}, "n": {"type": ["integer", "null"]}},
    "required": ["sku"],
}

TOOLS = tuple(
    ToolSpec(native, "Stock", native.removeprefix("Stock_"), "Tell of stock.", schema)
    for native, schema in (
        ("Stock_count", {**_OBJECT, "additionalProperties": False}),
        ("Stock_site", {"anyOf": [_OBJECT, {"type": "object"}]}),
    )
)

ASKED = Message("user", (TextMessageContent("And now?"),))


def stacks(
    blocks: st.SearchStrategy[BaseMessageContent] = any_blocks,
) -> st.SearchStrategy[PromptStack]:
    """Return stacks of any messages; the last one is a question of the user."""
    return st.builds(
        lambda said, tools, stop, choice, schema: PromptStack(
            [*said, ASKED], tools, stop, choice if tools else "auto", schema
        ),
        st.lists(messages(blocks), max_size=8),
        st.sampled_from([(), TOOLS]),
        st.sampled_from([(), ("Observation:",), ("1", "2", "3", "4", "5")]),
        st.sampled_from(["auto", "none", "required"]),
        st.sampled_from([None, {**_OBJECT, "title": "Stock level!"}]),
    )
