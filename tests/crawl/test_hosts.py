from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.crawl import hosts as hosts_module
from gossamer.crawl.hosts import STRAGGLERS, Hosts, HostState
from gossamer.crawl.journal import Journal

NOW = 1_000.0


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "queue.db")
    yield journal
    journal.close()


@pytest.fixture
def hosts(journal: Journal) -> Hosts:
    return Hosts(journal)


def test_a_host_is_one_object_until_it_is_forgotten(hosts: Hosts) -> None:
    host = hosts.get("a.example:81")
    assert hosts.get("a.example:81") is host is hosts.by_id(host.id)
    assert hosts.get("a.example") is not host
    assert hosts.save() == 2
    assert hosts.save() == 0


def test_a_host_is_read_back_as_it_was(journal: Journal, hosts: Hosts) -> None:
    host = hosts.get("a.example")
    host.queued, host.front, host.turn = 3, 2, 17
    host.due, host.delay, host.response, host.bytes = NOW + 5, 2.5, 0.25, 10**12
    hosts.settle(host, NOW, 1)
    hosts.save()
    again = Hosts(journal).get("a.example")
    assert again == host
    assert again.state is HostState.WAITING
    fresh = hosts.get("b.example")
    hosts.save()
    assert Hosts(journal).get("b.example") == fresh
    assert fresh.delay is fresh.response is None


def test_memory_is_bounded(journal: Journal, hosts: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts_module, "_AT_HAND", 10)
    held = hosts.get("host-0.example")
    hosts.hold(held, "fetcher", 1, 1)
    for number in range(500):
        host = hosts.get(f"host-{number}.example")
        host.queued = number
        hosts.settle(host, NOW, 1)
        hosts.save()
        assert len(hosts._at_hand) <= 12
    assert hosts.get("host-0.example") is held  # a hold is in memory alone
    assert [hosts.get(f"host-{number}.example").queued for number in range(500)] == [*range(500)]
    assert hosts.save() == 0
    assert len(hosts._at_hand) <= 12


@pytest.mark.parametrize(
    ("queued", "taken", "due", "state"),
    [
        (0, 0, 0.0, HostState.IDLE),
        (0, 2, NOW + 1, HostState.IDLE),
        (1, 0, 0.0, HostState.READY),
        (1, 1, NOW, HostState.READY),
        (1, 2, 0.0, HostState.HELD),
        (1, 2, NOW + 1, HostState.HELD),
        (1, 1, NOW + 1, HostState.WAITING),
    ],
)
def test_the_state_of_a_host(
    hosts: Hosts, queued: int, taken: int, due: float, state: HostState
) -> None:
    host = hosts.get("a.example")
    host.queued, host.due = queued, due
    for number in range(taken):
        hosts.hold(host, f"fetcher-{number}", 1, 1)
    hosts.settle(host, NOW, 2)
    assert host.state is state


def test_waiting_hosts_wake_in_time(hosts: Hosts) -> None:
    for number in range(5):
        host = hosts.get(f"host-{number}.example")
        host.queued, host.due, host.front = 1, NOW + 10 * number, 5 - number
        hosts.settle(host, NOW - 1, 1)
    hosts.save()
    assert hosts.waiting() == 5
    assert hosts.ready(10) == []
    assert hosts.next_due() == NOW
    hosts.wake(NOW + 20)
    assert hosts.waiting() == 2
    assert [host.name for host in hosts.ready(10)] == [f"host-{n}.example" for n in (2, 1, 0)]
    assert [host.name for host in hosts.ready(1)] == ["host-2.example"]
    assert hosts.next_due() == NOW + 30
    hosts.wake(NOW + 100)
    assert hosts.next_due() is None


def test_holds(hosts: Hosts) -> None:
    one, two = hosts.get("one.example"), hosts.get("two.example")
    hosts.hold(one, "fetcher", 1, 3)
    hosts.hold(one, "fetcher", 2, 3)  # a second schedule, the same connections
    hosts.hold(one, "other", 3, 1)
    hosts.hold(two, "fetcher", 2, 1)
    assert one.taken == 4
    assert {host.name for host in hosts.held_by("fetcher")} == {"one.example", "two.example"}
    hosts.release(one, "stranger", 1)
    hosts.release(one, "fetcher", 99)
    assert one.taken == 4
    assert list(hosts.release_all("fetcher", 1)) == [one]
    assert one.taken == 4
    assert {host.name for host in hosts.release_all("fetcher", 2)} == {
        "one.example",
        "two.example",
    }
    assert (one.taken, two.taken) == (1, 0)
    assert hosts.held_by("fetcher") == []
    assert hosts.held_by("other") == [one]


def test_stragglers_hold_a_host_beyond_their_schedule(hosts: Hosts) -> None:
    host = hosts.get("a.example")
    hosts.hold(host, "fetcher", 1, 3)
    hosts.hold(host, "fetcher", STRAGGLERS, 1)
    list(hosts.release_all("fetcher", 1))
    assert hosts.held_by("fetcher") == [host]
    hosts.release(host, "fetcher", STRAGGLERS)
    assert hosts.held_by("fetcher") == []
