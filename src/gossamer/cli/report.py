"""What is said when a crawl has ended, or when someone asks about a run.

Everything is read off the run's flat counters, so that it holds for a run of last year as well.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from gossamer.advice import EXCLUSIONS, OUTCOMES
from gossamer.cli.terminal import count, duration, rate, say, say_pairs, several, size

if TYPE_CHECKING:
    from gossamer.app import Report, RunInfo

Statistics = Mapping[str, float]
Row = tuple[str, str]

_VISITED = {str(end): cause.label for end, cause in OUTCOMES.items()}
_EXCLUDED = {str(reason): cause.label for reason, cause in EXCLUSIONS.items()}


def show_report(report: "Report", advice: Sequence[str]) -> None:
    say(_state(report.run, report.state, report.reason))
    say(headline(report.statistics, report.elapsed_seconds))
    show_statistics(report.statistics)
    if advice:
        say("\nNotes")
        for line in advice:
            say(f"  - {line}")


def show_run(info: "RunInfo", settings: Mapping[str, str], times: Sequence[Row]) -> None:
    say(_state(info.name, info.state, info.reason))
    say_pairs("", [*times, ("seeds", "  ".join(info.seeds))])
    say_pairs("Settings other than the default", list(settings.items()))
    show_statistics(info.statistics)


def show_statistics(numbers: Statistics) -> None:
    if not numbers:
        return
    say_pairs("Addresses", address_rows(numbers))
    say_pairs("Status codes", status_rows(numbers))
    say_pairs("Links", link_rows(numbers))
    say_pairs("Work", effort_rows(numbers))


def whole_numbers(numbers: Statistics) -> dict[str, float]:
    """For programs: only times have a fraction, however a counter was kept."""
    return {
        name: number if name.endswith("seconds") else int(number)
        for name, number in numbers.items()
    }


def _state(run: str, state: str, reason: str) -> str:
    reason = reason.strip().rstrip(".")
    if not reason or reason.startswith(state):
        return f"Run {run}: {reason or state}."
    return f"Run {run}: {state}. {reason[0].upper()}{reason[1:]}."


def headline(numbers: Statistics, elapsed: float) -> str:
    """What happened, in two lines."""
    pages = numbers.get("pages", 0)
    speed = f": {rate(pages / elapsed)} pages/s" if elapsed > 0 and pages else ""
    repeats = numbers.get("duplicates", 0) + numbers.get("near_duplicates", 0)
    return (
        f"{several(pages, 'page')} ({several(numbers.get('documents', 0), 'document')}, "
        f"{several(repeats, 'duplicate')}) in {duration(elapsed)}{speed}.\n"
        f"{size(numbers.get('wire_bytes', 0))} received, "
        f"{size(numbers.get('body_bytes', 0))} uncompressed, "
        f"{size(numbers.get('stored.bytes', 0))} stored."
    )


def _part(numbers: Statistics, prefix: str) -> dict[str, float]:
    return {
        name.removeprefix(prefix): number
        for name, number in numbers.items()
        if name.startswith(prefix) and number
    }


def address_rows(numbers: Statistics) -> list[Row]:
    """Found = visited + queued + being fetched + excluded. A gap is shown, not hidden."""
    found = numbers.get("found", 0)
    visited, excluded = _part(numbers, "done."), _part(numbers, "excluded.")
    queued, leased = numbers.get("queued", 0), numbers.get("leased", 0)
    rows = [("found", count(found))]
    rows += _sum_rows("visited", visited, _VISITED)
    rows.append(("  queued", count(queued)))
    if leased:
        rows.append(("  being fetched", count(leased)))
    rows += _sum_rows("excluded", excluded, _EXCLUDED)
    gap = found - sum(visited.values()) - queued - leased - sum(excluded.values())
    if gap:
        rows.append(("  unaccounted for", count(gap)))
    return rows


def _sum_rows(label: str, parts: Mapping[str, float], names: Mapping[str, str]) -> list[Row]:
    largest_first = sorted(parts.items(), key=lambda part: (-part[1], part[0]))
    return [
        (f"  {label}", count(sum(parts.values()))),
        *((f"    {names.get(name, name)}", count(number)) for name, number in largest_first),
    ]


def status_rows(numbers: Statistics) -> list[Row]:
    return [
        (f"{code} {_phrase(code)}".rstrip(), count(number))
        for code, number in sorted(_part(numbers, "status.").items())
    ]


def _phrase(code: str) -> str:
    try:
        return HTTPStatus(int(code)).phrase
    except ValueError:
        return ""


def link_rows(numbers: Statistics) -> list[Row]:
    """On the pages = new + known before + nofollow + not fetchable + on the way."""
    labels = {
        "links.found": "found on pages",
        "links.new": "  to new addresses",
        "links.known": "  to known addresses",
        "links.nofollow": "  nofollow, not followed",
        "links.unfollowed": "  not followed (imports follow no links)",
        "links.other": "  not crawlable (mailto:, javascript:, invalid)",
        "in_transit": "  in transit to another queue server",
        "links.cross_site": "of these, to other sites",
    }
    return _named(numbers, labels)


def effort_rows(numbers: Statistics) -> list[Row]:
    pages = numbers.get("pages", 0)
    rows: list[Row] = []
    if pages:
        if numbers.get("fetch_seconds"):
            rows.append(("time per page", duration(numbers["fetch_seconds"] / pages)))
        rows += [
            ("size per page", size(numbers.get("body_bytes", 0) / pages)),
            ("documents per page", f"{numbers.get('documents', 0) / pages:.2f}"),
        ]
    labels = {
        "hosts": "hosts",
        "requests": "requests",
        "robots.requests": "  for robots.txt",
        "robots.files": "robots.txt files found",
        "retries": "retries",
        "backoffs": "requests by servers to slow down",
        "schedules": "schedules",
        "schedules.repeated": "  repeated",
        "crashes": "pages being processed when a process died",
    }
    return rows + _named(numbers, labels)


def _named(numbers: Statistics, labels: Mapping[str, str]) -> list[Row]:
    return [(label, count(numbers[name])) for name, label in labels.items() if numbers.get(name)]


def contact_advice(settings: Mapping[str, Any], numbers: Statistics) -> list[str]:
    """Without leave for private addresses, every page came from the public internet."""
    if settings.get("contact") or settings.get("allow_private") or not numbers.get("pages"):
        return []
    seeds = settings.get("seeds") or ()
    local = settings.get("local_hosts") or {}
    if seeds and all(urlsplit(one).hostname in local for one in seeds):
        return []
    if seeds and not settings.get("seed_files") and all(one.startswith("file:") for one in seeds):
        return []  # nobody was asked for anything
    return ["Tell site owners how to reach you: use --contact you@example.org."]
