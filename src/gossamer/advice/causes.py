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
    Outcome.OK: Cause("taken", "its content was taken", ""),
    Outcome.NOT_MODIFIED: Cause("not modified", "it has not changed since the visit before", ""),
    Outcome.HTTP_ERROR: Cause(
        "error status", "the server answered with an error", "Open it in a browser to compare."
    ),
    Outcome.REDIRECT: Cause("redirects", "it leads to another address", ""),
    Outcome.REDIRECT_LOOP: Cause(
        "redirect loops",
        "its redirects lead back to where they began",
        "Servers do that to clients without a cookie or a language: see cookies and headers.",
    ),
    Outcome.REDIRECT_LIMIT: Cause(
        "redirect chains too long",
        "it stands at the end of too many redirects",
        "Raise max_redirects.",
    ),
    Outcome.REDIRECT_INVALID: Cause(
        "redirects to nowhere",
        "it redirects to something that cannot be fetched",
        "The server names no address, or one that is not http: its owner has to mend that.",
    ),
    Outcome.LISTING: Cause(
        "sitemaps and feeds", "it is a list of addresses, and these were taken", ""
    ),
    Outcome.SOFT_404: Cause(
        "missing, with status 200",
        "it says that there is no such page, although its status is 200",
        "If that is wrong, look at its text: 'gossamer page RUN URL --text'.",
    ),
    Outcome.LANGUAGE: Cause(
        "other languages",
        "it is in a language that is not wanted",
        "Add its language to 'languages', or leave that empty.",
    ),
    Outcome.UNSUPPORTED: Cause(
        "media types that nothing reads",
        "its media type is one that nothing reads",
        "It is kept as received; 'exclude' saves the visits to files of its kind.",
    ),
    Outcome.UNREADABLE: Cause(
        "encrypted or broken",
        "it is encrypted, broken or cut off",
        "Open it in a browser: if that reads it, the file may have been cut by max_wire_bytes.",
    ),
    Outcome.TOO_LARGE: Cause(
        "too large", "it is too large", "Raise max_wire_bytes and max_body_bytes."
    ),
    Outcome.BAD_ENCODING: Cause(
        "damaged content encoding",
        "its content encoding cannot be undone",
        "The server calls it compressed and it is not: its owner has to mend that.",
    ),
    Outcome.TIMEOUT: Cause(
        "timed out",
        "it took too long",
        "Raise request_timeout_seconds, lower connections_per_host, or crawl later.",
    ),
    Outcome.DNS_ERROR: Cause(
        "no such host name",
        "its host name does not resolve",
        "Check the spelling and the network; 'resolve' gives a name a fixed address.",
    ),
    Outcome.CONNECT_ERROR: Cause(
        "no connection",
        "its server did not take a connection",
        "Is the server up? Does a firewall or a proxy stand between?",
    ),
    Outcome.TLS_ERROR: Cause(
        "TLS refused",
        "its certificate cannot be verified",
        "If the server is your own, --no-verify-tls takes it as it is.",
    ),
    Outcome.PROTOCOL_ERROR: Cause(
        "broken answer",
        "its server broke off, or did not speak HTTP",
        "Crawl later; if it stays so, --no-http2 may help.",
    ),
    Outcome.ADDRESS_REFUSED: Cause(
        "private address, not allowed",
        "it leads into a private network",
        "--allow-private crawls your own servers.",
    ),
    Outcome.POISON: Cause(
        "crashed the parser",
        "it crashed its parser more than once, and was given up",
        "Its bytes are kept: 'gossamer page RUN URL --html' shows them.",
    ),
}

_TRAP = "Set traps = false (--no-traps), or raise trap_pages, if these are pages of their own."

EXCLUSIONS: dict[Exclusion, Cause] = {
    Exclusion.SCOPE: Cause(
        "out of scope", "it lies out of the scope", "Widen 'scope', and add --resume."
    ),
    Exclusion.DEPTH: Cause("too deep", "it is too many steps away from a seed", "Raise max_depth."),
    Exclusion.PATTERN: Cause(
        "by pattern",
        "a pattern leaves it out",
        "Change 'include' or 'exclude': the same command goes on then.",
    ),
    Exclusion.BLOCKED: Cause(
        "on a block list", "its host is on a block list", "Take the host off the list."
    ),
    Exclusion.FILTER: Cause(
        "by a plugin", "a filter of a plugin leaves it out", "Change the plugin's filter."
    ),
    Exclusion.LINK_LIMIT: Cause(
        "better links on its page",
        "its page has more links than are followed, and better ones",
        "Raise max_links_per_page.",
    ),
    Exclusion.ROBOTS: Cause(
        "closed by robots.txt",
        "robots.txt closes it to us",
        "If the site is yours, open it in robots.txt to 'agent_name', or use --no-obey-robots.",
    ),
    Exclusion.HOST_BYTES: Cause(
        "the host's bytes used up",
        "its host had used up its bytes",
        "Raise max_bytes_per_host.",
    ),
    Exclusion.FORGOTTEN: Cause(
        "to be forgotten",
        "it was forgotten by 'gossamer forget', and stays so in all runs of its crawler",
        "A crawler with another 'name' does not know of that.",
    ),
    Exclusion.TRAP_REPETITION: Cause(
        "trap: parts repeat", "the same parts come again and again in its address", _TRAP
    ),
    Exclusion.TRAP_GROWTH: Cause(
        "trap: grows",
        "its path or its query is longer than any sound address",
        "Raise max_path_parts or max_parameters, or set traps = false (--no-traps).",
    ),
    Exclusion.TRAP_CALENDAR: Cause("trap: calendar", "it belongs to a calendar without end", _TRAP),
    Exclusion.TRAP_PARAMETERS: Cause(
        "trap: parameters",
        "combinations of its parameters brought nothing new",
        _TRAP,
    ),
    Exclusion.TRAP_SOFT_404: Cause(
        "trap: any address answers",
        "its server has a page for any address of its kind, which says that there is none",
        _TRAP,
    ),
    Exclusion.TRAP_DUPLICATES: Cause(
        "trap: duplicates", "pages of its kind on its host repeated each other", _TRAP
    ),
}

_STATUSES = {
    400: "The server does not like the request: compare with a browser; see headers.",
    401: "It wants a login: basic_auth or headers can give one.",
    402: "It wants to be paid for.",
    403: "The server refuses us: a login (basic_auth, headers), or a slower pace, may help.",
    404: "It is gone: the pages that link to it are out of date.",
    405: "It is no page to be read: an address of a form or of a service.",
    406: "The server has nothing that we accept: see headers (Accept, Accept-Language).",
    407: "The proxy wants a user name and a password: see proxies.",
    408: "The server gave up waiting: lower connections_per_host, or crawl later.",
    410: "It is gone for good.",
    418: "The server refuses crawlers.",
    421: "The server is not meant for this name: --no-http2 may help.",
    429: "We were too fast for the server: raise delay_seconds.",
    451: "The server may not show it, for legal reasons.",
}


def status_remedy(status: int) -> str:
    if status >= 500:
        return "The server had trouble: crawl later; a larger delay_seconds spares it."
    return _STATUSES.get(status, OUTCOMES[Outcome.HTTP_ERROR].remedy)


def cause_of(end: Outcome | Exclusion) -> Cause:
    return OUTCOMES[end] if isinstance(end, Outcome) else EXCLUSIONS[end]


FINE = frozenset({Outcome.OK, Outcome.NOT_MODIFIED, Outcome.REDIRECT, Outcome.LISTING})
"""Outcomes with which nothing is wrong."""
