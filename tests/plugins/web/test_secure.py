"""The certificate is held against the name in the address, wherever it is asked."""

from __future__ import annotations

import ssl
from collections.abc import Iterator

import pytest
import trustme

from support.fetches import fetch, refusal
from support.web_server import WebServer, answer, sent_on


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secure(authority: trustme.CA) -> Iterator[WebServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    names = ["shop.example", "xn--bcher-kva.example", "127.0.0.1"]
    authority.issue_cert(*names).configure_cert(context)
    with WebServer({"/": answer("<p>Safe")}, context) as started:
        yield started


@pytest.fixture
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@pytest.mark.parametrize("host", ["shop.example", "SHOP.example.", "bücher.example"])
def test_a_name_that_the_certificate_has_is_read(
    secure: WebServer, trusting: ssl.SSLContext, host: str
) -> None:
    assert fetch(secure, f"https://{host}:PORT/", tls=trusting).body == b"<p>Safe"


def test_an_address_that_the_certificate_has_is_read(
    secure: WebServer, trusting: ssl.SSLContext
) -> None:
    assert fetch(secure, "https://127.0.0.1:PORT/", tls=trusting).body == b"<p>Safe"


def test_a_name_that_it_does_not_have_is_refused(
    secure: WebServer, trusting: ssl.SSLContext
) -> None:
    words = refusal(secure, "https://other.example:PORT/", tls=trusting)

    assert "certificate" in words
    assert not secure.requests


def test_a_certificate_that_nobody_vouches_for_is_refused(secure: WebServer) -> None:
    assert "certificate" in refusal(secure, "https://shop.example:PORT/")
    assert not secure.requests


def test_a_secure_page_sends_on_to_no_open_one(
    secure: WebServer, trusting: ssl.SSLContext
) -> None:
    secure.pages["/"] = sent_on("http://shop.example/")

    words = refusal(secure, "https://shop.example:PORT/", tls=trusting)

    assert "from a secure connection to one that anybody can read" in words
