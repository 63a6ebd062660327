"""However long, slow, small when packed or broken an answer is, a fetch ends in time."""

from __future__ import annotations

import gzip
import threading
import zlib
from collections.abc import Iterable, Sequence

import pytest

from support.fetches import fetch, refusal
from support.web_server import WebServer, answer


def test_a_long_body_is_cut(server: WebServer) -> None:
    server.pages["/long"] = answer("x" * 10_001, "text/plain")
    server.pages["/fits"] = answer("x" * 10_000, "text/plain")

    found = fetch(server, "http://a.example:PORT/long")

    assert (len(found.body), found.is_cut) == (10_000, True)
    assert not fetch(server, "http://a.example:PORT/fits").is_cut


def test_an_endless_body_is_cut(server: WebServer) -> None:
    def endless(over: threading.Event) -> Iterable[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
        while not over.is_set():
            yield b"x" * 1000

    server.pages["/endless"] = endless

    found = fetch(server, "http://a.example:PORT/endless")

    assert (len(found.body), found.is_cut) == (10_000, True)


@pytest.mark.parametrize("part", ["head", "body", "chunks"])
def test_a_server_that_drips_is_given_up_in_time(server: WebServer, part: str) -> None:
    starts = {
        "head": b"HTTP/1.1 200 OK\r\nX: ",
        "body": b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
        "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    }

    def drip(over: threading.Event) -> Iterable[bytes]:
        yield starts[part]
        while not over.wait(0.02):
            yield b"1\r\nx\r\n" if part == "chunks" else b"x"

    server.pages["/drip"] = drip

    words = refusal(server, "http://a.example:PORT/drip", max_seconds=0.4)

    assert "was not there within 0.4 seconds" in words


def test_a_silent_server_and_a_slow_look_up_are_given_up_in_time(server: WebServer) -> None:
    over = threading.Event()

    def silent(_: threading.Event) -> Iterable[bytes]:
        over.wait(60)
        return []

    def slow(host: str, port: int) -> Sequence[str]:
        over.wait(60)
        return []

    server.pages["/silent"] = silent
    try:
        assert "within 0.3 seconds" in refusal(
            server, "http://a.example:PORT/silent", max_seconds=0.3
        )
        assert "within 0.3 seconds" in refusal(
            server, "http://a.example:PORT/", slow, max_seconds=0.3
        )
    finally:
        over.set()


def test_what_is_packed_is_unpacked(server: WebServer) -> None:
    packed = gzip.compress(b"<p>Hello")
    server.pages["/gzip"] = answer(packed, Content_Encoding="gzip")

    found = fetch(server, "http://a.example:PORT/gzip")

    assert (found.body, found.is_cut) == (b"<p>Hello", False)
    assert "\r\nAccept-Encoding: gzip\r\n" in server.requests[0]


def test_a_body_that_unpacks_to_gigabytes_is_cut(server: WebServer) -> None:
    stream = zlib.compressobj(9, wbits=31)
    packed = b"".join(stream.compress(bytes(1_000_000)) for _ in range(100)) + stream.flush()
    server.pages["/bomb"] = answer(packed, Content_Encoding="gzip")

    found = fetch(server, "http://a.example:PORT/bomb")

    assert len(packed) < 200_000
    assert (len(found.body), found.is_cut) == (10_000, True)


def test_an_endless_body_that_unpacks_to_nothing_is_cut(server: WebServer) -> None:
    def empty_blocks(over: threading.Event) -> Iterable[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
        stream = zlib.compressobj(wbits=31)
        while not over.is_set():
            yield stream.flush(zlib.Z_FULL_FLUSH) + b"\x00\x00\x00\xff\xff" * 200

    server.pages["/empty"] = empty_blocks

    found = fetch(server, "http://a.example:PORT/empty")

    assert (found.body, found.is_cut) == (b"", True)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (
            answer("no gzip at all", Content_Encoding="gzip"),
            "says that it is packed with gzip, and is not",
        ),
        (answer("x", Content_Encoding="br"), "packed as 'br'; 'gzip' was asked for"),
        (answer("x", Content_Encoding="gzip, gzip"), "packed as 'gzip, gzip'"),
        (answer(gzip.compress(b"x" * 99)[:-9], Content_Encoding="gzip"), "is not whole"),
        (answer("short", Content_Length="1000"), "broke off"),
        (answer("x", Content_Length="many"), "broke off"),
        (answer("x", Content_Length="-1"), "broke off"),
        (answer("xyz\r\n", Transfer_Encoding="chunked", Content_Length=""), "broke off"),
        (b"", "broke off"),
        (b"HTTP/1.1 200 OK\r\nContent-", "broke off"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "broke off"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000, "broke off"),
        (b"HTTP/1.1 999999 OK\r\n\r\n", "broke off"),
    ],
    ids=range(13),
)
def test_an_answer_that_is_broken_is_told(server: WebServer, page: bytes, words: str) -> None:
    server.pages["/broken"] = page

    told = refusal(server, "http://a.example:PORT/broken")

    assert words in told
    assert told.isprintable()


def test_a_body_that_is_longer_than_it_was_said_ends_where_it_was_said(server: WebServer) -> None:
    server.pages["/"] = answer("Hello, world", Content_Length="5")

    assert fetch(server, "http://a.example:PORT/").body == b"Hello"


def test_the_body_of_a_kind_that_is_not_read_is_left(server: WebServer) -> None:
    server.pages["/pdf"] = answer("%PDF-1.7", "application/pdf")

    found = fetch(server, "http://a.example:PORT/pdf")

    assert (found.body, found.medium.type) == (b"", "application/pdf")
