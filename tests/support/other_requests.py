"""Answer what else a provider is asked for: vectors, counts of tokens, lists of models."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

_DIMENSIONS = 8
_MOST_TEXTS = 2048


def token_count(body: Json) -> Json:
    """Return how many tokens a request has: one for four characters of its messages."""
    return {"input_tokens": 1 + len(json.dumps(body["messages"], ensure_ascii=False)) // 4}


def embeddings(body: Json) -> Json:
    """Return a vector for each text, the same for the same text, as numbers or as base64."""
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    vectors = [vector(text, body.get("dimensions", _DIMENSIONS)) for text in texts]
    in_bytes = body.get("encoding_format") == "base64"
    return {
        "object": "list",
        "model": body["model"],
        "data": [
            {"object": "embedding", "index": index, "embedding": _packed(one) if in_bytes else one}
            for index, one in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": len(texts), "total_tokens": len(texts)},
    }


def embedding_refusals(body: Json) -> Iterator[str]:
    """Yield each reason why no vectors would be made."""
    texts = [body.get("input")] if isinstance(body.get("input"), str) else body.get("input")
    if not body.get("model"):
        yield "model is missing"
    if not texts or len(texts) > _MOST_TEXTS:
        yield f"input: {len(texts or ())} texts"
    elif not all(texts):
        yield "input: a text is empty"


def vector(text: str, dimensions: int = _DIMENSIONS) -> list[float]:
    """Return the vector of a text; its numbers are exact in 32 bits."""
    digest = hashlib.shake_256(text.encode()).digest(dimensions)
    return [(byte - 128) / 128 for byte in digest]


def models(names: list[str], *, as_anthropic: bool) -> Json:
    """Return the list of models, as one of the two providers has it."""
    if not as_anthropic:
        data: list[Json] = [
            {"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in names
        ]
        return {"object": "list", "data": data}
    made = {"type": "model", "created_at": "2026-01-01T00:00:00Z"}
    data = [{"id": name, "display_name": name, **made} for name in names]
    return {"data": data, "has_more": False, "first_id": names[0], "last_id": names[-1]}


def _packed(numbers: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()
