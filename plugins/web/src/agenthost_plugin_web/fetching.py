"""Fetch a page: each host looked up, judged and asked at the very address that was judged."""

from __future__ import annotations

import asyncio
import functools
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import httpx2

from agenthost_plugin_web.addresses import Address, as_asked, parsed_address
from agenthost_plugin_web.bodies import ENCODING, read_body
from agenthost_plugin_web.media import Medium, medium_of
from agenthost_plugin_web.rules import Rules
from agenthost_plugin_web.urls import host_of, next_url, page_url, port_of, shown
from agenthost_sdk.errors import ToolError
from agenthost_sdk.threads import in_thread

#: The addresses of a host, as texts; it may block.
Resolve = Callable[[str, int], Sequence[str]]

#: How often a page may send its readers on.
MOST_REDIRECTS = 10

#: How many addresses of a host are tried, and how long each may take to answer at all.
MOST_ADDRESSES = 8
CONNECT_SECONDS = 5.0

_REDIRECTS = (301, 302, 303, 307, 308)

_ACCEPT = "text/html, application/xhtml+xml, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5"


@dataclass(frozen=True)
class Answer:
    """What a server answered; `body` is empty where it is of a kind that is not read."""

    url: str
    status: int
    reason: str
    medium: Medium
    body: bytes = b""
    #: Whether there is more of the body.
    is_cut: bool = False
    #: Where it sends its readers on to; "" where it does not.
    location: str = ""


def system_addresses(host: str, port: int) -> list[str]:
    """Return the addresses of a host as the system knows them, in its order."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class Fetcher:
    """Fetches pages within a person's rules.

    Proxies that the environment names are not used, since they would look names up themselves;
    cookies are neither kept nor sent.

    Args:
        rules: What may be asked.
        max_bytes: How much of a body is read, once it is unpacked.
        max_seconds: How long a fetch may take in all.
        user_agent: What servers are told of who asks.
        resolve: Looks the addresses of a host up; called once for each request.
        tls: Judges certificates; as the system does where it is not given.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        max_bytes: int,
        max_seconds: float,
        user_agent: str,
        resolve: Resolve = system_addresses,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._rules = rules
        self._max_bytes = max_bytes
        self._max_seconds = max_seconds
        self._user_agent = user_agent
        self._resolve = resolve
        self._tls = tls

    async def fetch(self, url: str) -> Answer:
        """Fetch a page, wherever it sends its readers on to.

        Raises:
            ToolError: It may not be asked, or cannot be read; the message says why.
        """
        try:
            async with asyncio.timeout(self._max_seconds):
                return await self._followed(page_url(url))
        except TimeoutError as error:
            raise ToolError(
                f"{shown(url)} was not there within {self._max_seconds:g} seconds."
                " Try again later, or another page."
            ) from error

    async def _followed(self, url: httpx2.URL) -> Answer:
        seen = [url]
        while len(seen) <= MOST_REDIRECTS + 1:
            answer = await self._asked(seen[-1])
            if not answer.location:
                return answer
            target = next_url(seen[-1], answer.location)
            if target in seen:
                raise ToolError(f"{shown(str(target))} sends on in a circle; no page comes.")
            seen.append(target)
        raise ToolError(f"{shown(str(url))} sends on more than {MOST_REDIRECTS} times.")

    async def _asked(self, url: httpx2.URL) -> Answer:
        """Ask the first address of a host that takes a connection."""
        addresses = await self._addresses(url)
        fault: Exception | None = None
        for address in addresses[:MOST_ADDRESSES]:
            try:
                return await self._answer(url, address)
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                fault = error
            except httpx2.HTTPError as error:
                raise ToolError(f"{shown(str(url))} broke off: {_words(error)}.") from error
        raise ToolError(f"{host_of(url)} takes no connection: {_words(fault)}.") from fault

    async def _addresses(self, url: httpx2.URL) -> list[Address]:
        """Return the addresses of a host, all of which may be asked."""
        host, port = host_of(url), port_of(url)
        self._rules.check_host(host, port)
        literal = parsed_address(host)
        found = [literal] if literal else await self._looked_up(host, port)
        addresses = list(dict.fromkeys(map(as_asked, found)))
        self._rules.check_addresses(host, port, addresses)
        return addresses

    async def _looked_up(self, host: str, port: int) -> list[Address]:
        try:
            texts = await in_thread(self._resolve, host, port)
        except (OSError, UnicodeError) as error:
            raise ToolError(f"No host is known by the name {host}. Check its spelling.") from error
        found = [parsed_address(text) for text in texts]
        addresses = [address for address in found if address is not None]
        if not addresses or len(addresses) < len(found):
            raise ToolError(f"{host} has no address that can be asked.")
        return addresses

    async def _answer(self, url: httpx2.URL, address: Address) -> Answer:
        """Ask a host at one of its addresses; nothing is looked up again on the way.

        The host is named where it counts: in the header Host, and in TLS, where the certificate
        is held against it.
        """
        context = self._tls
        if context is None:
            context = await in_thread(_system_tls)
        timeout = httpx2.Timeout(None, connect=CONNECT_SECONDS)  # `fetch` bounds the whole
        async with httpx2.AsyncClient(verify=context, trust_env=False, timeout=timeout) as client:
            request = client.build_request(
                "GET",
                url.copy_with(host=str(address)),
                headers=self._headers(url),
                extensions={"sni_hostname": host_of(url)},
            )
            response = await client.send(request, stream=True, follow_redirects=False)
            try:
                return await self._read(url, response)
            finally:
                await response.aclose()

    def _headers(self, url: httpx2.URL) -> dict[str, str]:
        return {
            "Host": url.netloc.decode("ascii"),
            "User-Agent": self._user_agent,
            "Accept": _ACCEPT,
            "Accept-Encoding": ENCODING,
            "Connection": "close",
        }

    async def _read(self, url: httpx2.URL, response: httpx2.Response) -> Answer:
        head = Answer(
            str(url),
            response.status_code,
            response.reason_phrase,
            medium_of(response.headers.get("content-type", "")),
        )
        location = response.headers.get("location", "")
        if response.status_code in _REDIRECTS and location:
            return replace(head, location=location)
        if head.medium.kind == "other":
            return head
        body, is_cut = await read_body(response, self._max_bytes)
        return replace(head, body=body, is_cut=is_cut)


@functools.cache
def _system_tls() -> ssl.SSLContext:
    """Return what judges certificates as the system does; making it takes a while."""
    return httpx2.create_ssl_context()


def _words(error: Exception | None) -> str:
    return shown(str(error) or type(error).__name__).rstrip(".")
