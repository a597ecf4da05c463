"""Names with fixed addresses, as the settings `resolve` and `local_hosts` give them."""

import re
from collections.abc import Mapping
from typing import NamedTuple

_WITH_PORT = re.compile(r"(\d+\.\d+\.\d+\.\d+|\[[^\]]+\]):(\d{1,5})")


class FixedName(NamedTuple):
    addresses: tuple[str, ...]  # IPv6 without brackets
    port: str  # '': the URL's own

    def covers(self, address: str, port: int) -> bool:
        return address in self.addresses and self.port in ("", str(port))


def fixed_names(resolve: Mapping[str, str]) -> dict[str, FixedName]:
    """By name in lower case: 'A, B' are addresses to choose from, 'A:PORT' is a single one."""
    return {name.lower(): _fixed(text.strip()) for name, text in resolve.items()}


def _fixed(text: str) -> FixedName:
    with_port = _WITH_PORT.fullmatch(text)
    if with_port:
        return FixedName((with_port[1].strip("[]"),), with_port[2])
    return FixedName(tuple(address.strip(" []") for address in text.split(",")), "")
