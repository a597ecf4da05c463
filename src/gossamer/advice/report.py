"""What the statistics of a run suggest to its owner."""

from collections.abc import Mapping
from http import HTTPStatus

from gossamer.advice.causes import FINE, OUTCOMES
from gossamer.config import CrawlSettings
from gossamer.records import Outcome

_FEW_FAILURES = 5
_MOST_CAUSES = 3


def advice(statistics: Mapping[str, float], settings: CrawlSettings) -> list[str]:
    """Lines for people, the most useful first; none when all is well."""

    def number(name: str) -> int:
        return int(statistics.get(name, 0))

    def urls(count: int, one: str, many: str) -> str:
        return f"1 URL {one}" if count == 1 else f"{count:,} URLs {many}"

    lines = []
    if 0 < settings.max_disk_bytes <= number("disk_bytes"):
        lines.append(
            "The run has reached max_disk_bytes: raise it, or let 'gossamer run tidy' (with "
            "retain_days) or 'gossamer forget' make room; then the same command goes on."
        )
    if not number("pages") and not number("excluded.robots"):
        lines.append("No server answered: check the address, the network and the proxy settings.")
    if count := number("done.dns_error"):
        names = urls(count, "has a name that does not resolve", "have names that do not resolve")
        lines.append(f"{names}: check the spelling, and the network.")
    if count := number("done.connect_error"):
        lines.append(f"{urls(count, 'did', 'did')} not get a connection: is the server up?")
    if count := number("done.timeout"):
        lines.append(
            f"{urls(count, 'took too long', 'took too long')}: raise request_timeout_seconds, "
            f"or crawl later."
        )
    if count := number("done.tls_error"):
        lines.append(
            f"{urls(count, 'has', 'have')} a certificate that cannot be verified: if the server "
            f"is your own, --no-verify-tls takes it as it is."
        )
    if count := number("done.address_refused"):
        lines.append(
            f"{urls(count, 'leads', 'lead')} into a private network: --allow-private crawls your "
            f"own servers."
        )
    if count := number("done.too_large"):
        lines.append(
            f"{urls(count, 'was', 'were')} too large: see max_wire_bytes and max_body_bytes."
        )
    if count := number("excluded.robots"):
        lines.append(f"{urls(count, 'is', 'are')} closed to us by robots.txt.")
    if (count := number("excluded.scope")) and number("pages") <= 1:
        lines.append(
            f"{urls(count, 'leads', 'lead')} out of the scope '{settings.scope}': see --scope."
        )
    if count := number("backoffs"):
        lines.append(f"Servers asked us {count:,} times to slow down; we did.")
    if count := number("done.poison"):
        lines.append(
            f"{urls(count, 'crashed its', 'crashed their')} parser twice, and is given up."
        )
    return lines


def failed_pages(statistics: Mapping[str, float], run: str) -> list[str]:
    """A line on what went wrong, when that was more than a little."""
    failures = {
        end: int(count)
        for end in Outcome
        if end not in FINE and (count := statistics.get(f"done.{end}", 0)) > 0
    }
    failed = sum(failures.values())
    if failed <= _FEW_FAILURES:
        return []
    causes = {OUTCOMES[end].label: count for end, count in failures.items()}
    if Outcome.HTTP_ERROR in failures:
        causes.pop(OUTCOMES[Outcome.HTTP_ERROR].label)
        causes |= {
            _status_text(name.removeprefix("status.")): int(count)
            for name, count in statistics.items()
            if name.startswith("status.") and name >= "status.4" and count > 0
        }
    largest = sorted(causes.items(), key=lambda cause: -cause[1])
    named = [f"{count:,} {label}" for label, count in largest[:_MOST_CAUSES]]
    visited = sum(count for name, count in statistics.items() if name.startswith("done."))
    rest = " ..." if len(largest) > _MOST_CAUSES else ""
    return [
        f"{failed:,} of {int(visited):,} visits failed: {', '.join(named)}{rest}. "
        f"'gossamer errors {run}' tells which, why, and what to do."
    ]


def _status_text(code: str) -> str:
    try:
        return f"{code} {HTTPStatus(int(code)).phrase}"
    except ValueError:
        return f"status {code}"
