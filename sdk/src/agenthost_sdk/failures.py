"""Turn what a provider's package raises into the `DriverError` of its kind, in words that help."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeGuard

from agenthost_sdk.artifacts import error_text
from agenthost_sdk.errors import (
    DriverAuthenticationError,
    DriverConnectionError,
    DriverError,
    DriverNotFoundError,
    DriverRateLimitError,
    DriverRequestError,
    DriverServerError,
    DriverTimeoutError,
)
from agenthost_sdk.redaction import redacted, without_keys

if TYPE_CHECKING:
    from urllib.error import HTTPError

#: As much of a provider's words as a reader wants to see.
MOST_SHOWN = 500

# Of the body of an error; one that is longer is no JSON, and its beginning says enough.
_MOST_READ = 100_000

# The statuses with a kind of their own, and those that may be asked again though they are 4xx.
_BY_STATUS: dict[int, type[DriverError]] = {
    401: DriverAuthenticationError,
    403: DriverAuthenticationError,
    404: DriverNotFoundError,
    408: DriverTimeoutError,
    429: DriverRateLimitError,
}
_CONFLICT = 409

# The words by which providers tell of an error in mid stream, where there is no status.
_BY_WORD: tuple[tuple[str, type[DriverError]], ...] = (
    ("authentication", DriverAuthenticationError),
    ("permission", DriverAuthenticationError),
    ("billing", DriverRequestError),
    ("not_found", DriverNotFoundError),
    ("rate_limit", DriverRateLimitError),
    ("invalid_request", DriverRequestError),
    ("too_large", DriverRequestError),
    ("timeout", DriverTimeoutError),
)


def driver_error(
    error: BaseException,
    *,
    kind: type[DriverError] | None = None,
    provider: str = "",
    model: str = "",
    server: str = "the provider",
    key_name: str = "",
) -> DriverError:
    """Return the `DriverError` that tells of an exception.

    The status, the provider's words, its name for the request and the time it asks to wait are
    taken from the attributes that the packages of most providers give their exceptions
    (`status_code`, `body`, `request_id`, `response`), or from the standard library's `HTTPError`,
    whose body is read then. No key is in the words, and none is left in
    those of the exception, which a traceback shows beside them.

    Args:
        error: What was raised.
        kind: `DriverConnectionError`, `DriverTimeoutError` or another class where the caller
            knows it; else the status decides, or the word in the error's body.
        provider: The driver's name.
        model: The model that was asked.
        server: Who was asked, in words.
        key_name: The variable that holds the key.
    """
    if isinstance(error, DriverError):
        return error
    status = status_of(error)
    _keep_body(error)
    found = kind or _kind(error, status)
    text = redacted(_words(error, found, server).strip())
    if len(text) > MOST_SHOWN:
        text = f"{text[:MOST_SHOWN]}…"
    _take_keys_out(error)
    wait = retry_after(_headers(error))
    hint = _hint(status, key_name, wait)
    return found(
        f"{_sentence(text)}{hint}" if hint else text,
        provider=provider,
        model=model,
        status=status,
        request_id=_request_id(error),
        retry_after=wait,
        is_retryable=True if status == _CONFLICT else None,
    )


def is_foreign_failure(error: BaseException) -> bool:
    """Return whether an exception tells of a failed request, as other packages raise it."""
    return isinstance(error, OSError) or status_of(error) is not None


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status that an exception bears, or that its body tells.

    That of a success does not count: an error in mid stream has no status of its own.
    """
    body = getattr(error, "body", None)
    stated = (
        getattr(error, "status_code", None),
        getattr(getattr(error, "response", None), "status_code", None),
        error.code if _is_answer(error) else None,
        body.get("code") if isinstance(body, dict) else None,
    )
    return next((one for one in stated if isinstance(one, int) and 300 <= one < 600), None)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a server asks to wait: `retry-after-ms`, else `retry-after`.

    The latter is a number of seconds or a date (RFC 9110, section 10.2.3); what is neither, or
    not finite, says nothing.
    """
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        stated = headers.get(name)
        if stated is None:
            continue
        try:
            seconds = float(stated) / scale
        except ValueError:
            seconds = _until(stated)
        if 0 <= seconds < float("inf"):
            return seconds
    return None


def provider_words(body: Any) -> str:
    """Return what a provider says in the body of an error, wherever its server puts it."""
    if isinstance(body, str):
        return body.strip()
    if isinstance(body, dict):
        found = (body.get(name) for name in ("message", "error", "detail"))
        return next((words for words in map(provider_words, found) if words), "")
    if isinstance(body, list):  # several faults of one request
        return "; ".join(words for words in map(provider_words, body) if words)
    return ""


def _is_answer(error: BaseException) -> TypeGuard[HTTPError]:
    """Return whether it is the standard library's: an `OSError`, though there is an answer."""
    from urllib.error import HTTPError  # only a failure needs it

    return isinstance(error, HTTPError)


def _keep_body(error: BaseException) -> None:
    """Read the body of an answer, and keep it where other packages have it."""
    if not _is_answer(error) or hasattr(error, "body"):
        return
    try:
        with error:
            text = error.read(_MOST_READ).decode()
    except (OSError, ValueError):  # the connection broke, or these are no words
        return
    try:
        error.body = json.loads(text)  # type: ignore[attr-defined]
    except ValueError:
        error.body = text  # type: ignore[attr-defined]


def _kind(error: BaseException, status: int | None) -> type[DriverError]:
    if isinstance(error, TimeoutError):
        return DriverTimeoutError
    if isinstance(error, OSError) and status is None:
        return DriverConnectionError
    word = _type_word(getattr(error, "body", None))
    if status is not None:
        # Overloaded servers answer with any status; a refused request has the other ones.
        return _BY_STATUS.get(
            status,
            DriverServerError if status >= 500 or "overloaded" in word else DriverRequestError,
        )
    return next((kind for part, kind in _BY_WORD if part in word), DriverServerError)


def _type_word(body: Any) -> str:
    """Return the word for the kind of error in a body, such as "overloaded_error"."""
    while isinstance(body, dict) and isinstance(body.get("error"), dict):
        body = body["error"]
    if not isinstance(body, dict):
        return ""
    return " ".join(str(body.get(name) or "") for name in ("type", "code", "status")).lower()


def _words(error: BaseException, kind: type[DriverError], server: str) -> str:
    said = provider_words(getattr(error, "body", None))
    if said:
        return said
    if issubclass(kind, DriverTimeoutError) and status_of(error) is None:
        said = f" ({str(error).rstrip('.')})" if str(error) else ""
        return (
            f"No answer from {server} in time{said}."
            " Raise the driver's timeout, or ask again later."
        )
    if issubclass(kind, DriverConnectionError) and status_of(error) is None:
        cause = error.__cause__ or error
        return (
            f"No connection to {server}: {(str(cause) or error_text(cause)).rstrip('.')}."
            " Check that the address is right, the server runs and the network is up."
        )
    message = str(error) if _is_answer(error) else getattr(error, "message", None)
    return message if isinstance(message, str) and message else error_text(error)


def _take_keys_out(error: BaseException) -> None:
    """Take the keys out of what an exception says, and those that led to it."""
    told: list[BaseException] = []
    left: list[BaseException | None] = [error]
    while left:
        one = left.pop()
        if one is None or one in told:
            continue
        told.append(one)
        left += (one.__cause__, one.__context__)
        one.args = tuple(
            [without_keys(said) if isinstance(said, str) else said for said in one.args]
        )


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _hint(status: int | None, key_name: str, wait: float | None) -> str:
    if status == 401:
        return f" Check the key in {key_name}." if key_name else " Check the key."
    if status == 404:
        return " Check the model's name and the server's address."
    if wait:
        return f" It asks to wait {wait:g} s."
    return ""


def _headers(error: BaseException) -> Mapping[str, str]:
    if _is_answer(error):
        return {name.lower(): value for name, value in error.headers.items()}
    headers = getattr(getattr(error, "response", None), "headers", None)
    return headers if isinstance(headers, Mapping) else {}


def _request_id(error: BaseException) -> str | None:
    found = getattr(error, "request_id", None)
    if not found:
        body = getattr(error, "body", None)
        found = body.get("request_id") if isinstance(body, dict) else None
    headers = _headers(error)
    found = found or headers.get("x-request-id") or headers.get("request-id")
    return found if isinstance(found, str) else None


def _until(date: str) -> float:
    try:
        return max(parsedate_to_datetime(date).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return float("inf")
