"""Send the bytes of an event stream over loopback, and read them as the driver does."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from openai import OpenAI
from openai._streaming import ServerSentEvent

from agenthost_plugin_openai import OpenAiChatPromptDriver
from agenthost_plugin_openai.events import ChunkStream
from agenthost_sdk.errors import DriverError


class Events(ChunkStream):
    """The events themselves, where the driver's stream gives the chunks that stand in them."""

    def __stream__(self) -> Iterator[Any]:
        yield from self._iter_events()


def events_of(parts: Sequence[bytes]) -> list[ServerSentEvent]:
    """Return the events that the driver's stream reads from these parts."""
    with _serving(parts) as url, OpenAI(base_url=url, api_key="key", max_retries=0) as client:
        answer = client.post(
            "/chat/completions", body={}, cast_to=object, stream=True, stream_cls=Events
        )
        with answer:
            return list[Any](answer)


def ending_of(parts: Sequence[bytes]) -> str:
    """Return how the driver says that a reply of these parts has ended."""
    with _serving(parts) as url:
        driver = OpenAiChatPromptDriver(base_url=url, api_key="key", stream=True, max_attempts=1)
        try:
            return driver.run("?").finish
        except DriverError:
            return "error"


@contextmanager
def _serving(parts: Sequence[bytes]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(parts))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def _handler(parts: Sequence[bytes]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for part in parts:  # each is a chunk of its own, and reaches the decoder as such
                if part:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                    self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    return Handler
