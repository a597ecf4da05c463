"""What crosses a border: between stages, between processes, and into the stores.

All of it is plain data (msgspec structs): no callback and no live object travels. Those that come
by the million hold no cycles, and are kept from the garbage collector (`gc=False`).
"""

from enum import IntFlag, StrEnum

from msgspec import Struct

from gossamer.urls import Url

RECORD_VERSION = 1
"""Written into every journal row and staging file that holds these records."""


class Outcome(StrEnum):
    """How the visit to a URL ended. Every leased URL that is not given back gets exactly one."""

    OK = "ok"  # a 2xx answer whose content was taken
    NOT_MODIFIED = "not_modified"  # 304 to a conditional request
    HTTP_ERROR = "http_error"  # any other status
    REDIRECT = "redirect"  # points to another URL, which got its own place in the queue
    REDIRECT_LOOP = "redirect_loop"
    REDIRECT_LIMIT = "redirect_limit"
    REDIRECT_INVALID = "redirect_invalid"  # Location is missing or leads to nothing fetchable
    LISTING = "listing"  # a sitemap or a feed: its addresses were taken
    SOFT_404 = "soft_404"  # a 2xx answer whose page says that there is none
    LANGUAGE = "language"  # a page in a language that is not wanted
    UNSUPPORTED = "unsupported"  # a media type that no processor reads
    UNREADABLE = "unreadable"  # encrypted, broken or cut off: its processor cannot make sense of it
    TOO_LARGE = "too_large"  # past the cap on the wire or after decompression
    BAD_ENCODING = "bad_encoding"  # a content encoding that cannot be undone
    TIMEOUT = "timeout"
    DNS_ERROR = "dns_error"
    CONNECT_ERROR = "connect_error"
    TLS_ERROR = "tls_error"
    PROTOCOL_ERROR = "protocol_error"  # dropped, cut short, or not HTTP
    ADDRESS_REFUSED = "address_refused"  # a private address without permission
    POISON = "poison"  # killed its parser more than once

    @property
    def answered(self) -> bool:
        """Whether a server answered: what `max_pages` counts (redirects are counted apart)."""
        return self in _ANSWERED


_ANSWERED = frozenset(
    {
        Outcome.OK,
        Outcome.SOFT_404,
        Outcome.LANGUAGE,
        Outcome.NOT_MODIFIED,
        Outcome.HTTP_ERROR,
        Outcome.UNSUPPORTED,
        Outcome.UNREADABLE,
        Outcome.TOO_LARGE,
        Outcome.BAD_ENCODING,
        Outcome.POISON,
        Outcome.REDIRECT_LOOP,
        Outcome.REDIRECT_LIMIT,
        Outcome.REDIRECT_INVALID,
    }
)


class Exclusion(StrEnum):
    """Why a URL that was found is not visited."""

    SCOPE = "scope"
    DEPTH = "depth"
    PATTERN = "pattern"  # 'include' and 'exclude'
    BLOCKED = "blocked"  # a host on a list
    FILTER = "filter"  # a plugin's
    LINK_LIMIT = "link_limit"  # its page has better links
    ROBOTS = "robots"
    HOST_BYTES = "host_bytes"
    FORGOTTEN = "forgotten"  # by 'gossamer forget'
    TRAP_REPETITION = "trap.repetition"  # the same parts again and again
    TRAP_GROWTH = "trap.growth"  # a path or a query that only gets longer
    TRAP_CALENDAR = "trap.calendar"
    TRAP_PARAMETERS = "trap.parameters"  # combinations that bring nothing new
    TRAP_SOFT_404 = "trap.soft_404"  # any address gets a page that says there is none
    TRAP_DUPLICATES = "trap.duplicates"  # pages that repeat each other


class Directives(IntFlag):
    """What robots meta tags and X-Robots-Tag ask for, and how a page rates itself."""

    NONE = 0
    NOINDEX = 1
    NOFOLLOW = 2
    NOSNIPPET = 4
    NOARCHIVE = 8
    ADULT = 16  # by a rating of its own: not for everybody's eyes


class PieceClass(StrEnum):
    """The tag class of a piece of text: one letter a line of `PageContent.text`."""

    TITLE = "t"
    HEADING_1 = "1"
    HEADING_2 = "2"
    HEADING_3 = "3"
    HEADING_LOW = "4"  # h4 to h6
    PARAGRAPH = "p"  # and any text without a better class
    LIST = "l"
    TABLE = "c"  # a cell or a caption
    QUOTE = "q"
    CODE = "x"  # pre, code blocks
    NAVIGATION = "n"  # nav, header, footer, aside, menus


class Exchange(Struct, frozen=True, gc=False):
    """One request and its answer, or what became of it. `body` is decoded of transfer codings
    (chunks) but not of content encodings: these are the bytes that a WARC keeps."""

    url: str
    fetched_at: float  # seconds since 1970
    seconds: float
    outcome: Outcome  # OK: an answer came, whatever its status; else a transport failure
    detail: str = ""  # for people: what went wrong
    status: int = 0
    status_line: str = ""  # 'HTTP/1.1 200 OK'
    headers: tuple[tuple[str, str], ...] = ()  # in order, names as received
    body: bytes = b""
    address: str = ""  # the address that was really connected to
    request_headers: tuple[tuple[str, str], ...] = ()

    def header(self, name: str) -> str:
        """The first header of that name (any case), or ''."""
        for known, value in self.headers:
            if known.lower() == name:
                return value
        return ""

    def all_headers(self, name: str) -> list[str]:
        return [value for known, value in self.headers if known.lower() == name]


class RawPage(Struct, frozen=True, gc=False):
    """What a page processor is given: an answer with its content encodings undone."""

    url: str
    media_type: str  # lower case, without parameters; '' if the server named none
    charset: str  # from Content-Type; '' if it named none
    body: bytes
    robots_tags: tuple[str, ...] = ()  # the values of X-Robots-Tag


class FoundLink(Struct, frozen=True, gc=False):
    url: Url
    anchor: str
    nofollow: bool
    boilerplate: bool = False  # stands outside of the page's content
    is_listing: bool = False  # leads to a sitemap or a feed
    is_outside: bool = False  # of the parts of the page whose links are wanted: not followed
    modified: str = ""  # when its target last changed, by what a sitemap says (ISO 8601)


class PageContent(Struct, frozen=True, gc=False):
    """What a page processor makes of a page. Line i of `text` has the class `classes[i]`."""

    title: str = ""
    description: str = ""
    canonical: str = ""
    language: str = ""  # ISO 639-1, '' where there is too little text to tell
    charset: str = ""  # the one that was used
    text: str = ""
    classes: str = ""
    links: tuple[FoundLink, ...] = ()
    other_links: int = 0  # mailto:, javascript:, broken ones: counted, not kept
    directives: int = 0  # Directives
    content_hash: int = 0  # of the text: equal pages have equal hashes
    similarity_hash: int = 0  # near-duplicates differ in few bits
    is_partial: bool = False  # not all of it was read
    note: str = ""  # for people: what was not read, and why
    main: str = ""  # of the lines, as `classes`: '1' for content, '0' for boilerplate


class Unread(Struct, frozen=True, gc=False):
    """A page whose content could not be had, and why."""

    outcome: Outcome
    detail: str  # for people


Processed = PageContent | Unread


class Item(Struct, frozen=True, array_like=True, gc=False):
    """A URL in the frontier. (site, key) identifies it everywhere."""

    url: str
    site: int  # hash of the registrable domain
    key: int
    depth: int
    parent: str = ""
    anchor: str = ""
    via: tuple[str, ...] = ()  # the redirects that led here, oldest first
    tries: int = 0
    crashes: int = 0  # how often its processing took the process down
    score: int = 0  # of the best link to it, when it was found: 0 to 1000
    is_listing: bool = False  # a sitemap or a feed, read for its addresses alone
    priority: int = -1  # as the order of the crawl saw it when it entered the queue
    etag: str = ""  # of the copy that we have, where this is another visit
    last_modified: str = ""
    known_hash: int = 0  # its content hash
    was_document: bool = False
    listed_modified: str = ""  # when it last changed, by the sitemap that named it (ISO 8601)

    @property
    def is_revisit(self) -> bool:
        return bool(self.known_hash or self.etag or self.last_modified)


class Link(Struct, frozen=True, array_like=True, gc=False):
    """A URL on its way to the queue server that owns it."""

    item: Item
    excluded: Exclusion | None = None
    from_site: int = 0  # the site of the page that it was found on; 0: none, or its own
    is_listed: bool = False  # a sitemap or a feed names it


class HostGrant(Struct, frozen=True):
    """Permission to visit one host, within a schedule."""

    host: str
    connections: int
    ready_at: float  # no request before
    response_seconds: float  # as measured so far; 0: not yet
    bytes_left: int  # of `max_bytes_per_host`; -1: no limit
    robots: tuple["RobotsFile", ...] = ()  # one an origin of the host, where known
    cookies: tuple[str, ...] = ()  # that the host has set during the run


class RobotsFile(Struct, frozen=True):
    """What an origin said about robots, kept with the host so that all fetchers share it."""

    origin: str
    fetched_at: float
    status: int  # 0: unreachable
    text: str  # '' unless status is 2xx
    failure: Outcome = Outcome.OK  # why it is unreachable
    detail: str = ""


class Schedule(Struct, frozen=True):
    """Work for one fetcher. The owner leases the URLs again only after `lease_until` + grace."""

    server: int
    epoch: int
    number: int  # the place in the order of this queue server
    attempt: int
    budget_seconds: float  # what is not started by then comes back untried
    lease_seconds: float
    items: tuple[Item, ...]
    grants: tuple[HostGrant, ...]
    isolated: tuple[int, ...] = ()  # positions of items to process alone, in a subprocess

    @property
    def name(self) -> str:
        """Of this attempt's staging files: unique over restarts and repeats."""
        return f"{self.server:03d}-{self.number:010d}-{self.epoch:06d}-{self.attempt:04d}"


class Visit(Struct, frozen=True, array_like=True):
    """What became of one leased URL, as the queue server needs to know it."""

    site: int
    key: int
    url: str
    outcome: Outcome
    status: int
    wire_bytes: int
    body_bytes: int
    seconds: float
    is_document: bool
    content_hash: int
    links_found: int  # all that stood on the page
    links_cross_site: int
    links_nofollow: int
    links_known: int  # not sent: the frontier has them already
    links_other: int
    tries: int
    links: tuple[Link, ...]
    similarity_hash: int = 0


class Postponed(Struct, frozen=True, array_like=True):
    """A URL that comes back to the queue: untried, or tried in vain and worth another try."""

    item: Item
    after_seconds: float  # 0: as soon as the host allows
    retried: bool


class Refused(Struct, frozen=True, array_like=True):
    """A leased URL that turned out to be excluded."""

    item: Item
    reason: Exclusion


class HostReport(Struct, frozen=True):
    """What a fetcher learned about a host."""

    host: str
    ready_after_seconds: float
    delay_seconds: float
    response_seconds: float
    wire_bytes: int
    backoffs: int
    robots: tuple[RobotsFile, ...] = ()  # newly fetched ones
    cookies: tuple[str, ...] = ()  # all that the host would get, when it has set any


class Answer(Struct, frozen=True):
    """The result of one attempt at a schedule. Page bodies stay in the staging files."""

    server: int
    epoch: int
    number: int
    attempt: int
    fetcher: str
    staged: str  # name of the staging files; '' where no page was stored
    visits: tuple[Visit, ...]
    postponed: tuple[Postponed, ...]
    refused: tuple[Refused, ...]
    carried: tuple[Item, ...]  # still running: they arrive with a later answer of this fetcher
    hosts: tuple[HostReport, ...]
    requests: int  # all that was sent, robots files and redirect hops in place included
    robots_requests: int
    sitemaps: tuple[Link, ...] = ()  # that robots files named


class PageRow(Struct, frozen=True, gc=False):
    """A row of the page store: one URL and its outcome."""

    url: str
    site: str
    host: str
    site_hash: int
    key: int
    depth: int
    parent: str
    anchor: str
    via: tuple[str, ...]
    outcome: Outcome
    detail: str
    status: int
    fetched_at: float
    seconds: float
    tries: int
    address: str
    media_type: str
    charset: str
    wire_bytes: int
    body_bytes: int
    truncated: bool
    etag: str
    last_modified: str
    listed_modified: str  # by the sitemap that named it (ISO 8601)
    location: str  # where a redirect points
    title: str
    description: str
    canonical: str
    language: str
    text: str
    classes: str
    directives: int
    content_hash: int
    similarity_hash: int
    link_count: int
    main: str = ""
    fields: str = ""  # what plugins returned for the page: a JSON object


class CommittedAttempt(Struct, frozen=True):
    """What the roller is told: a winning attempt, in schedule order."""

    server: int
    number: int
    staged: str
    duplicates: dict[str, str]  # url of a page -> url of the page that had the same text before
    dropped: tuple[str, ...] = ()  # urls whose rows are not to be published
    near_duplicates: dict[str, str] = {}  # as `duplicates`, for nearly the same text
    round: int = 0  # rows of a later round take the place of earlier ones
