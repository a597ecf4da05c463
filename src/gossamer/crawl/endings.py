"""How a run has ended, in words, and which ends of a page are failures."""

from collections.abc import Mapping

from gossamer.records import Outcome

_UNREACHED = {
    Outcome.DNS_ERROR: "no such host name",
    Outcome.CONNECT_ERROR: "no connection",
    Outcome.TIMEOUT: "no answer in time",
    Outcome.TLS_ERROR: "TLS refused",
    Outcome.PROTOCOL_ERROR: "a broken answer",
    Outcome.ADDRESS_REFUSED: "a private address, not allowed",
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
        return "everything within the scope has been visited"
    failures = [words for end, words in _UNREACHED.items() if statistics.get(f"done.{end}")]
    if failures:
        return f"no seed could be reached: {', '.join(failures)}"
    if statistics.get("excluded.robots"):
        return "no seed may be visited: blocked by robots.txt"
    if statistics.get("excluded.pattern"):
        return "'include' or 'exclude' leaves everything out"
    return "nothing within the scope could be visited"
