"""Judge and show the addresses of servers, and the keys that are sent to them."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

#: A server that is there takes a connection in so many seconds, however long its model thinks.
CONNECT_SECONDS = 10.0


def is_address(url: str) -> bool:
    """Return whether a server can be asked at this address."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def shown_address(url: str) -> str:
    """Return an address without the name and password, and the query, that it may hold."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def is_at(url: str, hosts: Iterable[str]) -> bool:
    """Return whether an address is at one of the hosts, or below one."""
    return is_below(urlsplit(url).hostname or "", hosts)


def is_below(host: str, hosts: Iterable[str]) -> bool:
    """Return whether a host is one of others, or below one."""
    return any(host == other or host.endswith(f".{other}") for other in hosts)


def can_be_sent(key: str) -> bool:
    """Return whether a key can stand in a header."""
    return key.isascii() and key.isprintable()
