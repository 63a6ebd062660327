"""Play a model's provider on loopback: strict about requests, with replies from a list.

It answers chat completions and Anthropic's messages from the list, and counts of tokens,
embeddings and lists of models by itself. A reply is a dictionary in one of three forms.

A model's reply, each field of which may be absent:

    {"text": "…", "tool_calls": [{"id": "…", "name": "…", "input": {}}],
     "thinking": "…", "refusal": "…",
     "blocks": [{"type": "redacted_thinking", …}],   as they stand; messages only
     "finish": "…", "usage": {…}}                     in the provider's own words

An error, which also answers what would not take a reply from the list:

    {"status": 429, "error": {"type": "…", "message": "…"}}

An answer as it was recorded; `expected` marks it as one:

    {"status": 200, "expected": {}, "sse": "data: …"}        (or "response": {…})

Any of them may say how it is sent:

    "headers": {"retry-after": "3"}
    "piece": 7                bytes that a stream is sent in
    "cut_after": 20           bytes of the body after which the connection drops
    "ends_after": 3           events after which the stream just stops
    "stream_error": {…}       an error as the last event of the stream
    "hold": Event()           what the answer waits for, at the start or after "hold_after" bytes
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from support.answers import Answer, answer
from support.chat_protocol import chunk as chunk
from support.chat_protocol import sse as sse
from support.other_requests import embedding_refusals, embeddings, models, token_count
from support.provider_rules import count_refusals, refusals

Json = dict[str, Any]

#: What a request that waits for the test waits at most, in seconds.
_PATIENCE = 60


class ProviderServer:
    """A provider for the time of a `with` block.

    Args:
        replies: What it answers, one after the other; past the end it answers 500.
        repeat: Whether it starts the list again instead.
        piece: Bytes that a stream is sent in; 0 sends it whole.
        may_refuse: Whether a request that is against the rules is the point of the test; else
            the end of the `with` block raises an `AssertionError` that says what was refused.
    """

    def __init__(
        self,
        replies: list[Json] | None = None,
        *,
        repeat: bool = False,
        piece: int = 0,
        may_refuse: bool = False,
    ) -> None:
        self.replies = list(replies or [])
        self.repeat = repeat
        self.piece = piece
        self.may_refuse = may_refuse
        #: The names of the models that it lists.
        self.models = ["m"]
        #: The bodies that asked for a reply, for a count of tokens, and for vectors.
        self.requests: list[Json] = []
        self.counted: list[Json] = []
        self.embedded: list[Json] = []
        #: The headers of all that arrived, and the reasons for each that was refused.
        self.headers: list[dict[str, str]] = []
        self.refused: list[list[str]] = []
        self._given = 0
        self._changed = threading.Condition()
        self._http = _LoopbackServer(self)

    @property
    def openai_url(self) -> str:
        """The base URL for OpenAI's clients."""
        return f"{self.anthropic_url}/v1"

    @property
    def anthropic_url(self) -> str:
        """The base URL for Anthropic's clients."""
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> ProviderServer:
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        self._release()
        self._http.shutdown()
        self._http.server_close()
        if self.refused and not self.may_refuse:
            self._complain(error)

    def wait_for(self, number: int) -> None:
        """Return when so many requests for a reply have arrived."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.requests) >= number, _PATIENCE)

    def reply_to(self, body: Json, api: str = "chat") -> Json:
        """Note a request for a reply and return it, or the refusal."""
        with self._changed:
            self.requests.append(body)
            self._changed.notify_all()
            return self._refusal(refusals(api, body)) or self._next()

    def count(self, body: Json) -> Json:
        """Note a request for a count of tokens and return it, an error of the list, or the
        refusal."""
        with self._changed:
            self.counted.append(body)
            refusal = self._refusal(list(count_refusals(body)))
            return refusal or self._error() or {"response": token_count(body)}

    def embed(self, body: Json) -> Json:
        """Note a request for vectors and return them, an error of the list, or the refusal."""
        with self._changed:
            self.embedded.append(body)
            refusal = self._refusal(list(embedding_refusals(body)))
            return refusal or self._error() or {"response": embeddings(body)}

    def _refusal(self, reasons: list[str]) -> Json | None:
        if not reasons:
            return None
        self.refused.append(reasons)
        error = {"type": "invalid_request_error", "message": "; ".join(reasons)}
        return {"status": 400, "error": error}

    def _next(self) -> Json:
        if self.repeat and self.replies:
            self._given %= len(self.replies)
        if self._given >= len(self.replies):
            return _failure(500, "no reply is left")
        self._given += 1
        return self.replies[self._given - 1]

    def _error(self) -> Json | None:
        """Return the next reply if it is an error: these come whatever is asked."""
        is_error = self._given < len(self.replies) and "error" in self.replies[self._given]
        return self._next() if is_error else None

    def _release(self) -> None:
        """Let go what still waits, so that no thread outlives the server."""
        for reply in self.replies:
            if "hold" in reply:
                reply["hold"].set()

    def _complain(self, error: BaseException | None) -> None:
        told = f"the provider refused {self.refused}"
        if error is None:
            raise AssertionError(told)
        error.add_note(told)


class _LoopbackServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # many threads may call at once

    def __init__(self, provider: ProviderServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.provider = provider

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a client that hung up; all else is a fault of the server or of a test."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            self.provider.refused.append([f"the server failed: {error!r}"])


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _LoopbackServer

    def do_GET(self) -> None:
        provider = self._arrived()
        if not self.path.partition("?")[0].endswith("/models"):
            self._send(_failure(404, f"nothing is at {self.path}"), {}, "chat")
            return
        as_anthropic = "anthropic-version" in self.headers
        listed = models(provider.models, as_anthropic=as_anthropic)
        self._send({"response": listed}, {}, "messages" if as_anthropic else "chat")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        provider = self._arrived()
        path = self.path.partition("?")[0]
        for end, api, reply in _ROUTES:
            if path.endswith(end):
                self._send(reply(provider, body), body, api)
                return
        self._send(_failure(404, f"nothing is at {path}"), {}, "chat")

    def _arrived(self) -> ProviderServer:
        provider = self.server.provider
        provider.headers.append({name.lower(): value for name, value in self.headers.items()})
        return provider

    def _send(self, reply: Json, body: Json, api: str) -> None:
        hold, held = reply.get("hold"), reply.get("hold_after")
        if hold is not None and held is None:
            hold.wait(_PATIENCE)
        told = answer(reply, body, api, f"req_{len(self.server.provider.headers)}")
        self.send_response(told.status)
        for name, value in told.headers.items():
            self.send_header(name, value)
        if told.is_stream and held is not None:
            self._send_pieces([told.content[:held], told.content[held:]], hold)
        elif size := told.is_stream and reply.get("piece", self.server.provider.piece):
            self._send_pieces(list(_cut(told.content, size)))
        else:
            self._send_whole(told, reply.get("cut_after"))

    def _send_whole(self, told: Answer, cut_after: int | None) -> None:
        self.send_header("content-length", str(len(told.content)))
        self.end_headers()
        self.wfile.write(told.content[:cut_after])
        if cut_after is not None and cut_after < len(told.content):
            self.close_connection = True

    def _send_pieces(self, pieces: list[bytes], hold: threading.Event | None = None) -> None:
        """Send each piece as a chunk, which reaches the client's decoder as such."""
        chunks = [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces if piece]
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        if hold is not None:
            self.wfile.write(chunks.pop(0))
            hold.wait(_PATIENCE)
        self.wfile.write(b"".join([*chunks, b"0\r\n\r\n"]))

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


#: What a path ends in, the API that it belongs to, and what answers there.
_ROUTES: tuple[tuple[str, str, Callable[[ProviderServer, Json], Json]], ...] = (
    ("/chat/completions", "chat", lambda provider, body: provider.reply_to(body, "chat")),
    ("/embeddings", "chat", ProviderServer.embed),
    ("/messages/count_tokens", "messages", ProviderServer.count),
    ("/messages", "messages", lambda provider, body: provider.reply_to(body, "messages")),
)


def _failure(status: int, message: str) -> Json:
    return {"status": status, "error": {"type": "api_error", "message": message}}


def _cut(content: bytes, size: int) -> Iterator[bytes]:
    return (content[start : start + size] for start in range(0, len(content), size))
