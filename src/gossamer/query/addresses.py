"""Whether somebody typed an address, and not words to look for."""

import re
from functools import cache
from typing import Literal, NamedTuple

from gossamer.lib.public_suffixes import PublicSuffixes

_MOST_CHARACTERS = 2_048
_ADDRESS = re.compile(
    r"(?P<scheme>https?://)?"
    r"(?P<host>[^\s/?#:@\"<>\\^`{|}()\[\],;!=&*'$+]{1,253})"
    r"(?P<port>:[0-9]{1,5})?"
    r"(?P<rest>[/?#]\S*)?",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[^\W_](?:[\w-]{0,61}[^\W_])?")
_NUMBERS = re.compile(r"[0-9.]+", re.ASCII)


class Address(NamedTuple):
    """`kind` 'host': a name alone, so that its whole site is meant; `host` is in lower case."""

    kind: Literal["url", "host"]
    host: str
    text: str


def is_address(text: str) -> Address | None:
    """The address that the whole text is: 'example.org', 'https://x.org/a', 'www.foo.co.uk/path'.

    Without a scheme, a name must end as names of the web do ('node.js' and 'U.S.' are words) or be
    an address of four numbers; 'localhost:8000' needs its port.
    """
    text = text.strip()
    if len(text) > _MOST_CHARACTERS:
        return None
    found = _ADDRESS.fullmatch(text)
    if found is None:
        return None
    # A full stop at the end belongs to the sentence, or is the root of all names.
    host = found["host"].lower().removesuffix(".")
    labels = host.split(".")
    if not all(_LABEL.fullmatch(label) for label in labels):
        return None
    if not found["scheme"] and not _like_a_host(labels, with_port=bool(found["port"])):
        return None
    alone = not (found["scheme"] or found["port"]) and found["rest"] in (None, "/")
    return Address("host" if alone else "url", host, text)


def _like_a_host(labels: list[str], *, with_port: bool) -> bool:
    if _NUMBERS.fullmatch("".join(labels)):
        return len(labels) == 4 and all(len(label) < 4 and int(label) < 256 for label in labels)
    if len(labels) == 1:
        return with_port and labels[0] == "localhost"
    return len(labels[-1]) > 1 and _suffixes().lists(labels[-1])


@cache
def _suffixes() -> PublicSuffixes:
    return PublicSuffixes()
