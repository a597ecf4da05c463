"""`file:` URLs and the paths of this machine that they stand for."""

from urllib.parse import quote_from_bytes, unquote_to_bytes

import ada_url

_KEPT = "/!$&'()*+,;=:@[]^|~"
"""What a URL's path holds as it is. (A percent sign or a backslash in a name does not.)"""


def is_local(seed: str) -> bool:
    return seed.startswith("file:")


def href_of(path: bytes) -> str:
    """The URL of an absolute path, spelled as a link to it is."""
    href: str = ada_url.URL("file://" + quote_from_bytes(path, _KEPT)).href
    return href


def path_of(href: str) -> bytes:
    return unquote_to_bytes(href.removeprefix("file://").partition("?")[0])
