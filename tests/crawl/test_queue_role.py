"""Queue servers as roles that talk to each other."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from gossamer.crawl.calls import (
    Allowance,
    Committed,
    CommittedRequest,
    Delivery,
    Empty,
    Forfeit,
    LeaseReply,
    LeaseRequest,
    Receipt,
    Reply,
    Rolled,
    Seeds,
    ServerStatus,
    call,
)
from gossamer.crawl.journal import Journal
from gossamer.crawl.partitions import owner_of
from gossamer.crawl.queue_role import QueueRole, queue_name
from gossamer.crawl.queue_server import QueueServer
from gossamer.records import Item, Link, Schedule
from gossamer.runtime.contract import Peers, RoleSpec
from gossamer.runtime.local import LocalRuntime
from tests.crawl.test_queue_server import SETTINGS, answer, item, visit

FETCHER = "fetcher-0.1"
SERVERS = 2
CRAWL = SETTINGS.model_copy(update={"queue_servers": SERVERS})


def make_role(settings: bytes, peers: Peers) -> QueueRole:
    """`settings`: a folder and a number."""
    folder, _, number = settings.decode().rpartition(":")
    path = Path(folder, queue_name(int(number)))
    server = QueueServer(Journal(path.with_suffix(".db")), CRAWL, int(number))
    return QueueRole(server, peers, lambda: path.with_suffix(".closed").touch())


def spec(folder: Path, number: int) -> RoleSpec:
    return RoleSpec(queue_name(number), f"{__name__}:make_role", f"{folder}:{number}".encode())


def run(test: Callable[[LocalRuntime], Awaitable[None]]) -> None:
    async def with_runtime() -> None:
        runtime = LocalRuntime()
        try:
            async with asyncio.timeout(10):
                await test(runtime)
        finally:
            await runtime.close()

    asyncio.run(with_runtime())


async def ask(
    runtime: LocalRuntime, server: int, method: str, request: object, reply: type[Reply]
) -> Reply:
    return await call(runtime.peers.peer(queue_name(server)), method, request, reply)  # type: ignore[arg-type]


async def status(runtime: LocalRuntime, server: int) -> ServerStatus:
    return await ask(runtime, server, "status", Empty(), ServerStatus)


async def start(runtime: LocalRuntime, folder: Path, server: int) -> None:
    await runtime.start(spec(folder, server))
    allowance = Allowance(100, None, paused=False)
    assert await ask(runtime, server, "allow", allowance, Allowance) == allowance


async def lease(runtime: LocalRuntime, server: int, request: int = 1) -> Schedule:
    asked = LeaseRequest(FETCHER, request, 0)
    reply = await ask(runtime, server, "lease", asked, LeaseReply)
    assert reply.schedule is not None
    return reply.schedule


def items_of(server: int, count: int, page: int = 0) -> list[Item]:
    owned = [item(host, page) for host in range(200)]
    return [one for one in owned if owner_of(one.site, SERVERS) == server][:count]


def test_a_server_answers_every_call(tmp_path: Path) -> None:
    async def test(runtime: LocalRuntime) -> None:
        await start(runtime, tmp_path, 0)
        seeds = Seeds(tuple(Link(one) for one in items_of(0, 2)))
        await ask(runtime, 0, "seed", seeds, Empty)
        first = await lease(runtime, 0)
        await ask(runtime, 0, "forfeit", Forfeit(FETCHER, ()), Empty)
        schedule = await lease(runtime, 0, 2)
        assert (schedule.items, schedule.attempt) == (first.items, 2)
        done = answer(schedule, FETCHER, visits=tuple(map(visit, schedule.items)))
        assert (await ask(runtime, 0, "answer", done, Receipt)).accepted
        committed = await ask(runtime, 0, "committed", CommittedRequest(0, 10), Committed)
        assert [attempt.staged for attempt in committed.attempts] == [schedule.name]
        await ask(runtime, 0, "rolled", Rolled(committed.attempts[-1].number), Empty)
        again = await ask(runtime, 0, "committed", CommittedRequest(0, 10), Committed)
        assert again.attempts == ()
        delivery = Delivery(1, 1, tuple(Link(one) for one in items_of(0, 3, page=7)))
        await ask(runtime, 0, "deliver", delivery, Empty)
        now = await status(runtime, 0)
        assert (now.counters["pages"], now.counters["queued"]) == (2, 3)
        await runtime.stop(queue_name(0), seconds=5)
        assert (tmp_path / "queue-0.closed").exists()

    run(test)


def test_links_reach_the_server_that_owns_them_also_when_it_comes_later(tmp_path: Path) -> None:
    links = tuple(Link(one) for one in (*items_of(0, 5, page=1), *items_of(1, 5, page=1)))

    async def test(runtime: LocalRuntime) -> None:
        await start(runtime, tmp_path, 0)
        await ask(runtime, 0, "seed", Seeds((Link(items_of(0, 1)[0]),)), Empty)
        schedule = await lease(runtime, 0)
        done = answer(schedule, FETCHER, visits=(visit(schedule.items[0], links),))
        assert (await ask(runtime, 0, "answer", done, Receipt)).accepted
        waiting = await status(runtime, 0)
        assert (waiting.counters["in_transit"], waiting.counters["links.new"]) == (5, 5)
        assert not waiting.idle

        for _ in range(2):  # also over a restart of the owner
            await start(runtime, tmp_path, 1)
            while (await status(runtime, 0)).counters["in_transit"]:
                await asyncio.sleep(0.005)
            there = (await status(runtime, 1)).counters
            assert (there["links.new"], there["queued"]) == (5, 5)
            await runtime.stop(queue_name(1), seconds=5)
        counters = (await status(runtime, 0)).counters
        assert counters["links.found"] == counters["links.new"] + there["links.new"]

    run(test)
