"""Committing an answer: the one place where visited URLs, their links and the statistics change.

Called within a transaction of the queue server, in the order of the schedules.
"""

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct, msgpack

from gossamer.config import CrawlSettings
from gossamer.crawl.counters import Counters, count_visits
from gossamer.crawl.frontier import Frontier
from gossamer.crawl.hosts import STRAGGLERS
from gossamer.crawl.journal import Journal
from gossamer.crawl.partitions import owner_of
from gossamer.crawl.repeats import Repeats
from gossamer.records import (
    Answer,
    CommittedAttempt,
    HostReport,
    Item,
    Link,
    Visit,
)
from gossamer.urls import host_of

_encode = msgpack.Encoder().encode


class Commit(Struct, frozen=True):
    """What the roller has to know about a committed attempt."""

    duplicates: dict[str, str]  # url of a page -> url of the page that had the same text before
    near_duplicates: dict[str, str]  # the same for nearly the same text
    dropped: tuple[str, ...]  # staged, but no longer wanted: their leases had been given away
    round: int


class Committer:
    def __init__(
        self,
        journal: Journal,
        frontier: Frontier,
        counters: Counters,
        settings: CrawlSettings,
        *,
        server: int,
        epoch: int,
    ) -> None:
        self._journal = journal
        self._frontier = frontier
        self._counters = counters
        self._settings = settings
        self._server = server
        self._epoch = epoch
        traps = frontier.traps if settings.traps else None
        self._repeats = Repeats(journal, traps, frontier.is_news)

    def commit(
        self, answer: Answer, items: Iterable[Item], now: float, *, round: int = 0
    ) -> Commit:
        """`items`: what was leased with this schedule."""
        owed = {(item.site, item.key): item for item in items}
        owed |= self._stragglers_of(answer.fetcher)
        visits = [visit for visit in answer.visits if owed.pop((visit.site, visit.key), None)]
        postponed = [
            back for back in answer.postponed if owed.pop((back.item.site, back.item.key), None)
        ]
        refused = [no for no in answer.refused if owed.pop((no.item.site, no.item.key), None)]
        carried = []
        if answer.epoch == self._epoch:  # otherwise the fetcher that went on with them is gone
            carried = [item for item in answer.carried if owed.pop((item.site, item.key), None)]
        self._frontier.finish([(visit.site, visit.key, visit.outcome) for visit in visits])
        for no in refused:
            self._frontier.refuse(no.item, no.reason)
        untried = []
        for back in postponed:
            if back.retried:
                self._counters.add("retries")
            if back.after_seconds > 0:
                self._frontier.retry(back.item, now + back.after_seconds)
            else:
                untried.append(back.item)
        still_out = self._keep_stragglers(answer.fetcher, carried, owed, now)
        # Whatever an answer forgets to mention must not get lost.
        untried += [item for slot, item in owed.items() if slot not in still_out]
        self._frontier.give_back(untried, now)
        # What repeats is known before links are added: a trap's own links lead deeper into it.
        repeats = self._repeats.among(visits)
        self._route(answer, visits, now)
        self._count(answer, visits)
        self._counters.add("duplicates", len(repeats.duplicates))
        self._counters.add("near_duplicates", len(repeats.near_duplicates))
        accepted = {visit.url for visit in visits}
        return Commit(
            duplicates=repeats.duplicates,
            near_duplicates=repeats.near_duplicates,
            dropped=tuple(visit.url for visit in answer.visits if visit.url not in accepted),
            round=round,
        )

    # Stragglers

    def _stragglers_of(self, fetcher: str) -> dict[tuple[int, int], Item]:
        rows = self._journal.rows(
            "SELECT site, key, item FROM straggler WHERE fetcher=?", (fetcher,)
        )
        return {(site, key): msgpack.decode(item, type=Item) for site, key, item in rows}

    def _keep_stragglers(
        self,
        fetcher: str,
        carried: list[Item],
        owed: dict[tuple[int, int], Item],
        now: float,
    ) -> set[tuple[int, int]]:
        """Forget the stragglers that have come home, note the new ones; return the ones that are
        still out."""
        earlier = self._stragglers_of(fetcher)
        home = [slot for slot in earlier if slot not in owed]
        self._journal.db.executemany("DELETE FROM straggler WHERE site=? AND key=?", home)
        until = now + self._settings.request_timeout_seconds + self._settings.schedule_seconds
        self._journal.db.executemany(
            "INSERT OR REPLACE INTO straggler VALUES(?,?,?,?,?)",
            [(item.site, item.key, fetcher, until, _encode(item)) for item in carried],
        )
        self.release_hosts_without_stragglers(fetcher, now)
        return set(earlier) - set(home)

    def release_hosts_without_stragglers(self, fetcher: str, now: float) -> None:
        hosts = self._frontier.hosts
        busy = {host_of(item.url) for item in self._stragglers_of(fetcher).values()}
        for host in hosts.held_by(fetcher):
            if STRAGGLERS in host.holders[fetcher].schedules and host.name not in busy:
                hosts.release(host, fetcher, STRAGGLERS)
                hosts.settle(host, now, self._settings.host_connections)

    # Links

    def _route(self, answer: Answer, visits: list[Visit], now: float) -> None:
        """Links of our own partitions are added, the others go into the outbox."""
        links = [link for visit in visits for link in visit.links]
        links += answer.sitemaps
        if self._settings.queue_servers == 1:
            self.take_in(links, now)
            return
        by_owner: defaultdict[int, list[Link]] = defaultdict(list)
        for link in links:
            by_owner[owner_of(link.item.site, self._settings.queue_servers)].append(link)
        self.take_in(by_owner.pop(self._server, []), now)
        for server, batch in by_owner.items():
            self._journal.db.execute(
                "INSERT INTO outbox(server, links, batch) VALUES(?,?,?)",
                (server, len(batch), _encode(batch)),
            )
            self._counters.add("in_transit", len(batch))

    def take_in(self, links: Iterable[Link], now: float) -> None:
        by_origin: defaultdict[str, list[Link]] = defaultdict(list)
        for link in links:
            item = link.item
            if link.from_site not in (0, item.site) and link.excluded is None:
                self._frontier.sites.endorse(item.site, link.from_site)
            origin = "redirect" if item.via else "sitemap" if link.is_listed else "link"
            by_origin[origin].append(link)
        for origin, group in by_origin.items():
            new = self._frontier.add(group, origin, now)
            if origin != "redirect":
                self._counters.add("links.new", new)
                self._counters.add("links.known", len(group) - new)

    # Statistics

    def _count(self, answer: Answer, visits: list[Visit]) -> None:
        add = self._counters.add
        add("commits")
        add("requests", answer.requests)
        add("robots.requests", answer.robots_requests)
        add("robots.sitemaps", len(answer.sitemaps))
        add("links.found", len(answer.sitemaps))
        count_visits(self._counters, visits)
        add("fetch_seconds", sum(visit.seconds for visit in visits))
        add("links.known", sum(visit.links_known for visit in visits))

    # Hosts

    def note_hosts(self, reports: Iterable[HostReport], now: float) -> None:
        """What was learned of hosts counts at once, whether or not the answer's turn has come."""
        for report in reports:
            host = self._frontier.hosts.get(report.host)
            host.due = max(host.due, now + report.ready_after_seconds)
            host.delay = report.delay_seconds
            host.response = report.response_seconds
            host.bytes += report.wire_bytes
            self._counters.add("backoffs", report.backoffs)
            for file in report.robots:
                known = self._journal.rows("SELECT 1 FROM robots WHERE origin=?", (file.origin,))
                if not known and 200 <= file.status < 300:
                    self._counters.add("robots.files")
                self._journal.db.execute(
                    "INSERT OR REPLACE INTO robots VALUES(?,?,?)",
                    (file.origin, host.id, _encode(file)),
                )
            if report.cookies:
                self._journal.db.execute(
                    "INSERT OR REPLACE INTO cookies VALUES(?,?)", (host.id, _encode(report.cookies))
                )
            limit = self._settings.max_bytes_per_host
            if limit and host.bytes >= limit:
                self._frontier.drop_host(host)
            self._frontier.hosts.settle(host, now, self._settings.host_connections)


def committed_attempts(
    journal: Journal, server: int, after: int, most: int
) -> tuple[CommittedAttempt, ...]:
    """What was committed after a commit, in order, and is not rolled into a segment yet."""
    rows = journal.rows(
        "SELECT committed, staged, outcome FROM schedule WHERE state=2 AND committed>?"
        " ORDER BY committed LIMIT ?",
        (after, most),
    )
    attempts = []
    for committed, staged, outcome in rows:
        commit = msgpack.decode(outcome, type=Commit)
        attempts.append(
            CommittedAttempt(
                server,
                committed,
                staged,
                commit.duplicates,
                commit.dropped,
                commit.near_duplicates,
                commit.round,
            )
        )
    return tuple(attempts)
