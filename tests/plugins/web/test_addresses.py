"""Which addresses are of the public internet."""

from __future__ import annotations

import pytest

from agenthost_plugin_web.addresses import kind_of, parsed_address


def kind(text: str) -> str:
    address = parsed_address(text)
    assert address is not None
    return kind_of(address)


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "93.184.216.34",
        "172.32.0.1",
        "100.128.0.1",
        "192.167.255.255",
        "2606:4700:4700::1111",
        "2a00:1450:4001:82b::200e",
        "::ffff:93.184.216.34",
        "64:ff9b::93.184.216.34",
    ],
)
def test_sites_have_public_addresses(address: str) -> None:
    assert kind(address) == ""


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.1", "loopback"),
        ("127.255.255.254", "loopback"),
        ("0.0.0.0", "unspecified"),
        ("0.1.2.3", "unspecified"),
        ("10.0.0.1", "private"),
        ("172.16.0.1", "private"),
        ("172.31.255.255", "private"),
        ("192.168.1.1", "private"),
        ("100.64.0.1", "private (shared by customers of a provider)"),
        ("100.100.100.200", "private (shared by customers of a provider)"),
        ("169.254.169.254", "link-local"),
        ("168.63.129.16", "link-local (Azure's own server)"),
        ("192.0.0.192", "reserved"),
        ("192.0.2.1", "reserved"),
        ("198.18.0.1", "reserved"),
        ("203.0.113.9", "reserved"),
        ("192.88.99.1", "reserved"),
        ("224.0.0.1", "multicast"),
        ("239.255.255.250", "multicast"),
        ("240.0.0.1", "reserved"),
        ("255.255.255.255", "reserved"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("fe80::1", "link-local"),
        ("fe80::1%eth0", "link-local"),
        ("fc00::1", "private"),
        ("fd00:ec2::254", "private"),
        ("fec0::1", "private"),
        ("ff02::1", "multicast"),
        ("2001:db8::1", "reserved"),
        ("3fff::1", "reserved"),
        ("100::1", "reserved"),
        ("4000::1", "reserved"),
    ],
)
def test_all_other_addresses_have_a_kind(address: str, expected: str) -> None:
    assert kind(address) == expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("::ffff:127.0.0.1", "loopback"),
        ("::ffff:a9fe:a9fe", "link-local"),
        ("64:ff9b::10.0.0.1", "private"),
        ("64:ff9b:1::10.0.0.1", "reserved"),
        ("::127.0.0.1", "reserved"),
        ("2002:7f00:1::", "reserved"),
        ("2002:5db8:d822::", "reserved"),
        ("2001:0:5db8:d822::1", "reserved"),
    ],
)
def test_an_address_within_an_address_is_judged_or_the_whole_refused(
    address: str, expected: str
) -> None:
    assert kind(address) == expected
