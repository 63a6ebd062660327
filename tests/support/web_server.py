"""Serve pages on loopback, byte for byte as a test writes them, be they right or wrong."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer
from types import TracebackType
from typing import Any

#: A whole answer, or what sends one in pieces until the event says that the test is over.
Page = bytes | Callable[[threading.Event], Iterable[bytes]]


def answer(
    body: bytes | str,
    content_type: str = "text/html; charset=utf-8",
    status: str = "200 OK",
    **headers: str,
) -> bytes:
    """Return an answer as a server sends it; a header may replace one that is sent anyway."""
    content = body.encode() if isinstance(body, str) else body
    lines = {"Content-Type": content_type, "Content-Length": str(len(content))}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    shown = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
    return f"HTTP/1.1 {status}\r\n{shown}\r\n".encode("latin-1") + content


def sent_on(location: str, status: str = "302 Found") -> bytes:
    """Return an answer that sends its readers on."""
    return answer("", status=status, Location=location)


class WebServer:
    """A site for the time of a `with` block.

    Args:
        pages: What is answered at each path; 404 at all others.
        tls: The server's side of secure connections, if it takes such.
    """

    def __init__(self, pages: Mapping[str, Page], tls: ssl.SSLContext | None = None) -> None:
        self.pages = dict(pages)
        #: The head of each request, as it came.
        self.requests: list[str] = []
        self._over = threading.Event()
        self._server = _Server(self, tls)

    @property
    def port(self) -> int:
        """Where it listens on 127.0.0.1."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def answers(self, head: str) -> Iterable[bytes]:
        """Return what is sent for a request."""
        self.requests.append(head)
        words = head.split()
        page = self.pages.get(
            words[1] if len(words) > 1 else "", answer("", status="404 Not Found")
        )
        return [page] if isinstance(page, bytes) else page(self._over)

    def __enter__(self) -> WebServer:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 50

    def __init__(self, site: WebServer, tls: ssl.SSLContext | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.site = site
        self.tls = tls

    def finish_request(self, request: Any, client_address: Any) -> None:
        with suppress(OSError):  # the client gave up, which may be the point of the test
            if self.tls is not None:
                request = self.tls.wrap_socket(request, server_side=True)
            super().finish_request(request, client_address)
            request.close()


class _Handler(StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, _Server)
        lines = iter(self.rfile.readline, b"\r\n")
        head = b"".join(line for line in lines if line).decode("latin-1")
        for piece in self.server.site.answers(head):
            self.wfile.write(piece)
