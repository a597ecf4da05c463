"""Every setting of a crawl: name, default, unit in the name, one line of help."""

import os
import re
from ipaddress import ip_address
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from gossamer import __version__
from gossamer.lib import expressions, xpaths

PROJECT_CONTACT = "+https://gossamer.example/crawler"

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
PositiveSeconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


def _setting(default: Any, group: str, help_text: str) -> Any:
    return Field(default=default, description=help_text, json_schema_extra={"group": group})


class CrawlSettings(BaseModel):
    """Every setting of a crawl. 0 means 'no limit' wherever a limit is a number."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # What to crawl
    seeds: tuple[str, ...] = _setting(
        (), "What to crawl", "Addresses to start from, or folders on this machine."
    )
    seed_files: tuple[str, ...] = _setting(
        (),
        "What to crawl",
        "Lists of addresses to start from: one per line, or a table with a column 'url'; '-' is "
        "standard input.",
    )
    name: str = _setting(
        "", "What to crawl", "Name of the crawler; made from the first seed's host if empty."
    )
    scope: Literal["host", "domain", "prefix", "patterns", "anywhere"] = _setting(
        "host",
        "What to crawl",
        "Which links are followed: to the seeds' hosts, to their registrable domains, into the "
        "seeds' folders, to addresses that match 'include', or all.",
    )
    include: tuple[str, ...] = _setting(
        (),
        "What to crawl",
        "Only follow links to addresses (or read files of a folder) that match one of these: '*' "
        "matches anything, 're:' starts a regular expression.",
    )
    exclude: tuple[str, ...] = _setting(
        (),
        "What to crawl",
        "Do not follow links to addresses (or read files) that match one of these.",
    )
    block_lists: tuple[str, ...] = _setting(
        (), "What to crawl", "Files with hosts to block, one per line, subdomains included."
    )
    link_scope: str = _setting(
        "", "What to crawl", "An XPath: only follow links in these parts of a page."
    )
    languages: tuple[str, ...] = _setting(
        (), "What to crawl", "Only keep pages in these languages: 'en', 'de' ..."
    )
    sitemaps: bool = _setting(
        True, "What to crawl", "Read addresses from the sitemaps listed in robots.txt."
    )
    feeds: bool = _setting(
        True, "What to crawl", "Read addresses from the RSS and Atom feeds that pages link to."
    )
    max_links_per_page: Count = _setting(
        300,
        "What to crawl",
        "Follow at most this many links of a page, those with the best scores; 0: all.",
    )
    plugins: tuple[str, ...] = _setting(
        (), "What to crawl", "Python files with your own extractors and URL filters."
    )

    # Order
    order: Literal["breadth", "depth", "best", "budget"] = _setting(
        "budget",
        "Order",
        "What is crawled first: pages near a seed, pages far from it, links with a good score, or "
        "an equal budget for every domain.",
    )
    budget_pages: Positive = _setting(
        10,
        "Order",
        "With order 'budget': pages of a domain in the first tier, for each domain that links to "
        "it, plus one share for itself.",
    )
    topic: tuple[str, ...] = _setting(
        (), "Order", "Words that raise the score of a link: the topic of the crawl."
    )

    # Addresses
    drop_parameters: tuple[str, ...] = _setting(
        (
            *("utm_*", "gclid", "gclsrc", "dclid", "fbclid", "msclkid", "yclid", "twclid"),
            *("igshid", "mc_cid", "mc_eid", "_ga", "_gl", "_hsenc", "_hsmi", "mkt_tok"),
        ),
        "Addresses",
        "URL parameters to ignore; '*' matches anything.",
    )
    drop_session_ids: bool = _setting(
        True, "Addresses", "Treat addresses that differ only in a session id as the same."
    )
    index_files: tuple[str, ...] = _setting(
        (
            *("index.html", "index.htm", "index.shtml", "index.php", "index.asp", "index.aspx"),
            *("index.jsp", "default.htm", "default.html", "default.asp", "default.aspx"),
        ),
        "Addresses",
        "File names that stand for the page of their folder.",
    )

    # Traps
    traps: bool = _setting(
        True, "Traps", "Detect crawler traps (endless addresses), and leave them after a few pages."
    )
    trap_pages: Positive = _setting(
        10,
        "Traps",
        "Visit this many pages of one address pattern on a host before it can be judged a trap.",
    )
    max_path_parts: Positive = _setting(
        20, "Traps", "Do not follow links whose path has more parts than this."
    )
    max_parameters: Positive = _setting(
        12, "Traps", "Do not follow links with more parameters than this."
    )

    # Limits
    max_pages: Count = _setting(
        0, "Limits", "Stop after this many pages with a response; 0: no limit."
    )
    max_documents: Count = _setting(0, "Limits", "Stop after this many documents; 0: no limit.")
    max_depth: Count | None = _setting(
        None, "Limits", "Follow links up to this many steps from a seed; 0: seeds only."
    )
    max_seconds: Seconds = _setting(
        0, "Limits", "Stop after this much time, over all sessions of the run; 0: no limit."
    )
    max_bytes_per_host: Count = _setting(
        0, "Limits", "Download at most this many bytes from a host; 0: no limit."
    )

    # Politeness
    agent_name: str = _setting(
        "Gossamer", "Politeness", "Name of the crawler in the User-Agent and in robots.txt."
    )
    contact: str = _setting(
        "", "Politeness", "A web or mail address for site owners, sent in the User-Agent."
    )
    obey_robots: bool = _setting(True, "Politeness", "Obey robots.txt and robots directives.")
    robots_lifetime_seconds: PositiveSeconds = _setting(
        86_400, "Politeness", "Fetch a robots.txt again after this long."
    )
    robots_retry_seconds: PositiveSeconds = _setting(
        60, "Politeness", "Retry a robots.txt that could not be fetched after this long."
    )
    delay_seconds: Literal["auto"] | Seconds = _setting(
        "auto",
        "Politeness",
        "Pause between two requests to a host; 'auto' uses the host's own response time, "
        "and at least one second on the public internet.",
    )
    max_delay_seconds: PositiveSeconds = _setting(
        600,
        "Politeness",
        "The longest Crawl-delay or Retry-After that is obeyed; longer ones are cut to this.",
    )
    connections_per_host: Positive = _setting(
        1, "Politeness", "Simultaneous connections to one host."
    )

    # Fetching
    connections: Positive = _setting(128, "Fetching", "Simultaneous connections in each fetcher.")
    connect_timeout_seconds: PositiveSeconds = _setting(
        10, "Fetching", "Timeout for name resolution, connection and TLS."
    )
    stall_timeout_seconds: PositiveSeconds = _setting(
        15, "Fetching", "Give up when no byte arrives for this long."
    )
    request_timeout_seconds: PositiveSeconds = _setting(
        30, "Fetching", "Timeout for a whole request."
    )
    max_wire_bytes: Positive = _setting(
        20_000_000, "Fetching", "Refuse a body larger than this, as transferred."
    )
    max_body_bytes: Positive = _setting(
        50_000_000, "Fetching", "Refuse a body larger than this, uncompressed."
    )
    take_bytes: Positive = _setting(
        2_000_000, "Fetching", "Read only this much of a page's uncompressed body."
    )
    retries: Count = _setting(2, "Fetching", "Retries after a temporary failure.")
    retry_backoff_seconds: Seconds = _setting(
        5, "Fetching", "Wait before the first retry; doubled each time, with jitter."
    )
    max_redirects: Count = _setting(10, "Fetching", "Longest chain of redirects to follow.")
    http2: bool = _setting(True, "Fetching", "Use HTTP/2 if the server offers it over TLS.")
    verify_tls: bool = _setting(True, "Fetching", "Refuse servers with an invalid certificate.")
    cookies: bool = _setting(True, "Fetching", "Keep and send cookies during the run.")
    headers: dict[str, str] = _setting({}, "Fetching", "Headers to send with every request.")
    basic_auth: str = _setting("", "Fetching", "'user:password', sent only to the seeds' hosts.")
    proxies: tuple[str, ...] = _setting(
        (), "Fetching", "Proxies to rotate over: http://, https://, socks5:// or socks5h://."
    )
    allow_private: bool = _setting(
        False, "Fetching", "Allow private, loopback and link-local addresses."
    )
    resolve: dict[str, str] = _setting(
        {},
        "Fetching",
        "Host names with fixed addresses, optionally with ports: "
        "{'example.test' = '127.0.0.1:8080'}.",
    )
    local_hosts: dict[str, str] = _setting(
        {},
        "Fetching",
        "Hosts with addresses of this machine or network that may be crawled without "
        "'allow_private', each at its address alone: {'wiki.test' = '127.0.0.1:8080'}.",
    )

    # Stores
    keep_raw: bool = _setting(True, "Stores", "Store the pages as received, in WARC files.")
    min_free_bytes: Count = _setting(
        200_000_000, "Stores", "Pause when less disk space than this is left."
    )
    max_disk_bytes: Count = _setting(
        0, "Stores", "Stop when the run uses this much disk space; 0: no limit."
    )
    retain_days: Count = _setting(
        0, "Stores", "Remove pages this long after they were fetched; 0: never."
    )
    segment_pages: Positive = _setting(5_000, "Stores", "Pages in one segment.")
    segment_seconds: PositiveSeconds = _setting(
        60, "Stores", "Publish a segment at least this often, even a small one."
    )

    # Processes
    fetchers: Count = _setting(0, "Processes", "Fetcher processes; 0: one per core.")
    queue_servers: Positive = _setting(1, "Processes", "Queue-server processes.")
    processes: bool = _setting(
        True, "Processes", "Run the roles as separate processes; false: all in this one."
    )
    window: Positive = _setting(
        64,
        "Processes",
        "Schedules that may be in progress or waiting to be committed at the same time.",
    )
    ordered: bool = _setting(True, "Processes", "Commit results in the order of their schedules.")
    schedule_urls: Positive = _setting(400, "Processes", "Maximum URLs in a schedule.")
    schedule_seconds: PositiveSeconds = _setting(
        10,
        "Processes",
        "URLs that a schedule has not started after this long go back to the queue.",
    )
    lease_grace_seconds: Seconds = _setting(
        5,
        "Processes",
        "Wait this long after the end of a lease before its URLs are assigned again.",
    )
    hang_seconds: PositiveSeconds = _setting(
        60, "Processes", "Kill a fetcher that has not responded for this long."
    )

    @field_validator("include", "exclude")
    @classmethod
    def _are_patterns(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in value:
            if not pattern.strip():
                raise ValueError("must hold no empty pattern")
            if pattern.startswith("re:"):
                try:
                    expressions.check(pattern.removeprefix("re:"))
                except ValueError as error:
                    raise ValueError(
                        f"'{pattern}' is not a supported regular expression: {error} "
                        "(look-around and back-references are not supported)"
                    ) from None
        return value

    @field_validator("link_scope")
    @classmethod
    def _is_xpath(cls, value: str) -> str:
        if value:
            xpaths.compiled(value)
        return value

    @field_validator("languages")
    @classmethod
    def _are_languages(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for language in value:
            if not re.fullmatch(r"[A-Za-z]{2}(?:[-_][A-Za-z0-9-]+)?", language):
                raise ValueError(f"must be codes of two letters, like 'en', not '{language}'")
        return value

    @field_validator("basic_auth")
    @classmethod
    def _has_colon(cls, value: str) -> str:
        if value and ":" not in value:
            raise ValueError("must be 'user:password'")
        return value

    @field_validator("proxies")
    @classmethod
    def _are_proxies(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for proxy in value:
            if not re.fullmatch(r"(?:https?|socks5h?)://[^/\s]+/?", proxy, re.IGNORECASE):
                raise ValueError(
                    "must be addresses of proxies: http://, https://, socks5:// or socks5h://, "
                    "then a host and a port"
                )
        return value

    @field_validator("resolve", "local_hosts")
    @classmethod
    def _are_addresses(cls, value: dict[str, str]) -> dict[str, str]:
        for name, text in value.items():
            with_port = re.fullmatch(r"([\d.]+|\[[^\]]+\]):\d{1,5}", text.strip())
            for part in [with_port[1]] if with_port else text.split(","):
                try:
                    ip_address(part.strip(" []"))
                except ValueError:
                    raise ValueError(
                        f"must name addresses: '{text}' of '{name}' is none "
                        "(like '127.0.0.1', '127.0.0.1:8080' or '::1')"
                    ) from None
        return value

    @field_validator("agent_name")
    @classmethod
    def _is_product_token(cls, value: str) -> str:
        if not re.fullmatch(r"[A-Za-z_-]+", value):
            raise ValueError("must be made of letters, '_' and '-' (a robots.txt product token)")
        return value

    @field_validator("headers")
    @classmethod
    def _are_header_lines(cls, value: dict[str, str]) -> dict[str, str]:
        for name, text in value.items():
            if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or re.search(
                r"[\r\n\0]", text
            ):
                raise ValueError(f"'{name}' is not a header that can be sent")
        return value

    @field_validator("name")
    @classmethod
    def _is_name(cls, value: str) -> str:
        if value and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", value):
            raise ValueError("must start with a letter or digit and hold letters, digits, . _ -")
        return value

    @property
    def user_agent(self) -> str:
        return f"{self.agent_name}/{__version__} ({self.contact or PROJECT_CONTACT})"

    @property
    def fetcher_count(self) -> int:
        return self.fetchers or len(os.sched_getaffinity(0))

    @property
    def host_connections(self) -> int:
        """A limit on a host's bytes can only hold exactly when one request at a time counts."""
        return 1 if self.max_bytes_per_host else self.connections_per_host

    @property
    def lease_seconds(self) -> float:
        """A request that starts at the very end of the budget may still take its whole time."""
        return self.schedule_seconds + self.request_timeout_seconds
