"""What a provider's failure becomes, whatever package told of it."""

from __future__ import annotations

import io
from email.message import Message as Headers
from urllib.error import HTTPError

import pytest

from agenthost_sdk.errors import (
    DriverAuthenticationError,
    DriverConnectionError,
    DriverError,
    DriverRateLimitError,
    DriverServerError,
)
from agenthost_sdk.failures import driver_error, is_foreign_failure


def http_error(status: int, body: bytes = b"", **headers: str) -> HTTPError:
    """Return what the standard library raises for an answer that is none."""
    told = Headers()
    for name, value in headers.items():
        told[name.replace("_", "-")] = value
    return HTTPError("http://127.0.0.1/ask", status, "No", told, io.BytesIO(body))


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, DriverAuthenticationError),
        (429, DriverRateLimitError),
        (503, DriverServerError),
    ],
)
def test_an_answer_that_the_standard_library_raises_is_no_broken_connection(
    status: int, kind: type[DriverError]
) -> None:
    raised = http_error(status, retry_after="3", x_request_id="r1")

    error = driver_error(raised)

    assert is_foreign_failure(raised)
    assert (type(error), error.status) == (kind, status)
    assert (error.retry_after, error.request_id) == (3.0, "r1")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"error": {"message": "Who are you?"}}', "Who are you? Check the key."),
        (b"Who are you, after all", "Who are you, after all. Check the key."),
        (b"\xff\xfe", "HTTP Error 401: No. Check the key."),
        (b"", "HTTP Error 401: No. Check the key."),
    ],
)
def test_the_words_of_such_an_answer_are_those_of_the_provider(body: bytes, words: str) -> None:
    assert str(driver_error(http_error(401, body))) == f"{words} (status 401)"


def test_an_oserror_without_an_answer_is_a_broken_connection() -> None:
    error = driver_error(ConnectionResetError("reset"))

    assert (type(error), error.status) == (DriverConnectionError, None)


def test_a_provider_that_asks_for_a_wait_is_quoted_with_it() -> None:
    error = driver_error(http_error(429, b'"Slow down"', retry_after="1000"))

    assert str(error) == "Slow down. It asks to wait 1000 s. (status 429)"
