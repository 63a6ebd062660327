"""Write a model's reply as the Messages API does: as one message, or as events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from support.chat_protocol import cut, written
from support.chat_rules import is_object

Json = dict[str, Any]

#: What each request costs, where a reply does not say so itself.
USAGE = {"input_tokens": 11, "output_tokens": 7}

#: The header that bears the name of a request.
REQUEST_ID = "request-id"

#: What vouches for the thoughts of a reply that brings no blocks of its own.
SIGNATURE = "c2lnbmF0dXJlIG9mIHRoZSB0aG91Z2h0cw=="


def sse(told: Iterable[Json]) -> str:
    """Return events as server-sent events, each under its name."""
    return "".join(map(_event, told))


def answer(reply: Json, body: Json) -> Json:
    """Return the reply in one piece."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "m"),
        "content": [_with_object(block) for block in _blocks(reply)],
        "stop_reason": _reason(reply),
        "stop_sequence": reply.get("stop_sequence"),
        "usage": reply.get("usage", USAGE),
    }


def events(reply: Json, body: Json) -> list[str]:
    """Return the reply as the events of a stream, the end among them."""
    return list(map(_event, _told(reply, answer(reply, body))))


def failure(error: Json, request_id: str) -> Json:
    """Return an error as the body of an answer."""
    return {"type": "error", "error": error, "request_id": request_id}


def failure_event(error: Json) -> str:
    """Return an error as an event of a stream that began well."""
    return _event({"type": "error", "error": error})


def _blocks(reply: Json) -> list[Json]:
    """Return the content: the thoughts, the blocks as they stand, the text, then the calls."""
    blocks: list[Json] = []
    if reply.get("thinking"):
        thoughts = {"thinking": reply["thinking"], "signature": SIGNATURE}
        blocks.append({"type": "thinking", **thoughts})
    blocks += reply.get("blocks", [])
    if text := reply.get("text") or reply.get("refusal"):
        blocks.append({"type": "text", "text": text})
    return blocks + [{"type": "tool_use", **call} for call in reply.get("tool_calls", [])]


def _with_object(block: Json) -> Json:
    """Return a block whose input is an object: that of a text of JSON, none of a broken one."""
    if not isinstance(block.get("input"), str):
        return block
    text = block["input"]
    return {**block, "input": json.loads(text) if is_object(text) else {}}


def _reason(reply: Json) -> str:
    if "finish" in reply:
        return str(reply["finish"])
    if reply.get("refusal"):
        return "refusal"
    kinds = [block["type"] for block in _blocks(reply)]
    return "tool_use" if "tool_use" in kinds else "end_turn"


def _told(reply: Json, whole: Json) -> Iterator[Json]:
    usage, end = whole["usage"], ("stop_reason", "stop_sequence")
    begun = {**whole, "content": [], **dict.fromkeys(end)}
    yield {"type": "message_start", "message": begun | {"usage": {**usage, "output_tokens": 1}}}
    yield {"type": "ping"}
    for index, block in enumerate(_blocks(reply)):
        yield from ({**event, "index": index} for event in _of_block(block))
    yield {
        "type": "message_delta",
        "delta": {name: whole[name] for name in end},
        "usage": {"output_tokens": usage["output_tokens"]},
    }
    yield {"type": "message_stop"}


def _of_block(block: Json) -> Iterator[Json]:
    start, deltas = _in_pieces(block)
    yield {"type": "content_block_start", "content_block": start}
    for delta in deltas:
        yield {"type": "content_block_delta", "delta": delta}
    yield {"type": "content_block_stop"}


def _in_pieces(block: Json) -> tuple[Json, list[Json]]:
    """Return how a block begins, and what is added to it; most kinds come whole."""
    kind = block["type"]
    if kind == "text":
        added: list[Json] = [
            {"type": "text_delta", "text": piece} for piece in cut(block["text"], 5)
        ]
        cited = [
            {"type": "citations_delta", "citation": one} for one in block.get("citations") or ()
        ]
        return {"type": "text", "text": ""}, added + cited
    if kind == "thinking":
        added = [
            {"type": "thinking_delta", "thinking": piece} for piece in cut(block["thinking"], 5)
        ]
        signed = {"type": "signature_delta", "signature": block["signature"]}
        return {"type": "thinking", "thinking": "", "signature": ""}, [*added, signed]
    if "input" in block:
        text = written(block["input"]) if block["input"] else ""
        pieces = ["", *cut(text, 7)]
        added = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        return {**block, "input": {}}, added
    return block, []


def _event(event: Json) -> str:
    return f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"
