import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer import urls
from gossamer.crawl.addresses import is_private_name, is_public, literal_address

PUBLIC = [
    "1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.1", "172.15.0.1",
    "172.32.0.1", "192.167.1.1", "198.17.255.255", "198.20.0.1", "223.255.255.254",
    "2606:4700::1111", "2001:4860:4860::8888", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
    "2002:808:808::1",
]  # fmt: skip
NOT_PUBLIC = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1",
    "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1",
    "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0.0.0.0",
    "::ffff:100.64.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1",
    "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:db8::1",
    "2002:7f00:1::1", "2002:a00:1::1", "3fff::1", "5f00::1", "fc00::1", "fdff::1", "fe80::1",
    "fe80::1%eth0", "2606:4700::1111%eth0", "fec0::1", "ff02::1", "ff0e::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert is_public(address)
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_not_public(address: str) -> None:
    assert not is_public(address)
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("text", ["", "localhost", "1.2.3", "1.2.3.4.5", "8.8.8.8/32", "[::1]"])
def test_what_is_no_address_is_not_public(text: str) -> None:
    assert not is_public(text)


@pytest.mark.parametrize(
    "spelling",
    [
        "127.0.0.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.01", "127.1",
        "127.0.1", "0X7F.0.0.1", "127.0.0.1.", "%31%32%37.0.0.1", "１２７.0.0.1", "127。0。0。1",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "0", "0x0",
        "localhost", "LOCALHOST", "localhost.", "a.localhost", "ⓛocalhost",
        "169.254.169.254", "0xa9fea9fe", "2852039166", "[fd00:ec2::254]", "[64:ff9b::7f00:1]",
    ],
)  # fmt: skip
def test_every_spelling_of_a_private_host(spelling: str) -> None:
    host = urls.parse(f"http://{spelling}/").host
    address = literal_address(host)
    assert address is not None
    assert not is_public(address)


@pytest.mark.parametrize("host", ["example.org", "1.2.3.4.example", "localhost.example", "a.b"])
def test_a_name_is_no_literal(host: str) -> None:
    assert literal_address(host) is None


@pytest.mark.parametrize(
    ("name", "private"),
    [
        ("router", True),
        ("router.", True),
        ("printer.local", True),
        ("metadata.google.internal.", True),
        ("nas.home.arpa", True),
        ("example.org", False),
        ("local.example", False),
        ("notlocal.example.org.", False),
        ("a.b-local", False),
    ],
)
def test_names_of_private_networks(name: str, private: bool) -> None:
    assert is_private_name(name) is private


@given(st.ip_addresses(v=4))
def test_wrapping_an_address_does_not_make_it_public(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    for wrapped in (
        ipaddress.IPv6Address(0xFFFF << 32 | number),
        ipaddress.IPv6Address((0x2002 << 112) | (number << 80) | 1),
        ipaddress.IPv6Address((0x64FF9B << 96) | number),
    ):
        assert is_public(wrapped) == is_public(address)
    assert not is_public(ipaddress.IPv6Address(number))


@given(st.ip_addresses())
def test_public_is_never_more_than_global(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if is_public(address):
        assert not address.is_multicast
        assert not address.is_loopback
        assert not address.is_link_local
