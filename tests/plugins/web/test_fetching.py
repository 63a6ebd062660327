"""Pages are fetched from the very addresses that were judged."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from agenthost_plugin_web.fetching import Fetcher
from agenthost_plugin_web.rules import Allowed, Rules
from support.fetches import fetch, refusal
from support.web_server import WebServer, answer, sent_on


def test_a_host_is_asked_by_its_name_at_its_address(server: WebServer) -> None:
    found = fetch(server, "http://shop.example:PORT/?a=b#c")

    assert (found.status, found.url) == (404, f"http://shop.example:{server.port}/?a=b")
    [head] = server.requests
    assert head.startswith("GET /?a=b HTTP/1.1\r\n")
    assert f"\r\nHost: shop.example:{server.port}\r\n" in head
    assert "\r\nUser-Agent: tests/1\r\n" in head


def test_what_was_answered_is_told(server: WebServer) -> None:
    found = fetch(server, "http://a.example:PORT/")

    assert found.body == b"<p>Hello"
    assert (found.status, found.medium.type, found.medium.charset) == (200, "text/html", "utf-8")
    assert not found.is_cut


def test_a_name_that_changes_its_address_is_asked_at_the_one_that_was_judged(
    server: WebServer,
) -> None:
    answers = iter([["127.0.0.1"], ["169.254.169.254"]])
    asked: list[str] = []

    def rebinding(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return next(answers)

    assert fetch(server, "http://evil.example:PORT/", rebinding).body == b"<p>Hello"
    assert asked == ["evil.example"]
    assert "link-local" in refusal(server, "http://evil.example:PORT/", rebinding)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("addresses", "words"),
    [
        (["127.0.0.1", "10.0.0.1"], "is at 10.0.0.1, which is a private address"),
        (["10.0.0.1", "127.0.0.1"], "is at 10.0.0.1, which is a private address"),
        (["169.254.169.254"], "which is a link-local address"),
        (["::ffff:169.254.169.254"], "which is a link-local address"),
        (["fe80::1%2"], "which is a link-local address"),
        ([], "has no address that can be asked"),
        (["no address"], "has no address that can be asked"),
    ],
)
def test_a_host_is_refused_for_any_of_its_addresses(
    server: WebServer, addresses: list[str], words: str
) -> None:
    assert words in refusal(server, "http://mixed.example:PORT/", lambda *_: addresses)
    assert not server.requests


def test_addresses_that_are_not_allowed_are_refused_however_they_are_written(
    server: WebServer,
) -> None:
    assert "127.0.0.2 is a loopback address" in refusal(server, "http://127.0.0.2:PORT/")
    assert "[::1]" not in refusal(server, "http://[::1]:PORT/")
    assert "::1 is a loopback address" in refusal(server, "http://[::1]:PORT/")
    assert "odd form" in refusal(server, "http://2130706433:PORT/")
    assert not server.requests


def test_an_address_of_the_other_version_is_asked_at_what_it_stands_for(
    server: WebServer,
) -> None:
    assert fetch(server, "http://[::ffff:127.0.0.1]:PORT/").body == b"<p>Hello"


def test_an_address_behind_nat64_is_asked_itself_and_judged_by_what_it_stands_for(
    server: WebServer,
) -> None:
    refusal(server, "http://a.example:PORT/", lambda *_: ["64:ff9b::127.0.0.1"], max_seconds=1)

    assert not server.requests
    assert "link-local" in refusal(
        server, "http://a.example:PORT/", lambda *_: ["64:ff9b::169.254.169.254"]
    )


def test_a_port_that_is_not_allowed_is_refused_before_the_name_is_looked_up(
    server: WebServer,
) -> None:
    asked: list[str] = []

    def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return []

    words = refusal(server, "http://a.example:6379/", resolve)

    assert "Port 6379 of a.example may not be asked, only 80, 443." in words
    assert not asked


def test_a_name_that_nobody_knows_is_told(server: WebServer) -> None:
    def unknown(host: str, port: int) -> Sequence[str]:
        raise OSError(f"{host} is not known")

    assert "No host is known by the name a.example" in refusal(
        server, "http://a.example:PORT/", unknown
    )


def test_the_next_address_is_asked_where_one_takes_no_connection(server: WebServer) -> None:
    allowed = [Allowed.parsed(f"{host}:{server.port}") for host in ("127.0.0.1", "[::1]")]
    fetcher = Fetcher(
        Rules(allowed=allowed),
        max_bytes=100,
        max_seconds=30,
        user_agent="tests",
        resolve=lambda *_: ["::1", "127.0.0.1"],  # it listens at the second only
    )

    found = asyncio.run(fetcher.fetch(f"http://a.example:{server.port}/"))

    assert found.body == b"<p>Hello"


def test_a_host_that_takes_no_connection_is_told(server: WebServer) -> None:
    server.__exit__(None, None, None)

    assert "a.example takes no connection" in refusal(server, "http://a.example:PORT/")


def test_redirects_are_followed_and_the_last_address_told(server: WebServer) -> None:
    server.pages["/old"] = sent_on("/older", "301 Moved")
    server.pages["/older"] = sent_on(f"http://b.example:{server.port}/text#part", "308 Moved")

    found = fetch(server, "http://a.example:PORT/old")

    assert (found.body, found.url) == (b"Hi", f"http://b.example:{server.port}/text")
    assert f"Host: b.example:{server.port}" in server.requests[-1]


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("http://169.254.169.254/latest/meta-data/", "169.254.169.254 is a link-local address"),
        ("http://inside.example/", "inside.example is at 10.0.0.1, which is a private"),
        ("http://127.0.0.1:22/", "Port 22 of 127.0.0.1 may not be asked"),
        ("file:///etc/passwd", "file: addresses are not read"),
        ("http://[::1", "no address of a page"),
        ("//user:pw@a.example/", "before an @"),
    ],
)
def test_a_redirect_is_judged_like_the_first_address(
    server: WebServer, location: str, words: str
) -> None:
    server.pages["/go"] = sent_on(location)

    def resolve(host: str, port: int) -> Sequence[str]:
        return ["10.0.0.1"] if host == "inside.example" else ["127.0.0.1"]

    assert words in refusal(server, "http://a.example:PORT/go", resolve)
    assert len(server.requests) == 1


def test_a_redirect_to_a_host_that_is_not_named_is_refused(server: WebServer) -> None:
    server.pages["/go"] = sent_on(f"http://b.example:{server.port}/")

    words = refusal(server, "http://a.example:PORT/go", hosts=["a.example"])

    assert "b.example may not be asked. Only these hosts may: a.example." in words


def test_redirects_in_a_circle_and_without_end_are_given_up(server: WebServer) -> None:
    server.pages |= {"/a": sent_on("/b"), "/b": sent_on("/a")}
    server.pages |= {f"/{n}": sent_on(f"/{n + 1}") for n in range(30)}

    assert "sends on in a circle" in refusal(server, "http://a.example:PORT/a")
    assert "sends on more than 10 times" in refusal(server, "http://a.example:PORT/0")
    assert len(server.requests) == 2 + 11


def test_a_redirect_without_a_target_is_an_answer(server: WebServer) -> None:
    server.pages["/go"] = answer("", status="302 Found")

    assert fetch(server, "http://a.example:PORT/go").status == 302


def test_cookies_are_not_sent_back(server: WebServer) -> None:
    server.pages["/go"] = answer("", status="302 Found", Location="/", Set_Cookie="a=b; Path=/")

    fetch(server, "http://a.example:PORT/go")

    assert "cookie" not in server.requests[-1].lower()


def test_proxies_of_the_environment_are_not_used(
    server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    assert fetch(server, "http://a.example:PORT/").body == b"<p>Hello"
