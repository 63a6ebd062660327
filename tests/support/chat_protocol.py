"""Write a model's reply as chat completions do: as one completion, or as chunks of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

#: What each request costs, where a reply does not say so itself.
USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}

#: The header that bears the name of a request.
REQUEST_ID = "x-request-id"

DONE = "data: [DONE]\n\n"


def sse(chunks: Iterator[Json] | list[Json], *, done: bool = True) -> str:
    """Return chunks as server-sent events."""
    return "".join([*map(_event, chunks), *([DONE] if done else [])])


def chunk(delta: Json, finish_reason: str | None = None, **fields: Any) -> Json:
    """Return a chunk of a stream that adds `delta` to the reply."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {**_envelope("chat.completion.chunk"), "choices": [choice], **fields}


def answer(reply: Json, _body: Json) -> Json:
    """Return the reply in one piece."""
    said: Json = {"role": "assistant", "content": reply.get("text") or None, **_extras(reply)}
    if calls := _calls(reply):
        said["tool_calls"] = calls
    choice = {"index": 0, "message": said, "finish_reason": _reason(reply)}
    usage = reply.get("usage", USAGE)
    return {**_envelope("chat.completion"), "choices": [choice], "usage": usage}


def events(reply: Json, body: Json) -> list[str]:
    """Return the reply as the events of a stream, the mark of its end among them."""
    return [*map(_event, _chunks(reply, body)), DONE]


def failure(error: Json, _request_id: str) -> Json:
    """Return an error as the body of an answer."""
    return {"error": error}


def failure_event(error: Json) -> str:
    """Return an error as an event of a stream that began well."""
    return _event({"error": error})


def _chunks(reply: Json, body: Json) -> Iterator[Json]:
    yield chunk({"role": "assistant", "content": ""})
    for name, text in _extras(reply).items():
        for piece in cut(text, 5):
            yield chunk({name: piece})
    for piece in cut(reply.get("text", ""), 5):
        yield chunk({"content": piece})
    for index, call in enumerate(_calls(reply)):
        arguments = call["function"].pop("arguments")
        yield chunk({"tool_calls": [{"index": index, **call}]})
        for piece in cut(arguments, 7):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, _reason(reply))
    if body.get("stream_options", {}).get("include_usage"):
        usage = reply.get("usage", USAGE)
        yield {**_envelope("chat.completion.chunk"), "choices": [], "usage": usage}


def _extras(reply: Json) -> dict[str, str]:
    """Return the texts that are said beside the content, by their fields."""
    fields = {"reasoning_content": reply.get("thinking"), "refusal": reply.get("refusal")}
    return {name: text for name, text in fields.items() if text}


def _calls(reply: Json) -> list[Json]:
    return [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": written(call["input"])},
        }
        for call in reply.get("tool_calls", [])
    ]


def written(given: Any) -> str:
    """Return the input of a call as JSON; a text is taken for JSON, however broken."""
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def cut(text: str, size: int) -> Iterator[str]:
    """Yield the text in pieces of a size."""
    return (text[start : start + size] for start in range(0, len(text), size))


def _reason(reply: Json) -> str:
    return str(reply.get("finish") or ("tool_calls" if reply.get("tool_calls") else "stop"))


def _envelope(kind: str) -> Json:
    return {"id": "chatcmpl-1", "object": kind, "created": 0, "model": "m"}


def _event(chunk: Json) -> str:
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"
