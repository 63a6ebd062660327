"""Turn the wheel's all-MiniLM-L6-v2 (safetensors and a word list) into a GGUF file.

llama.cpp embeds with it then, so that no second runtime is needed. The numbers are copied as
they are, and the same input always makes the same file: its hash can be pinned.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_EMBEDDINGS = {
    "word_embeddings": "token_embd",
    "token_type_embeddings": "token_types",
    "position_embeddings": "position_embd",
    "LayerNorm": "token_embd_norm",
}
_LAYERS = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
_FACTS: dict[str, Any] = {
    "general.architecture": "bert",
    "general.name": "all-MiniLM-L6-v2",
    "general.file_type": 0,
    "bert.block_count": 6,
    "bert.context_length": 512,
    "bert.embedding_length": 384,
    "bert.feed_forward_length": 1536,
    "bert.attention.head_count": 12,
    "bert.attention.layer_norm_epsilon": 1e-12,
    "bert.attention.causal": False,
    "bert.pooling_type": 1,
    "tokenizer.ggml.model": "bert",
    "tokenizer.ggml.pre": "default",
    "tokenizer.ggml.token_type_count": 2,
    "tokenizer.ggml.padding_token_id": 0,
    "tokenizer.ggml.unknown_token_id": 100,
    "tokenizer.ggml.bos_token_id": 101,
    "tokenizer.ggml.cls_token_id": 101,
    "tokenizer.ggml.eos_token_id": 102,
    "tokenizer.ggml.seperator_token_id": 102,  # llama.cpp spells it so
    "tokenizer.ggml.mask_token_id": 103,
}
_ALIGNMENT = 32


def to_gguf(folder: Path, target: Path) -> None:
    """Write the model in a folder as one GGUF file of 32-bit floats."""
    header, data = _safetensors(folder / "model.safetensors")
    tensors = [(name, entry) for key, entry in header.items() if (name := _name(key))]
    facts = {**_FACTS, **_words((folder / "vocab.txt").read_text("utf-8").splitlines())}
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts))
    head += b"".join(_fact(key, value) for key, value in facts.items())
    head += b"".join(_places(tensors))
    with target.open("wb") as file:
        file.write(_padded(head))
        for _, entry in tensors:
            start, end = entry["data_offsets"]
            file.write(_padded(data[start:end]))


def _safetensors(path: Path) -> tuple[dict[str, Any], bytes]:
    raw = path.read_bytes()
    length = struct.unpack_from("<Q", raw)[0]
    return json.loads(raw[8 : 8 + length]), raw[8 + length :]


def _name(key: str) -> str | None:
    """Return llama.cpp's name of a tensor; None for one that embedding does not need."""
    if match := re.fullmatch(r"embeddings\.(\w+)\.(weight|bias)", key):
        return f"{_EMBEDDINGS[match[1]]}.{match[2]}"
    if match := re.fullmatch(r"encoder\.layer\.(\d+)\.(.+)\.(weight|bias)", key):
        return f"blk.{match[1]}.{_LAYERS[match[2]]}.{match[3]}"
    return None


def _words(vocabulary: list[str]) -> dict[str, Any]:
    """Return the word list as llama.cpp wants it: the start of a word marked, not the rest."""
    special = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
    return {
        "tokenizer.ggml.tokens": [
            word if word in special else word[2:] if word.startswith("##") else f"\u2581{word}"
            for word in vocabulary
        ],
        "tokenizer.ggml.token_type": [3 if word in special else 1 for word in vocabulary],
    }


def _fact(key: str, value: Any) -> bytes:
    return _text(key) + _typed(value)


def _typed(value: Any) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value[0], str):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(_text, value))
    return struct.pack(f"<IIQ{len(value)}i", 9, 5, len(value), *value)


def _text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def _places(tensors: list[tuple[str, Any]]) -> Iterator[bytes]:
    offset = 0
    for name, entry in tensors:
        shape = entry["shape"][::-1]
        yield _text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, offset)
        start, end = entry["data_offsets"]
        offset += end - start + (start - end) % _ALIGNMENT


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % _ALIGNMENT)
