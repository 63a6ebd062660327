"""Judge and show the addresses of servers, and the keys that are sent to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

#: A server that is there takes a connection in so many seconds, however long its model thinks.
CONNECT_SECONDS = 10.0

#: Characters between two dots of a host's name at most (RFC 1035, section 2.3.4).
LONGEST_LABEL = 63


def is_address(url: str) -> bool:
    """Return whether a server can be asked at this address."""
    if not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        labels = (parts.hostname or "").removesuffix(".").split(".")
        is_host = all(0 < len(label) <= LONGEST_LABEL for label in labels)
        return parts.scheme in ("http", "https") and is_host and parts.port != 0
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


def header_fault(headers: Mapping[str, str]) -> str:
    """Return what keeps headers from being sent, without their values; "" where nothing does."""
    for name, value in headers.items():
        if not _NAME.fullmatch(name):
            return f"{name!r} cannot be the name of a header."
        given: object = value
        if not isinstance(given, str) or not can_be_sent(given):
            return f"The header {name} holds what no header can carry: it must be a text in ASCII."
    return ""


def timeout_fault(seconds: float) -> str:
    """Return why nobody can wait so long; "" where one can."""
    return "" if seconds > 0 else f"timeout is {seconds}; it must be a number of seconds above 0."


#: What the name of a header is made of (RFC 9110, section 5.6.2).
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
