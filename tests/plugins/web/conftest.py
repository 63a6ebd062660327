"""A site on loopback for the tests of the web plugin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.web_server import WebServer, answer


@pytest.fixture
def server() -> Iterator[WebServer]:
    """Return a site of two pages, for more to be added."""
    with WebServer({"/": answer("<p>Hello"), "/text": answer("Hi", "text/plain")}) as started:
        yield started
