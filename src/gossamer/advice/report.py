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
            "The run has reached max_disk_bytes. Raise it, or free space with 'gossamer run tidy' "
            "(and retain_days) or 'gossamer forget'; then run the same command again."
        )
    if not number("pages") and not number("excluded.robots"):
        lines.append("No server answered. Check the address, the network and the proxy settings.")
    if count := number("done.dns_error"):
        names = urls(
            count, "has a host name that does not resolve", "have host names that do not resolve"
        )
        lines.append(f"{names}. Check the spelling and the network.")
    if count := number("done.connect_error"):
        lines.append(
            f"{urls(count, 'could', 'could')} not be connected to. Check that the server is up."
        )
    if count := number("done.timeout"):
        lines.append(
            f"{urls(count, 'timed out', 'timed out')}. Raise request_timeout_seconds, "
            f"or crawl later."
        )
    if count := number("done.tls_error"):
        lines.append(
            f"{urls(count, 'has', 'have')} a certificate that cannot be verified. If the server "
            f"is your own, --no-verify-tls accepts it."
        )
    if count := number("done.address_refused"):
        lines.append(
            f"{urls(count, 'is', 'are')} in a private network. To crawl your own servers, use "
            f"--allow-private."
        )
    if count := number("done.too_large"):
        lines.append(
            f"{urls(count, 'was', 'were')} too large. The limits are max_wire_bytes and "
            f"max_body_bytes."
        )
    if count := number("excluded.robots"):
        lines.append(f"{urls(count, 'is', 'are')} blocked by robots.txt.")
    if (count := number("excluded.scope")) and number("pages") <= 1:
        lines.append(
            f"{urls(count, 'is', 'are')} out of the scope '{settings.scope}'. To widen it, use "
            f"--scope."
        )
    if count := number("backoffs"):
        lines.append(f"Servers asked {count:,} times to slow down; the crawl did.")
    if count := number("done.poison"):
        lines.append(f"{urls(count, 'was', 'were')} skipped after crashing the parser twice.")
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
    named = [f"{label} ({count:,})" for label, count in largest[:_MOST_CAUSES]]
    visited = sum(count for name, count in statistics.items() if name.startswith("done."))
    rest = ", and others" if len(largest) > _MOST_CAUSES else ""
    return [
        f"{failed:,} of {int(visited):,} visits failed: {', '.join(named)}{rest}. "
        f"'gossamer errors {run}' shows which, why, and what to do."
    ]


def _status_text(code: str) -> str:
    try:
        return f"{code} {HTTPStatus(int(code)).phrase}"
    except ValueError:
        return f"status {code}"
