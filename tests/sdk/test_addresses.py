"""What is taken for the address of a server."""

from __future__ import annotations

import pytest

from agenthost_sdk.addresses import header_fault, is_address


@pytest.mark.parametrize(
    "url",
    [
        "https://api.openai.com/v1",
        "http://localhost:8080",
        "http://127.0.0.1:8080/v1/",
        "http://[::1]:8080/v1",
        "http://user:word@my_host/v1?version=2",
        "http://m\u00fcnchen.example/v1",
        "HTTP://EXAMPLE.ORG.",
    ],
)
def test_an_address_has_a_scheme_and_a_host(url: str) -> None:
    assert is_address(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8080",
        "//localhost/v1",
        "ftp://localhost",
        "http://",
        "http:///v1",
        "http://..../v1",
        f"http://{64 * 'a'}.example",
        "http://local host/v1",
        "http://local\nhost/v1",
        "http://localhost:0",
        "http://localhost:99999",
        "http://localhost:port",
        "http://[::1/v1",
    ],
)
def test_what_no_request_can_be_sent_to_is_no_address(url: str) -> None:
    assert not is_address(url)


@pytest.mark.parametrize("name", ["", "two words", "n\u00e4me", "name:", "a\nb"])
def test_what_cannot_be_the_name_of_a_header_is_named(name: str) -> None:
    assert header_fault({"x-title": "One", name: "value"}) == (
        f"{name!r} cannot be the name of a header."
    )


@pytest.mark.parametrize("value", ["secret\nvalue", "secret v\u00e4lue"])
def test_a_header_that_cannot_be_sent_is_named_without_its_value(value: str) -> None:
    fault = header_fault({"x-title": value})

    assert "The header x-title holds what no header can carry" in fault
    assert "secret" not in fault


def test_headers_that_can_be_sent_have_no_fault() -> None:
    assert header_fault({"Authorization": "Bearer 1", "X-Title": "An Application"}) == ""
