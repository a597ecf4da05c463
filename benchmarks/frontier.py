"""What a large frontier costs: memory, disk, and CPU for adding, leasing and acknowledging.

A queue server, in a process of its own, is filled with URLs in batches as answers bring them
(50 hosts, 10 links each). At a tenth of the size and at the full size the same work is measured.

    python -m benchmarks.frontier [--urls 5000000] [--hosts 200000]
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gossamer.config import CrawlSettings
from gossamer.crawl.calls import Allowance, LeaseRequest
from gossamer.crawl.journal import Journal
from gossamer.crawl.queue_server import QueueServer
from gossamer.lib.hashing import hash64
from gossamer.records import Answer, Item, Link, Outcome, Schedule, Visit

HOSTS_A_BATCH = 50
LINKS_A_HOST = 10
MEASURED = 50_000
FETCHERS = 8


class Filler:
    """Makes URLs that look like the web's: paths of words and numbers, parents, anchors."""

    def __init__(self, hosts: int) -> None:
        self._hosts = hosts
        self._count = [0] * hosts
        self._random = random.Random(7)

    def batch(self) -> tuple[Link, ...]:
        links = []
        for _ in range(HOSTS_A_BATCH):
            host = self._random.randrange(self._hosts)
            site = f"site-{host}.example"
            site_hash = hash64(site.encode())
            parent = f"https://www.{site}/section-{self._random.randrange(30)}/index.html"
            for _ in range(LINKS_A_HOST):
                self._count[host] += 1
                page = self._count[host]
                url = f"https://www.{site}/section-{page % 30}/an-article-about-{page}.html"
                item = Item(
                    *(url, site_hash, hash64(url.encode()), 1 + page.bit_length() // 3),
                    parent=parent,
                    anchor=f"An article about {page}",
                )
                links.append(Link(item))
        return tuple(links)


def resident_mb(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1000
    raise LookupError(field)


def answer_to(schedule: Schedule, fetcher: str) -> Answer:
    visits = tuple(
        Visit(
            site=item.site,
            key=item.key,
            url=item.url,
            outcome=Outcome.OK,
            status=200,
            wire_bytes=20_000,
            body_bytes=20_000,
            seconds=0.1,
            is_document=True,
            content_hash=item.key,
            links_found=0,
            links_cross_site=0,
            links_nofollow=0,
            links_known=0,
            links_other=0,
            tries=0,
            links=(),
        )
        for item in schedule.items
    )
    return Answer(
        server=schedule.server,
        epoch=schedule.epoch,
        number=schedule.number,
        attempt=schedule.attempt,
        fetcher=fetcher,
        staged="",
        visits=visits,
        postponed=(),
        refused=(),
        carried=(),
        hosts=(),
        requests=len(visits),
        robots_requests=0,
    )


def measure(server: QueueServer, filler: Filler) -> dict[str, float]:
    """CPU microseconds a URL, with the frontier as large as it is now."""
    batches = [filler.batch() for _ in range(MEASURED // (HOSTS_A_BATCH * LINKS_A_HOST))]
    start = time.process_time()
    for batch in batches:
        server.add_seeds(batch)
    adding = time.process_time() - start
    leasing = acknowledging = 0.0
    leased = request = 0
    while leased < MEASURED:
        request += 1
        fetcher = f"fetcher-{request % FETCHERS}"
        start = time.process_time()
        reply = server.lease(LeaseRequest(fetcher, request, 0))
        leasing += time.process_time() - start
        assert reply.schedule is not None
        leased += len(reply.schedule.items)
        answer = answer_to(reply.schedule, fetcher)
        start = time.process_time()
        receipt = server.answer(answer)
        acknowledging += time.process_time() - start
        assert receipt.accepted
    server.rolled(1 << 60)
    return {
        "add_us": round(adding / MEASURED * 1e6, 2),
        "lease_us": round(leasing / leased * 1e6, 2),
        "acknowledge_us": round(acknowledging / leased * 1e6, 2),
    }


def fill(urls: int, hosts: int) -> None:
    """The measured process."""
    settings = CrawlSettings(
        scope="anywhere", delay_seconds=0, allow_private=True, window=1000, fetchers=FETCHERS
    )
    before = resident_mb("VmRSS")
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as folder:
        path = Path(folder) / "queue-0.db"
        server = QueueServer(Journal(path), settings, 0)
        server.allow(Allowance(None, None, paused=False))
        filler = Filler(hosts)
        sizes = {}
        for size in (urls // 10, urls):
            while server.status().counters.get("queued", 0) < size:
                for _ in range(20):
                    server.add_seeds(filler.batch())
            sizes[size] = measure(server, filler)
        disk = sum(file.stat().st_size for file in Path(folder).iterdir())
        known = int(server.status().counters["found"])
        server.close()
    small, large = sizes.values()
    result = {
        "bench": "frontier",
        "urls": urls,
        "hosts": hosts,
        "found": known,
        "resident_mb": round(resident_mb("VmHWM"), 1),
        "resident_mb_before": round(before, 1),
        "disk_mb": round(disk / 1e6, 1),
        "disk_bytes_per_url": round(disk / known, 1),
        f"at_{urls // 10}": small,
        f"at_{urls}": large,
        "growth": {name[:-3]: round(large[name] / small[name], 2) for name in small},
        "worst_growth": round(max(large[name] / small[name] for name in small), 2),
    }
    print(json.dumps(result))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--urls", type=int, default=5_000_000)
    parser.add_argument("--hosts", type=int, default=200_000)
    parser.add_argument("--fill", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.fill:
        fill(arguments.urls, arguments.hosts)
        return
    command = [sys.executable, "-m", "benchmarks.frontier", "--fill"]
    command += ["--urls", str(arguments.urls), "--hosts", str(arguments.hosts)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result = json.loads(done.stdout.splitlines()[-1])
    for name, value in result.items():
        print(f"{name:24} {value}")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
