"""Fetch pages of a server on loopback under made-up names, with the web plugin's own fetcher."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from typing import Any

import pytest

from agenthost_plugin_web.fetching import Answer, Fetcher, Resolve
from agenthost_plugin_web.rules import Allowed, Rules
from agenthost_sdk import ToolError
from support.web_server import WebServer


def at_loopback(host: str, port: int) -> Sequence[str]:
    """Return the server's address, whatever the name."""
    return ["127.0.0.1"]


def fetch(
    server: WebServer,
    url: str,
    resolve: Resolve = at_loopback,
    *,
    tls: ssl.SSLContext | None = None,
    max_seconds: float = 30,
    max_bytes: int = 10_000,
    **rules: Any,
) -> Answer:
    """Fetch with the server's IPv4 address allowed; "PORT" in the URL stands for its port.

    Args:
        resolve: What looks names up, as the fetcher's own.
    """
    allowed = [Allowed.parsed(f"127.0.0.1:{server.port}")]
    fetcher = Fetcher(
        Rules(allowed=allowed, **rules),
        max_bytes=max_bytes,
        max_seconds=max_seconds,
        user_agent="tests/1",
        resolve=resolve,
        tls=tls,
    )
    return asyncio.run(fetcher.fetch(url.replace("PORT", str(server.port))))


def refusal(server: WebServer, url: str, resolve: Resolve = at_loopback, **given: Any) -> str:
    """Return the words with which a fetch is refused, or fails."""
    with pytest.raises(ToolError) as caught:
        fetch(server, url, resolve, **given)
    return str(caught.value)
