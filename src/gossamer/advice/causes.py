"""What each outcome and each exclusion means, and what its owner can do about it.

Every member has an entry: a test sees to it. Settings are named as they are written in a crawler
file; `max_depth` is the option `--max-depth`.
"""

from typing import NamedTuple

from gossamer.records import Exclusion, Outcome


class Cause(NamedTuple):
    label: str  # for a table
    meaning: str  # after 'it was not crawled, because ...', or after 'it was visited: ...'
    remedy: str  # what to do for the opposite; '' where nothing is wrong


OUTCOMES: dict[Outcome, Cause] = {
    Outcome.OK: Cause("held", "its content is held", ""),
    Outcome.NOT_MODIFIED: Cause("not modified", "it has not changed since the visit before", ""),
    Outcome.HTTP_ERROR: Cause(
        "HTTP errors",
        "the server answered with an error status",
        "Open it in a browser to compare.",
    ),
    Outcome.REDIRECT: Cause("redirects", "it leads to another address", ""),
    Outcome.REDIRECT_LOOP: Cause(
        "redirect loops",
        "its redirects lead back to where they began",
        "Servers do that to clients without cookies or a language: check cookies and headers.",
    ),
    Outcome.REDIRECT_LIMIT: Cause(
        "too many redirects",
        "its chain of redirects is longer than max_redirects",
        "Raise max_redirects.",
    ),
    Outcome.REDIRECT_INVALID: Cause(
        "invalid redirects",
        "it redirects to something that cannot be fetched",
        "The server gave no address, or one that is not http or https. Only its owner can fix "
        "that.",
    ),
    Outcome.LISTING: Cause(
        "sitemaps and feeds", "it is a sitemap or feed, and its addresses were read", ""
    ),
    Outcome.SOFT_404: Cause(
        "soft 404 (missing, with status 200)",
        "it says that there is no such page, although its status is 200",
        "If that is wrong, check its text: 'gossamer page RUN URL --text'.",
    ),
    Outcome.LANGUAGE: Cause(
        "other languages",
        "it is in a language that 'languages' does not include",
        "Add its language to 'languages', or leave that empty.",
    ),
    Outcome.UNSUPPORTED: Cause(
        "unsupported media type",
        "its media type is not supported",
        "Its bytes are stored as received. To skip such files, use 'exclude'; to read them, a "
        "plugin.",
    ),
    Outcome.UNREADABLE: Cause(
        "encrypted or damaged",
        "it is encrypted, damaged or truncated",
        "Open it in a browser. If that works, max_wire_bytes may have truncated it.",
    ),
    Outcome.TOO_LARGE: Cause(
        "too large", "it is too large", "Raise max_wire_bytes and max_body_bytes."
    ),
    Outcome.BAD_ENCODING: Cause(
        "invalid content encoding",
        "its content encoding cannot be decoded",
        "The server sends a wrong Content-Encoding. Only its owner can fix that.",
    ),
    Outcome.TIMEOUT: Cause(
        "timed out",
        "it took too long",
        "Raise request_timeout_seconds, lower connections_per_host, or crawl later.",
    ),
    Outcome.DNS_ERROR: Cause(
        "host name not found",
        "its host name does not resolve",
        "Check the spelling and the network; 'resolve' gives a name a fixed address.",
    ),
    Outcome.CONNECT_ERROR: Cause(
        "connection failed",
        "no connection to its server could be made",
        "Check that the server is up, and that no firewall or proxy blocks the connection.",
    ),
    Outcome.TLS_ERROR: Cause(
        "TLS error",
        "its certificate cannot be verified",
        "If the server is your own, --no-verify-tls accepts the certificate.",
    ),
    Outcome.PROTOCOL_ERROR: Cause(
        "protocol error",
        "its server closed the connection early, or did not speak HTTP",
        "Try again later. If it persists, --no-http2 may help.",
    ),
    Outcome.ADDRESS_REFUSED: Cause(
        "private address (not allowed)",
        "its host is in a private network",
        "To crawl your own servers, use --allow-private.",
    ),
    Outcome.POISON: Cause(
        "crashed the parser",
        "it crashed the parser more than once, and was skipped",
        "Its bytes are stored: 'gossamer page RUN URL --html' shows them.",
    ),
}

_TRAP = "If these pages differ, raise trap_pages, or set traps = false (--no-traps)."

EXCLUSIONS: dict[Exclusion, Cause] = {
    Exclusion.SCOPE: Cause(
        "out of scope", "it is out of scope", "Widen 'scope', and add --resume."
    ),
    Exclusion.DEPTH: Cause(
        "over the depth limit", "it is too many links away from a seed", "Raise max_depth."
    ),
    Exclusion.PATTERN: Cause(
        "include or exclude pattern",
        "'include' or 'exclude' leaves it out",
        "Change 'include' or 'exclude', and run the same command again with --resume.",
    ),
    Exclusion.BLOCKED: Cause(
        "on a block list", "its host is on a block list", "Take the host off the list."
    ),
    Exclusion.FILTER: Cause(
        "plugin filter", "the URL filter of a plugin leaves it out", "Change the plugin's filter."
    ),
    Exclusion.LINK_LIMIT: Cause(
        "over the link limit of its page",
        "its page has more links than max_links_per_page, and others scored higher",
        "Raise max_links_per_page.",
    ),
    Exclusion.ROBOTS: Cause(
        "blocked by robots.txt",
        "robots.txt blocks it",
        "If the site is yours, allow 'agent_name' in robots.txt, or use --no-obey-robots.",
    ),
    Exclusion.HOST_BYTES: Cause(
        "over the byte limit of its host",
        "its host had reached max_bytes_per_host",
        "Raise max_bytes_per_host.",
    ),
    Exclusion.FORGOTTEN: Cause(
        "forgotten (takedown)",
        "it was removed by 'gossamer forget', and stays excluded in all runs of its crawler",
        "A crawler with another 'name' is not affected.",
    ),
    Exclusion.TRAP_REPETITION: Cause(
        "trap: repeated path parts", "its path repeats the same parts", _TRAP
    ),
    Exclusion.TRAP_GROWTH: Cause(
        "trap: address too long",
        "its path or its query has more parts than any normal address",
        "Raise max_path_parts or max_parameters, or set traps = false (--no-traps).",
    ),
    Exclusion.TRAP_CALENDAR: Cause("trap: calendar", "it belongs to an endless calendar", _TRAP),
    Exclusion.TRAP_PARAMETERS: Cause(
        "trap: parameters",
        "combinations of its parameters had no new content",
        _TRAP,
    ),
    Exclusion.TRAP_SOFT_404: Cause(
        "trap: soft 404s",
        "its server answers any address of this kind with a 'not found' page and status 200",
        _TRAP,
    ),
    Exclusion.TRAP_DUPLICATES: Cause(
        "trap: duplicates", "pages of its kind on its host repeated each other", _TRAP
    ),
}

_STATUSES = {
    400: "The server rejected the request. Compare with a browser, and check headers.",
    401: "It requires a login: set basic_auth or headers.",
    402: "It requires a payment.",
    403: "The server refuses access. A login (basic_auth, headers) or a slower pace may help.",
    404: "The page does not exist: the links to it are out of date.",
    405: "It cannot be read with GET: it is the address of a form or a service.",
    406: "The server has no variant that we accept: check headers (Accept, Accept-Language).",
    407: "The proxy requires a user name and password: check proxies.",
    408: "The server timed out: lower connections_per_host, or crawl later.",
    410: "It is gone for good.",
    418: "The server refuses crawlers.",
    421: "The server does not serve this host name: --no-http2 may help.",
    429: "The crawl was too fast for the server: raise delay_seconds.",
    451: "It is blocked for legal reasons.",
}


def status_remedy(status: int) -> str:
    if status >= 500:
        return "The server had an internal error. Crawl later, or raise delay_seconds."
    return _STATUSES.get(status, OUTCOMES[Outcome.HTTP_ERROR].remedy)


def cause_of(end: Outcome | Exclusion) -> Cause:
    return OUTCOMES[end] if isinstance(end, Outcome) else EXCLUSIONS[end]


FINE = frozenset({Outcome.OK, Outcome.NOT_MODIFIED, Outcome.REDIRECT, Outcome.LISTING})
"""Outcomes with which nothing is wrong."""
