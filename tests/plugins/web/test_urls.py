"""Which addresses of pages are read, and which places a person's rules let through."""

from __future__ import annotations

import pytest

from agenthost_plugin_web.addresses import parsed_address
from agenthost_plugin_web.rules import Allowed, Rules
from agenthost_plugin_web.urls import host_of, next_url, page_url, port_of
from agenthost_sdk import ToolError


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("https://example.org", "example.org", 443),
        ("http://example.org/a?b=c", "example.org", 80),
        (" HTTP://EXAMPLE.org.:8080/ ", "example.org", 8080),
        ("https://bücher.example/", "xn--bcher-kva.example", 443),
        ("https://a。example/", "a.example", 443),
        ("http://192.0.2.1/", "192.0.2.1", 80),
        ("http://[2001:DB8::1]:81/", "2001:db8::1", 81),
        ("http://under_score.example/", "under_score.example", 80),
    ],
)
def test_the_host_and_the_port_are_read(text: str, host: str, port: int) -> None:
    url = page_url(text)

    assert (host_of(url), port_of(url)) == (host, port)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("example.org/page", "has no http or https. Write https://example.org/page"),
        ("", "has no http or https"),
        ("file:///etc/passwd", "file: addresses are not read"),
        ("ftp://example.org/", "ftp: addresses are not read"),
        ("javascript:alert(1)", "javascript: addresses are not read"),
        ("data:text/html,x", "data: addresses are not read"),
        ("http:///x", "no host is named"),
        ("http:example.org", "no host is named"),
        ("https://me:secret@example.org/", "a name or a password before an @"),
        ("https://example.com\\@example.org/", "a name or a password before an @"),
        ("http://2130706433/", "odd form"),
        ("http://0/", "odd form"),
        ("http://0x7f.1/", "odd form"),
        ("http://0x7f000001/", "odd form"),
        ("http://127.1/", "odd form"),
        ("ftp://me:secret@example.org/", "ftp: addresses are not read"),
        ("http://me:secret@[::1", "no address of a page"),
        ("http://1.2.3.4.5/", "odd form"),
        ("http://017700000001/", "odd form"),
        ("http://0177.0.0.1/", "no address of a page"),
        ("http://127%2e0.0.1/", "odd form"),
        ("http://a%2eb/", "no name of a host"),
        ("http://１２７.０.０.１/", "no address of a page"),
        ("http://①②⑦.⓪.⓪.①/", "no address of a page"),
        ("http://[fe80::1%25eth0]/", "no name of a host"),
        ("http://a..b/", "no name of a host"),
        ("http://*/", "no name of a host"),
        ("http://example.org\n/", "no address of a page"),
        ("http://[::1", "no address of a page"),
        (f"http://{'a' * 64}.example/", "no name of a host"),
        (f"http://example.org/{'a' * 5000}", "has 5019 characters; at most 4000"),
    ],
)
def test_what_names_no_page_of_the_web_is_refused_with_words(text: str, words: str) -> None:
    with pytest.raises(ToolError) as caught:
        page_url(text)

    assert words in str(caught.value)
    assert "secret" not in str(caught.value)
    assert len(str(caught.value)) < 500
    assert str(caught.value).isprintable()


def test_a_page_sends_on_to_a_path_to_another_host_and_up_to_a_secure_connection() -> None:
    url = page_url("http://example.org/a/b?c")

    assert str(next_url(url, "../d")) == "http://example.org/d"
    assert str(next_url(url, "//example.com/")) == "http://example.com/"
    assert str(next_url(url, "https://example.org/e#f")) == "https://example.org/e"


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("http://example.org/", "from a secure connection to one that anybody can read"),
        ("file:///etc/passwd", "sends on to another address. file:"),
        ("gopher://127.0.0.1:11211/_stats", "gopher: addresses are not read"),
        ("https://me@example.org/", "before an @"),
        ("https://2130706433/", "odd form"),
        ("https://[::1", "no address of a page"),
    ],
)
def test_a_page_sends_on_to_nothing_that_is_less_safe(location: str, words: str) -> None:
    with pytest.raises(ToolError) as caught:
        next_url(page_url("https://example.org/"), location)

    assert words in str(caught.value)


def may_ask(rules: Rules, host: str, port: int, *addresses: str) -> bool:
    try:
        rules.check_host(host, port)
        rules.check_addresses(host, port, [a for a in map(parsed_address, addresses) if a])
    except ToolError:
        return False
    return True


def test_without_rules_only_the_public_web_at_its_own_ports_may_be_asked() -> None:
    assert may_ask(Rules(), "example.org", 443, "93.184.216.34", "2606:4700::1")
    assert not may_ask(Rules(), "example.org", 8080, "93.184.216.34")
    assert not may_ask(Rules(), "example.org", 443, "93.184.216.34", "10.0.0.1")
    assert not may_ask(Rules(), "localhost", 80, "::1")


def test_only_the_hosts_named_may_be_asked() -> None:
    rules = Rules(hosts=["example.org", "*.Example.com"])

    assert may_ask(rules, "example.org", 443, "93.184.216.34")
    assert may_ask(rules, "EXAMPLE.org.", 443, "93.184.216.34")
    assert may_ask(rules, "a.b.example.com", 443, "93.184.216.34")
    assert not may_ask(rules, "example.com", 443, "93.184.216.34")
    assert not may_ask(rules, "www.example.org", 443, "93.184.216.34")
    assert not may_ask(rules, "badexample.com", 443, "93.184.216.34")
    assert not may_ask(rules, "www.example.com", 443, "10.0.0.1")


@pytest.mark.parametrize(
    ("entry", "host", "port", "address", "expected"),
    [
        ("127.0.0.1:8000", "a.example", 8000, "127.0.0.1", True),
        ("127.0.0.1:8000", "a.example", 8001, "127.0.0.1", False),
        ("127.0.0.1:8000", "a.example", 80, "127.0.0.1", False),
        ("127.0.0.1:8000", "a.example", 8000, "127.0.0.2", False),
        ("127.0.0.1:8000", "a.example", 8000, "93.184.216.34", False),
        ("127.0.0.1", "a.example", 80, "::ffff:127.0.0.1", True),
        ("127.0.0.1", "a.example", 8000, "127.0.0.1", False),
        ("10.0.0.0/8", "a.example", 443, "10.1.2.3", True),
        ("10.0.0.0/8", "a.example", 443, "192.168.0.1", False),
        ("::1", "::1", 80, "::1", True),
        ("[::1]:8000", "::1", 8000, "::1", True),
        ("fd00::/8", "a.example", 80, "fd12::1", True),
        ("wiki.example", "Wiki.example.", 443, "10.0.0.1", True),
        ("wiki.example", "a.wiki.example", 443, "10.0.0.1", False),
        ("*.corp.example:8080", "a.corp.example", 8080, "10.0.0.1", True),
        ("*.corp.example:8080", "b.example", 8080, "10.0.0.1", False),
    ],
)
def test_a_person_allows_places_that_are_not_public(
    entry: str, host: str, port: int, address: str, expected: bool
) -> None:
    rules = Rules(allowed=[Allowed.parsed(entry)])

    assert may_ask(rules, host, port, address) is expected


def test_an_allowed_port_is_not_allowed_for_another_place() -> None:
    rules = Rules(allowed=[Allowed.parsed("127.0.0.1:8000"), Allowed.parsed("10.0.0.0/8")])

    assert not may_ask(rules, "a.example", 8000, "10.0.0.1")


@pytest.mark.parametrize(
    "entry", ["", "a b", "http://127.0.0.1", "10.0.0.0/99", "a:b", "[::1", "*", "ü.example"]
)
def test_an_entry_that_is_none_is_refused(entry: str) -> None:
    with pytest.raises(ValueError, match="Write 127"):
        Allowed.parsed(entry)
