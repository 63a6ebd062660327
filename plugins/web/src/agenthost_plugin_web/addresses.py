"""Tell which addresses are of the public internet, and what the others are for."""

from __future__ import annotations

from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

#: What the parts of the address space are for in which no site of the public web lives (IANA's
#: registries of special addresses). They stand here since `ipaddress` judges some of them
#: differently from one version of Python to the next.
_KINDS: tuple[tuple[Network, str], ...] = tuple(
    (ip_network(network), kind)
    for network, kind in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "private (shared by customers of a provider)"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "link-local (Azure's own server)"),  # called public, never routed
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "reserved"),
        ("192.88.99.0/24", "reserved"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "reserved"),
        ("198.51.100.0/24", "reserved"),
        ("203.0.113.0/24", "reserved"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "private"),
        ("ff00::/8", "multicast"),
        ("2001::/23", "reserved"),  # Teredo, which holds an IPv4 address, and others
        ("2001:db8::/32", "reserved"),
        ("2002::/16", "reserved"),  # 6to4, which holds one too
        ("3fff::/20", "reserved"),
    )
)

#: All that is given out to sites (RFC 4291, section 2.4); what is outside is for something else.
_GLOBAL_UNICAST = IPv6Network("2000::/3")

#: Where a network without IPv4 reaches it (RFC 6052, section 2.1); the last 32 bits say whom.
_NAT64 = IPv6Network("64:ff9b::/96")


def reached_through(address: Address) -> Address:
    """Return the IPv4 address that is reached through one of IPv6, or the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address


def as_asked(address: Address) -> Address:
    """Return the address to connect to: one of IPv4 that is written in IPv6 needs no IPv6.

    One behind NAT64 stays as it is: where names are given such addresses, IPv4 has no other way.
    """
    return getattr(address, "ipv4_mapped", None) or address


def kind_of(address: Address) -> str:
    """Return what an address is for; "" for one of the public internet."""
    reached = reached_through(address)
    for network, kind in _KINDS:
        if reached in network:
            return kind
    is_given_out = reached.version == 4 or reached in _GLOBAL_UNICAST
    is_public = reached.is_global and not reached.is_multicast and not reached.is_reserved
    return "" if is_given_out and is_public else "reserved"


def parsed_address(text: str) -> Address | None:
    """Return the address that a text is; None where it is none."""
    try:
        return ip_address(text)
    except ValueError:
        return None


def parsed_network(text: str) -> Network | None:
    """Return the network, or the network of one address, that a text is; None for all else."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None
