"""Play a model's provider on loopback: strict about requests, with replies from a list.

A reply is a dictionary in one of three forms, any of them with `cut_after` (drop the connection
after so many bytes of the body):

    {"text": "…", "tool_calls": [{"id": "…", "name": "…", "input": {}}]}   a model's reply
    {"status": 429, "error": {"message": "…"}, "headers": {}}             an error
    {"status": 200, "expected": {}, "sse": "data: …"}                      a body as it stands
                                                                           (or "response": {…})
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

from support.provider_rules import chat_refusals

Json = dict[str, Any]

USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


class ProviderServer:
    """A provider for the time of a `with` block.

    Args:
        replies: What it answers, one after the other.
        piece: Bytes that a stream is sent in; 0 sends it whole.
    """

    def __init__(self, replies: list[Json], *, piece: int = 0) -> None:
        self.replies = list(replies)
        self.piece = piece
        #: The bodies and headers that arrived, and the reasons for each that was refused.
        self.requests: list[Json] = []
        self.headers: list[dict[str, str]] = []
        self.refused: list[list[str]] = []
        self._numbers = count()
        self._http = _LoopbackServer(self)

    @property
    def openai_url(self) -> str:
        """The base URL for OpenAI's clients."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> ProviderServer:
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def reply_to(self, body: Json) -> Json:
        """Note the request and return its reply, or the refusal of it."""
        self.requests.append(body)
        if reasons := list(chat_refusals(body)):
            self.refused.append(reasons)
            return {"status": 400, "error": {"message": "; ".join(reasons)}}
        number = next(self._numbers)
        if number < len(self.replies):
            return self.replies[number]
        return {"status": 500, "error": {"message": "no reply is left"}}


class _LoopbackServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # many threads may call at once

    def __init__(self, provider: ProviderServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.provider = provider

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a client that hung up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _LoopbackServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.provider.headers.append({k.lower(): v for k, v in self.headers.items()})
        reply = self.server.provider.reply_to(body)
        kind, content = _rendered(reply, body)
        self.send_response(reply.get("status", 200))
        self.send_header("content-type", kind)
        for name, value in reply.get("headers", {}).items():
            self.send_header(name, value)
        if self.server.provider.piece and kind == "text/event-stream":
            self._send_in_pieces(content, self.server.provider.piece)
        else:
            self._send_whole(content, reply.get("cut_after"))

    def _send_whole(self, content: bytes, cut_after: int | None) -> None:
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:cut_after])
        if cut_after is not None and cut_after < len(content):
            self.close_connection = True

    def _send_in_pieces(self, content: bytes, size: int) -> None:
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for start in range(0, len(content), size):
            piece = content[start : start + size]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _rendered(reply: Json, body: Json) -> tuple[str, bytes]:
    if "sse" in reply:
        return "text/event-stream", reply["sse"].encode()
    if "response" in reply:
        return "application/json", json.dumps(reply["response"]).encode()
    if "error" in reply:
        return "application/json", json.dumps({"error": reply["error"]}).encode()
    if body.get("stream"):
        return "text/event-stream", sse(_chunks(reply, body)).encode()
    return "application/json", json.dumps(_completion(reply, body)).encode()


def sse(chunks: Iterator[Json] | list[Json], *, done: bool = True) -> str:
    """Return chunks as server-sent events."""
    events = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in chunks]
    return "".join([*events, *(["data: [DONE]\n\n"] if done else [])])


def chunk(delta: Json, finish_reason: str | None = None, **fields: Any) -> Json:
    """Return a chunk of a stream that adds `delta` to the reply."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {**_envelope("chat.completion.chunk"), "choices": [choice], **fields}


def _chunks(reply: Json, body: Json) -> Iterator[Json]:
    yield chunk({"role": "assistant", "content": ""})
    for piece in _cut(reply.get("text", ""), 5):
        yield chunk({"content": piece})
    for index, call in enumerate(_calls(reply)):
        arguments = call["function"].pop("arguments")
        yield chunk({"tool_calls": [{"index": index, **call}]})
        for piece in _cut(arguments, 7):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, _reason(reply))
    if body.get("stream_options", {}).get("include_usage"):
        yield {**_envelope("chat.completion.chunk"), "choices": [], "usage": USAGE}


def _completion(reply: Json, body: Json) -> Json:
    said: Json = {"role": "assistant", "content": reply.get("text") or None}
    if calls := _calls(reply):
        said["tool_calls"] = calls
    choice = {"index": 0, "message": said, "finish_reason": _reason(reply)}
    return {**_envelope("chat.completion"), "choices": [choice], "usage": USAGE}


def _calls(reply: Json) -> list[Json]:
    return [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["input"])},
        }
        for call in reply.get("tool_calls", [])
    ]


def _reason(reply: Json) -> str:
    return "tool_calls" if reply.get("tool_calls") else "stop"


def _envelope(kind: str) -> Json:
    return {"id": "chatcmpl-1", "object": kind, "created": 0, "model": "m"}


def _cut(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))
