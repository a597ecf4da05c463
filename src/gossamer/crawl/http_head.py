"""The heads of HTTP messages: the lines of an answer read, the headers of a request written."""

from collections.abc import Iterable

from gossamer.config import CrawlSettings
from gossamer.errors import SettingsError

Headers = tuple[tuple[str, str], ...]

_BLANKS = " \t"
_LINE_BREAKS = dict.fromkeys(map(ord, "\r\n\0"))
_SECRETS = frozenset({"authorization", "proxy-authorization", "cookie"})


def parse_head(lines: list[bytes]) -> tuple[int, str, Headers]:
    """Status, status line and headers of the final answer: what came before it (1xx) and after
    its body (trailers) is left out."""
    if not lines:
        return 0, "", ()
    text = b"".join(lines).decode("latin-1").replace("\r\n", "\n")
    block = ""
    for candidate in text.split("\n\n"):
        if candidate.startswith("HTTP/"):
            block = candidate
    status_line, *rest = block.split("\n")
    code = status_line[:32].partition(" ")[2][:3]
    if not (code.isascii() and code.isdigit()) or code < "200":
        return 0, "", ()
    headers: list[tuple[str, str]] = []
    for line in rest:
        if line[:1] in (" ", "\t") and headers:
            # A folded line: obsolete, and still sent.
            name, value = headers[-1]
            headers[-1] = (name, f"{value} {line.strip(_BLANKS)}")
            continue
        name, colon, value = line.partition(":")
        if colon:
            headers.append((name, value.strip(_BLANKS)))
    return int(code), status_line.rstrip(), tuple(headers)


def ends_by_closing(status_line: str, headers: Headers) -> bool:
    """Whether the end of the connection is the end of the body, as this head announces it."""
    return status_line.startswith("HTTP/1") and not any(
        name.lower() in ("content-length", "transfer-encoding") for name, _ in headers
    )


def request_headers(settings: CrawlSettings) -> Headers:
    """What every request says; a header of the user's own replaces ours."""
    headers = {
        "user-agent": ("User-Agent", settings.user_agent),
        "accept": ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
        "accept-encoding": ("Accept-Encoding", "gzip, deflate, br"),
    }
    headers.update((name.lower(), (name, value)) for name, value in settings.headers.items())
    for name, value in headers.values():
        if value != one_line(value) or name != one_line(name):
            raise SettingsError(f"'{one_line(name)}' is not a header that can be sent.")
    return tuple(headers.values())


def without_secrets(headers: Iterable[tuple[str, str]]) -> Headers:
    """What an archive may keep: no credentials."""
    return tuple(pair for pair in headers if pair[0].lower() not in _SECRETS)


def header_line(name: str, value: str) -> bytes:
    """A header as libcurl wants it."""
    # 'Name:' would mean 'leave this header out'; 'Name;' is an empty one.
    line = f"{name}: {value}" if value else f"{name};"
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return line.encode()


def one_line(text: str) -> str:
    """Without what would end a header line."""
    return text.translate(_LINE_BREAKS)
