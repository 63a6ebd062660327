"""The rules of a person: which hosts, ports and addresses may be asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agenthost_plugin_web.addresses import (
    Address,
    Network,
    kind_of,
    parsed_address,
    parsed_network,
    reached_through,
)
from agenthost_sdk.errors import ToolError


@dataclass(frozen=True)
class Allowed:
    """A place that a person allows though its addresses are not public.

    It is written as an address, a network or a name, with a port or without: "127.0.0.1:8000",
    "10.0.0.0/8", "[::1]:8080", "wiki.corp.example", "*.corp.example".
    """

    #: One of the two says where it is.
    network: Network | None
    name: str
    #: None lets the ports through that are let through elsewhere.
    port: int | None

    @classmethod
    def parsed(cls, text: str) -> Allowed:
        """Read an entry.

        Raises:
            ValueError: It is none; the message says so.
        """
        network = parsed_network(text)
        if network is not None:
            return cls(network, "", None)
        found = _ENTRY.fullmatch(text)
        if found is None:
            raise ValueError(
                f"{text!r} is no address, network or name of a host. Write 127.0.0.1:8000,"
                " 10.0.0.0/8, [::1]:8080 or wiki.corp.example."
            )
        port = int(found["port"]) if found["port"] else None
        network = parsed_network(found["six"] or found["host"])
        return cls(network, "" if network else plain_host(found["host"]), port)

    def holds(self, host: str, port: int, address: Address) -> bool:
        """Return whether a host is asked here at that port and address."""
        if self.port not in (None, port):
            return False
        if self.network is None:
            return is_named(host, [self.name])
        return reached_through(address) in self.network


@dataclass(frozen=True)
class Rules:
    """Which hosts, ports and addresses may be asked.

    Args:
        hosts: The only hosts that may be asked, as `is_named` reads them; empty for all.
        ports: The ports that may be asked.
        allowed: Places that may be asked though they are not public.
    """

    hosts: Sequence[str] = ()
    ports: Sequence[int] = (80, 443)
    allowed: Sequence[Allowed] = ()

    def check_host(self, host: str, port: int) -> None:
        """Refuse a host or a port before its name is looked up.

        Raises:
            ToolError: It may not be asked.
        """
        if self.hosts and not is_named(host, self.hosts):
            raise ToolError(
                f"{host} may not be asked. Only these hosts may: {', '.join(self.hosts)}."
            )
        if port not in self.ports and not self._is_allowed_port(port):
            raise ToolError(
                f"Port {port} of {host} may not be asked, only"
                f" {', '.join(str(one) for one in self.ports)}. A person can change that with"
                " the tool's option `ports`."
            )

    def check_addresses(self, host: str, port: int, addresses: Iterable[Address]) -> None:
        """Refuse a host one of whose addresses may not be asked.

        Raises:
            ToolError: One of them is not of the public internet, and nobody allowed it.
        """
        for address in addresses:
            if not self._is_allowed(host, port, address):
                raise ToolError(_not_allowed(host, port, address))

    def _is_allowed(self, host: str, port: int, address: Address) -> bool:
        found = [one for one in self.allowed if one.holds(host, port, address)]
        if port in self.ports:
            return bool(found) or not kind_of(address)
        return any(one.port for one in found)

    def _is_allowed_port(self, port: int) -> bool:
        return any(one.port == port for one in self.allowed)


def plain_host(host: str) -> str:
    """Return the name of a host as it is compared: in small letters, without a dot at its end."""
    return host.lower().removesuffix(".")


def check_pattern(text: str) -> None:
    """Refuse what `is_named` cannot read.

    Raises:
        ValueError: It names no host; the message says so.
    """
    if not re.fullmatch(_NAME, text, re.ASCII):
        raise ValueError(
            f"{text!r} is no name of a host. Write example.org, or *.example.org for all below"
            " it; other letters than those of ASCII as browsers send them (xn--…)."
        )


def is_named(host: str, patterns: Iterable[str]) -> bool:
    """Return whether a host is one of those named: "a.example", or "*.a.example" below it."""
    asked = plain_host(host)
    return any(
        asked.endswith(pattern[1:]) if pattern.startswith("*.") else asked == pattern
        for pattern in map(plain_host, patterns)
    )


def _not_allowed(host: str, port: int, address: Address) -> str:
    kind = kind_of(address)
    if not kind:
        return f"Port {port} of {host} may not be asked; it is allowed for other hosts only."
    is_itself = parsed_address(host) == address
    found = f"{host} is" if is_itself else f"{host} is at {address}, which is"
    return (
        f"{found} a {kind} address, not one of the public internet, and may not be asked."
        " A person can allow it with the tool's option `allow_private`."
    )


_NAME = r"(?:\*\.)?[\w-]+(?:\.[\w-]+)*\.?"

_ENTRY = re.compile(
    rf"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<host>{_NAME}))(?::(?P<port>\d{{1,5}}))?", re.ASCII | re.I
)
