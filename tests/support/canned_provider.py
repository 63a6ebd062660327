"""Play a provider in a process of its own, with replies made beforehand.

It costs its client nothing, and knows nothing of rules: what is to be measured is the client. An
address says what is played there, so that one server serves every loop:

    http://127.0.0.1:PORT/ROUNDS/CALLS/v1

is a model that asks for CALLS parallel calls in each of ROUNDS replies, and answers then. Which
reply is due follows from the request alone, by the results that it holds; so many clients may
ask at once.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

Json = dict[str, Any]

#: What the model says before its calls, and in the end.
THOUGHT = "I shall look at the next shelf."
ANSWER = "There are 7 units on the shelf, and none of them is reserved."

#: What the model calls.
FUNCTION = "Shelf_count"

#: Characters in a piece of a streamed reply: about a token.
PIECE = 4


class CannedProvider:
    """The provider for the time of a `with` block; in another process, so that it is not measured.

    The process ends when its standard input does, so it never outlives the one that began it.
    """

    def __enter__(self) -> CannedProvider:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__))], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        self._port = int(self._process.stdout.readline())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        self._process.communicate()

    def openai_url(self, rounds: int, calls: int = 1) -> str:
        """Return the base URL for OpenAI's clients."""
        return f"{self.anthropic_url(rounds, calls)}/v1"

    def anthropic_url(self, rounds: int, calls: int = 1) -> str:
        """Return the base URL for Anthropic's clients."""
        return f"http://127.0.0.1:{self._port}/{rounds}/{calls}"


def main() -> None:
    """Serve until standard input ends; the port is said on standard output."""
    server = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(server.getsockname()[1], flush=True)
    threading.Thread(target=_accept, args=(server,), daemon=True).start()
    sys.stdin.read()


def _accept(server: socket.socket) -> None:
    while True:
        connection, _ = server.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=_serve, args=(connection,), daemon=True).start()


def _serve(connection: socket.socket) -> None:
    """Answer one request after the other, until the client hangs up."""
    with connection, connection.makefile("rb") as arriving:
        while line := arriving.readline():
            length = 0
            while (header := arriving.readline().lower()) not in (b"\r\n", b""):
                if header.startswith(b"content-length:"):
                    length = int(header.partition(b":")[2])
            path = line.split()[1].decode("ascii")
            connection.sendall(_answer(path, arriving.read(length)))


def _answer(path: str, body: bytes) -> bytes:
    _, rounds, calls, rest = path.split("/", 3)
    api = _MESSAGES if rest.endswith("messages") else _CHAT
    done = body.count(api.mark) // int(calls)
    is_stream = body.count(b'"stream":true') + body.count(b'"stream": true') > 0
    return _reply(api, int(rounds), int(calls), done, is_stream)


@cache
def _reply(api: _Api, rounds: int, calls: int, done: int, is_stream: bool) -> bytes:
    asked = [_call(done, place) for place in range(calls)] if done < rounds else []
    text = THOUGHT if asked else ANSWER
    body = (api.stream if is_stream else api.whole)(text, asked).encode()
    kind = "text/event-stream" if is_stream else "application/json"
    head = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _call(done: int, place: int) -> Json:
    given = {"sku": f"AB-{done:03}", "shelf": place, "reserved": True}
    return {"id": f"call_{done:04}_{place:04}_aBcDeFgHiJkL", "name": FUNCTION, "input": given}


class _Api:
    """How one provider's API writes a reply.

    Args:
        mark: What stands once in a request for each result of a call.
        whole: Writes a reply in one piece.
        stream: Writes it as server-sent events.
    """

    def __init__(
        self,
        mark: bytes,
        whole: Callable[[str, list[Json]], str],
        stream: Callable[[str, list[Json]], str],
    ) -> None:
        self.mark = mark
        self.whole = whole
        self.stream = stream


def _completion(text: str, calls: list[Json]) -> str:
    said: Json = {"role": "assistant", "content": text, "refusal": None, "annotations": []}
    if calls:
        said["tool_calls"] = [_function(call) for call in calls]
    choice = {"index": 0, "message": said, "logprobs": None, "finish_reason": _reason(calls)}
    return json.dumps({**_envelope(""), "choices": [choice], "usage": _CHAT_USAGE})


def _chunks(text: str, calls: list[Json]) -> str:
    deltas: list[Json] = [{"role": "assistant", "content": "", "refusal": None}]
    deltas += [{"content": piece} for piece in _cut(text)]
    for index, call in enumerate(calls):
        whole = _function(call)
        begun = {**whole, "function": {**whole["function"], "arguments": ""}}
        deltas.append({"tool_calls": [{"index": index, **begun}]})
        for piece in _cut(whole["function"]["arguments"]):
            deltas.append({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    chunks = [_chunk(delta, None) for delta in deltas]
    chunks.append(_chunk({}, _reason(calls)))
    chunks.append({**_envelope(".chunk"), "choices": [], "usage": _CHAT_USAGE})
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


def _chunk(delta: Json, reason: str | None) -> Json:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    return {**_envelope(".chunk"), "choices": [choice], "usage": None}


def _function(call: Json) -> Json:
    function = {"name": call["name"], "arguments": json.dumps(call["input"])}
    return {"id": call["id"], "type": "function", "function": function}


def _reason(calls: list[Json]) -> str:
    return "tool_calls" if calls else "stop"


def _envelope(kind: str) -> Json:
    return {
        "id": "chatcmpl-Dq2Lr0o3YJ5iXxVbN8sTfKeW7uZaH",
        "object": f"chat.completion{kind}",
        "created": 1764000000,
        "model": "m-2026",
        "service_tier": "default",
        "system_fingerprint": "fp_0123456789",
    }


_CHAT_USAGE = {
    "prompt_tokens": 211,
    "completion_tokens": 31,
    "total_tokens": 242,
    "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
}


def _message(text: str, calls: list[Json]) -> str:
    used = [{"type": "tool_use", **call} for call in calls]
    return json.dumps(
        {
            **_begun(),
            "content": [{"type": "text", "text": text}, *used],
            "stop_reason": "tool_use" if calls else "end_turn",
        }
    )


def _events(text: str, calls: list[Json]) -> str:
    events: list[Json] = [{"type": "message_start", "message": _begun()}]
    words = [{"type": "text_delta", "text": piece} for piece in _cut(text)]
    events += _block(0, {"type": "text", "text": ""}, words)
    for index, call in enumerate(calls, 1):
        given = [
            {"type": "input_json_delta", "partial_json": piece}
            for piece in ["", *_cut(json.dumps(call["input"]))]
        ]
        events += _block(index, {"type": "tool_use", **call, "input": {}}, given)
    end = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    events.append({"type": "message_delta", "delta": end, "usage": {"output_tokens": 31}})
    events.append({"type": "message_stop"})
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)


def _block(index: int, begun: Json, deltas: list[Json]) -> list[Json]:
    return [
        {"type": "content_block_start", "index": index, "content_block": begun},
        *[{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas],
        {"type": "content_block_stop", "index": index},
    ]


def _begun() -> Json:
    return {
        "id": "msg_01AbCdEfGhIjKlMnOpQrStUv",
        "type": "message",
        "role": "assistant",
        "model": "m-2026",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 211,
            "output_tokens": 31,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "service_tier": "standard",
        },
    }


def _cut(text: str) -> list[str]:
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]


_CHAT = _Api(b'"tool_call_id"', _completion, _chunks)
_MESSAGES = _Api(b'"tool_use_id"', _message, _events)

if __name__ == "__main__":
    main()
