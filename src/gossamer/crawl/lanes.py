"""A fetcher's work on one host: its queue, its connections, its pace and its robots rules."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from gossamer.config import CrawlSettings
from gossamer.crawl.orders import OpenOrder
from gossamer.crawl.politeness import HostPace
from gossamer.crawl.robots import RobotsRules, expired
from gossamer.records import HostGrant, HostReport, Item, RobotsFile


@dataclass(slots=True, eq=False)
class Task:
    """One leased URL on its way."""

    item: Item
    order: OpenOrder
    isolated: bool = False
    hops: int = 0  # redirects to itself that were followed in place


@dataclass(slots=True, eq=False)
class Lane:
    host: str
    pace: HostPace
    connections: int = 1
    bytes_left: int = -1
    queue: deque[Task] = field(default_factory=deque)
    workers: int = 0
    files: dict[str, RobotsFile] = field(default_factory=dict)
    rules: dict[str, RobotsRules] = field(default_factory=dict)
    asking_robots: dict[str, "asyncio.Future[None]"] = field(default_factory=dict)
    depth: int | None = None  # the least of its pages; None: it has but listings of others
    # What the owner has not been told yet
    new_files: list[RobotsFile] = field(default_factory=list)
    sets_cookies: bool = False
    wire_bytes: int = 0
    backoffs: int = 0

    def take_grant(self, grant: HostGrant, agent_name: str) -> None:
        self.connections = self.pace.connections = grant.connections
        self.bytes_left = (
            grant.bytes_left if self.bytes_left < 0 else min(self.bytes_left, grant.bytes_left)
        )
        for file in grant.robots:
            known = self.files.get(file.origin)
            if known is None or known.fetched_at < file.fetched_at:
                self.set_robots(file, agent_name)

    def add(self, task: Task) -> None:
        self.queue.append(task)
        item = task.item
        if not item.is_listing and (self.depth is None or item.depth < self.depth):
            self.depth = item.depth

    def needs_robots(self, origin: str, now: float, settings: CrawlSettings) -> bool:
        file = self.files.get(origin)
        return file is None or expired(file, now, settings)

    def set_robots(self, file: RobotsFile, agent_name: str) -> None:
        self.files[file.origin] = file
        self.rules[file.origin] = RobotsRules.of(file, agent_name)
        self.pace.crawl_delay = max(
            (rules.crawl_delay or 0.0 for rules in self.rules.values()), default=0.0
        )

    def spend(self, wire_bytes: int) -> None:
        self.wire_bytes += wire_bytes
        if self.bytes_left > 0:
            self.bytes_left = max(0, self.bytes_left - wire_bytes)

    def report(self, now: float, cookies: tuple[str, ...]) -> HostReport:
        report = HostReport(
            host=self.host,
            ready_after_seconds=max(0.0, self.pace.next_start - now),
            delay_seconds=self.pace.delay(),
            response_seconds=self.pace.response_seconds,
            wire_bytes=self.wire_bytes,
            backoffs=self.backoffs,
            robots=tuple(self.new_files),
            cookies=cookies,
        )
        self.sets_cookies = False
        self.new_files.clear()
        self.wire_bytes = 0
        self.backoffs = 0
        return report
