"""Turn what goes wrong on the way to a server into a `DriverError` of its kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from agenthost_plugin_openai.decode import UnreadableReply
from agenthost_plugin_openai.endpoints import Endpoint
from agenthost_sdk.errors import (
    DriverConnectionError,
    DriverError,
    DriverServerError,
    DriverTimeoutError,
)
from agenthost_sdk.failures import driver_error


@contextmanager
def failures(endpoint: Endpoint, provider: str, model: str) -> Iterator[None]:
    """Raise what the SDK and the readers raise as a `DriverError`."""
    from openai import APIError  # loaded already, or about to be

    try:
        yield
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        words = f"The answer of {endpoint.shown} cannot be read: {error}."
        raise DriverError(words, provider=provider, model=model) from error
    except (APIError, UnreadableReply) as error:
        raise driver_error(
            error,
            kind=_kind(error),
            provider=provider,
            model=model,
            server=endpoint.shown,
            key_name=endpoint.key_name,
        ) from error


def is_lost(error: DriverError) -> bool:
    """Return whether an error tells that the connection broke, or brought what is no text."""
    return isinstance(error, DriverConnectionError) or isinstance(
        error.__cause__, UnicodeDecodeError
    )


def _kind(error: Exception) -> type[DriverError] | None:
    """Return the kind of an error where its status, or its body, does not tell."""
    from openai import APIConnectionError, APITimeoutError

    if isinstance(error, APITimeoutError):
        return DriverTimeoutError
    if isinstance(error, APIConnectionError):
        return DriverConnectionError
    if isinstance(error, UnreadableReply) and error.body is None:
        return DriverServerError if error.may_pass else DriverError
    return None
