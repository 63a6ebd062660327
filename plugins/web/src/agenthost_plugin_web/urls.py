"""Read the addresses of pages, and refuse those that name no page of the web."""

from __future__ import annotations

import re

import httpx2

from agenthost_plugin_web.addresses import parsed_address
from agenthost_plugin_web.rules import plain_host
from agenthost_sdk.errors import ToolError

#: Longer ones carry data rather than name a page.
LONGEST = 4_000

_PORTS = {"http": 80, "https": 443}

#: The names of hosts; what else a name may hold is written in these letters (Punycode).
_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")

#: Programs read such a name as an address: 2130706433, 0x7f.1 and 127.1 are 127.0.0.1.
_NUMBER = re.compile(r"(?:.*\.)?(?:\d+|0x[0-9a-f]*)")

#: What comes before the host of an address, and may be secret.
_USER = re.compile(r"//[^/]*@")


def page_url(text: str) -> httpx2.URL:
    """Return the URL of a page, its host as it is compared.

    Raises:
        ToolError: It names no page of the web.
    """
    return _checked(_parsed(text.strip()), text.strip())


def next_url(url: httpx2.URL, location: str) -> httpx2.URL:
    """Return the URL that a page sends its readers on to.

    Raises:
        ToolError: It names no page of the web, or is less safe than the one it comes from.
    """
    try:
        target = _checked(_parsed(str(url.join(_parsed(location)))), location)
    except ToolError as error:
        raise ToolError(f"{url} sends on to another address. {error}") from error
    if url.scheme == "https" and target.scheme == "http":
        raise ToolError(
            f"{url} sends on to {shown(str(target))}, from a secure connection to one that"
            " anybody can read. Ask for that address itself if it is meant."
        )
    return target


def port_of(url: httpx2.URL) -> int:
    """Return the port that is asked."""
    return _PORTS[url.scheme] if url.port is None else url.port


def host_of(url: httpx2.URL) -> str:
    """Return the host that is asked, in ASCII."""
    return url.raw_host.decode("ascii")


def shown(text: str, most: int = 200) -> str:
    """Return an address as an error shows it: on one line, cut, without a password in it."""
    line = _USER.sub("//…@", text if text.isprintable() else ascii(text)[1:-1])
    return line if len(line) <= most else f"{line[:most]}…"


def _parsed(text: str) -> httpx2.URL:
    if len(text) > LONGEST:
        raise ToolError(
            f"The address {shown(text)} has {len(text)} characters; at most {LONGEST} are taken."
        )
    try:
        return httpx2.URL(text)
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise ToolError(f"{shown(text)} is no address of a page: {error}.") from error


def _checked(url: httpx2.URL, text: str) -> httpx2.URL:
    if url.scheme not in _PORTS:
        found = f"{url.scheme}: addresses are not read" if url.scheme else "has no http or https"
        raise ToolError(f"{shown(text)}: {found}. Write https://example.org/page.")
    if url.userinfo:
        raise ToolError("The address holds a name or a password before an @. Leave it out.")
    host = plain_host(host_of(url))
    fault = _host_fault(host)
    if fault:
        raise ToolError(f"{shown(text)}: {fault}")
    return url.copy_with(host=host, fragment=None)


def _host_fault(host: str) -> str:
    """Return what is wrong with the name of a host; "" where nothing is."""
    if not host:
        return "no host is named. Write https://example.org/page."
    if parsed_address(host) is not None and "%" not in host:
        return ""
    if _NUMBER.fullmatch(host):
        return "the host is an address in an odd form. Write it as four numbers: 192.0.2.1."
    return "" if _HOST.fullmatch(host) else f"{host} is no name of a host."
