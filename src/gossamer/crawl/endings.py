"""How a run has ended, in words, and which ends of a page are failures."""

from collections.abc import Mapping

from gossamer.records import Outcome

_UNREACHED = {
    Outcome.DNS_ERROR: "host name not found",
    Outcome.CONNECT_ERROR: "connection failed",
    Outcome.TIMEOUT: "timed out",
    Outcome.TLS_ERROR: "TLS error",
    Outcome.PROTOCOL_ERROR: "protocol error",
    Outcome.ADDRESS_REFUSED: "private address (not allowed)",
}

FAILURES = (
    "timeout",
    "dns_error",
    "connect_error",
    "tls_error",
    "protocol_error",
    "bad_encoding",
    "too_large",
    "address_refused",
    "poison",
)


def told_by(error: BaseException | None) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) if error else "the roles died"


def why_nothing_is_left(statistics: Mapping[str, float]) -> str:
    """Without a single page, "everything" would hide what became of the seeds."""
    if statistics.get("pages"):
        return "everything in scope has been visited"
    failures = [words for end, words in _UNREACHED.items() if statistics.get(f"done.{end}")]
    if failures:
        return f"no seed could be reached: {', '.join(failures)}"
    if statistics.get("excluded.robots"):
        return "all seeds are blocked by robots.txt"
    if statistics.get("excluded.pattern"):
        return "'include' or 'exclude' leaves everything out"
    return "nothing in scope could be visited"
