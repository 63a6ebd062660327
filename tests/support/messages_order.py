"""Say what Anthropic refuses in the messages of a request: their order, blocks and ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_ID = re.compile(r"[a-zA-Z0-9_-]+")
_MEDIA = ("image/jpeg", "image/png", "image/gif", "image/webp")

#: Blocks that only one of the two may say; what else there is, either may.
_OF_USER = {"tool_result", "image", "document", "search_result", "container_upload"}
_OF_ASSISTANT = {"tool_use", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use"}
_IN_RESULTS = {"text", "image", "document", "search_result", "tool_reference"}

#: The fields that a block may have; of kinds that are not here, any.
_FIELDS = {
    "text": {"type", "text", "citations", "cache_control"},
    "tool_use": {"type", "id", "name", "input", "cache_control", "caller"},
    "tool_result": {"type", "tool_use_id", "content", "is_error", "cache_control"},
    "thinking": {"type", "thinking", "signature"},
    "redacted_thinking": {"type", "data"},
    "image": {"type", "source", "cache_control"},
}


def order_refusals(messages: list[Json]) -> Iterator[str]:
    """Yield each fault of the messages, and where it is."""
    if extra := {name for message in messages for name in message} - {"role", "content"}:
        yield f"messages: one has {sorted(extra)}"
    turns = _turns(messages)
    if not turns:
        yield "messages: there are none"
    elif turns[0]["role"] == "assistant":
        yield "messages: the first is not the user's"
    for number, turn in enumerate(turns):
        is_prefill = number == len(turns) - 1 and turn["role"] == "assistant"
        yield from (f"messages.{number}: {fault}" for fault in _of_turn(turn, is_prefill))
    yield from _of_pairs(turns)


def _turns(messages: list[Json]) -> list[Json]:
    """Join messages in a row that are of one role, as the provider does.

    What the system says in between belongs to no turn.
    """
    turns: list[Json] = []
    for message in messages:
        if message["role"] == "system":
            continue
        blocks = _blocks(message["content"])
        if turns and turns[-1]["role"] == message["role"]:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": message["role"], "content": [*blocks]})
    return turns


def _blocks(content: str | list[Json]) -> list[Json]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        raise TypeError(f"the content {content!r} is no list of blocks")
    return content


def _of_turn(turn: Json, is_prefill: bool) -> Iterator[str]:
    role, blocks = turn["role"], turn["content"]
    if role not in ("user", "assistant"):
        yield f"{role!r} is no role"
    if not blocks:
        yield "the content is empty"
    for block in blocks:
        kind = block["type"]
        if kind in (_OF_ASSISTANT if role == "user" else _OF_USER):
            yield f"a block of the kind {kind!r} of the {role}"
        if extra := block.keys() - _FIELDS.get(kind, block.keys()):
            yield f"a block of the kind {kind!r} with {sorted(extra)}"
        yield from _KINDS.get(kind, _nothing)(block)
    if role == "assistant" and blocks and blocks[-1]["type"].endswith("thinking"):
        yield "the assistant's last block is of its thoughts"
    if is_prefill and blocks and blocks[-1].get("text", "")[-1:].isspace():
        yield "the last text of the assistant ends in white space"


def _of_pairs(turns: list[Json]) -> Iterator[str]:
    """Each call is answered once, in the turn right after it and before what else is said."""
    open_ids: list[str] = []
    used: set[str] = set()
    for number, turn in enumerate(turns):
        where = f"messages.{number}"
        kinds = [block["type"] for block in turn["content"]]
        answered = Counter(
            block["tool_use_id"] for block in turn["content"] if block["type"] == "tool_result"
        )
        if missing := [id for id in open_ids if id not in answered]:
            yield f"{where}: the calls {missing} have no result right after"
        if strange := answered.keys() - set(open_ids):
            yield f"{where}: the results {sorted(strange)} answer no call right before"
        if twice := [id for id, times in answered.items() if times > 1]:
            yield f"{where}: {twice} are answered more than once"
        if "tool_result" in kinds[kinds.count("tool_result") :]:
            yield f"{where}: a result comes after other content"
        open_ids = [block["id"] for block in turn["content"] if block["type"] == "tool_use"]
        for id, times in Counter(open_ids).items():
            if times > 1 or id in used:
                yield f"{where}: the id {id!r} is used more than once"
        used.update(open_ids)
    if open_ids:
        yield f"messages: nothing answers {open_ids}"


def _of_text(block: Json) -> Iterator[str]:
    if not (block["text"] or "").strip():
        yield "a text block is empty"


def _of_call(block: Json) -> Iterator[str]:
    if not _ID.fullmatch(block["id"]):
        yield f"{block['id']!r} is no legal id"
    if not _NAME.fullmatch(block["name"]):
        yield f"a call of {block['name']!r}, which is no legal name"
    if not isinstance(block["input"], dict):
        yield f"the input {block['input']!r} of a call is no object"


def _of_result(block: Json) -> Iterator[str]:
    content = block.get("content")
    if block.get("is_error") and not content:
        yield "a failure that says nothing"
    for part in content if isinstance(content, list) else ():
        if part["type"] not in _IN_RESULTS:
            yield f"a block of the kind {part['type']!r} in a result"
        else:
            yield from _KINDS.get(part["type"], _nothing)(part)


def _of_thoughts(block: Json) -> Iterator[str]:
    if not block["signature"]:
        yield "thoughts without their signature"
    if not isinstance(block["thinking"], str):
        yield "thoughts that are no text"


def _of_hidden_thoughts(block: Json) -> Iterator[str]:
    if not block["data"]:
        yield "hidden thoughts without data"


def _of_image(block: Json) -> Iterator[str]:
    source = block["source"]
    if source["type"] == "base64" and source["media_type"] not in _MEDIA:
        yield f"a picture in the format {source['media_type']!r}"
    if source["type"] == "base64" and not source["data"]:
        yield "a picture without data"
    if source["type"] == "url" and not source["url"].startswith(("http://", "https://")):
        yield f"{source['url']:.40} leads to no picture"


def _nothing(block: Json) -> Iterator[str]:
    yield from ()


_KINDS = {
    "text": _of_text,
    "tool_use": _of_call,
    "tool_result": _of_result,
    "thinking": _of_thoughts,
    "redacted_thinking": _of_hidden_thoughts,
    "image": _of_image,
}
