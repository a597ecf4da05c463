"""Which addresses belong to the public internet.

A page can name any address, and a name can lead to any: without a check, a stranger's page would
make the crawler read the router's settings or a cloud's metadata. The check is made on the address
that is connected to, so it does not matter how a URL spells it.
"""

import ipaddress
from functools import lru_cache

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# `ipaddress` follows the IANA registries, whose 'global' has holes and changed between Python
# versions; what is listed here is refused whatever it says.
_REFUSED_V4 = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # 'this network': 0.0.0.0 reaches the machine itself
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT: neither private nor global in `ipaddress`
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local, and the metadata service of clouds
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays, withdrawn
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast: `ipaddress` calls much of it global
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
_REFUSED_V6 = tuple(
    ipaddress.IPv6Network(text)
    for text in (
        "::/8",  # unspecified, loopback, IPv4-compatible; the mapped ones are unwrapped before
        "64:ff9b:1::/48",  # local-use NAT64
        "100::/64",  # discard
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarking
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: unwrapped before; what is left is refused
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fc00::/7",  # unique local
        "fe80::/10",  # link-local
        "fec0::/10",  # site-local, the old private space
        "ff00::/8",  # multicast
    )
)
# Reserved for networks of one's own (RFC 6762, RFC 8375, and ICANN for 'internal').
_PRIVATE_SUFFIXES = (".local", ".home.arpa", ".internal")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def _embedded(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that a connection to this one would end at."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return None


@lru_cache(maxsize=16_384)
def is_public(address: str | IpAddress) -> bool:
    """Whether the address lies on the public internet; False for what is no address."""
    if isinstance(address, str):
        try:
            address = ipaddress.ip_address(address)
        except ValueError:
            return False
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not any(address in network for network in _REFUSED_V4)
    inner = _embedded(address)
    if inner is not None:
        return is_public(inner)
    if address.scope_id is not None:
        return False
    return address.is_global and not any(address in network for network in _REFUSED_V6)


def literal_address(host: str) -> str | None:
    """The address that a URL's host (as WHATWG writes it, without port) spells out, if it does.

    `localhost` and the names under it count as loopback, as RFC 6761 asks: where a proxy looks
    names up, nobody else would notice.
    """
    name = host.rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return "127.0.0.1"
    if name.startswith("[") and name.endswith("]"):
        return name[1:-1]
    try:
        return str(ipaddress.IPv4Address(name))
    except ValueError:
        return None


def is_private_name(host: str) -> bool:
    """Whether a name cannot be one of the public internet: without a dot, or of a reserved kind."""
    name = host.rstrip(".")
    return "." not in name or name.endswith(_PRIVATE_SUFFIXES)
