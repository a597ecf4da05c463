from pathlib import Path

from gossamer.crawl.calls import LeaseRequest
from gossamer.crawl.known_links import KnownLinks
from gossamer.records import Answer, Exclusion, Link, Visit
from tests.crawl.test_queue_server import FETCHERS, SETTINGS, Servers, answer, item, lease, visit


def answer_with(*links: Link) -> Answer:
    visits: tuple[Visit, ...] = (visit(item(0, 0), links[:1]), visit(item(0, 1), links[1:]))
    return Answer(0, 1, 1, 1, "fetcher", "", visits, (), (), (), (), 0, 0)


def is_settled(known: KnownLinks, key: int) -> bool:
    return any(key in generation for generation in known.settled)


def test_what_came_with_an_accepted_answer_is_known() -> None:
    known = KnownLinks()
    known.learn(answer_with(Link(item(0, 2)), Link(item(0, 3), Exclusion.SCOPE)).visits)
    assert is_settled(known, item(0, 2).key)
    assert not is_settled(known, item(0, 3).key)
    assert not is_settled(known, item(0, 0).key)
    assert known.is_left_out(item(0, 3).key, Exclusion.SCOPE)
    assert not known.is_left_out(item(0, 3).key, Exclusion.DEPTH)
    assert not known.is_left_out(item(0, 2).key, Exclusion.SCOPE)


def test_memory_is_bounded() -> None:
    known = KnownLinks(capacity=10)
    for page in range(100):
        known.learn(answer_with(Link(item(0, page)), Link(item(1, page), Exclusion.DEPTH)).visits)
        assert sum(map(len, known.settled)) <= 22
        assert len(known._left_out) <= 10
        assert is_settled(known, item(0, page).key)


def test_what_was_learned_lately_is_still_known() -> None:
    known = KnownLinks(capacity=10)
    for page in range(100):
        known.learn(answer_with(Link(item(0, page))).visits)
        assert all(is_settled(known, item(0, late).key) for late in range(max(0, page - 8), page))


def test_a_visit_that_came_too_late_teaches_nothing(tmp_path: Path) -> None:
    """A request that outlived its schedule also outlived its lease. Its visit is dropped by the
    commit of the answer that it travels with, and its links with it: they are not known."""
    servers = Servers(tmp_path)
    server, known = servers.server, KnownLinks()
    server.add_seeds((Link(item(0, 0)), Link(item(1, 0))))
    first = lease(servers, FETCHERS[0])
    slow, quick = first.items
    assert server.answer(
        answer(first, FETCHERS[0], visits=(visit(quick),), carried=(slow,))
    ).accepted
    servers.clock.now += SETTINGS.lease_seconds + SETTINGS.lease_grace_seconds + 1
    assert server.status().counters["lease_timeouts"] == 1
    again = lease(servers, FETCHERS[1])
    assert again.items == (slow,)

    # The slow answer comes after all, and travels with an empty schedule.
    vehicle = server.lease(LeaseRequest(FETCHERS[0], 2, 1)).schedule
    assert vehicle is not None
    links = (Link(item(2, 7)),)
    late = answer(vehicle, FETCHERS[0], visits=(visit(slow, links),))
    assert server.answer(late).accepted
    own = {what.key for what in vehicle.items}
    known.learn(seen for seen in late.visits if seen.key in own)
    assert server.answer(answer(again, FETCHERS[1])).accepted  # commits both; it is still to visit
    assert server.committed(0, 10)[-1].dropped == (slow.url,)
    assert server.status().counters["found"] == 2  # the link is not among them
    assert not is_settled(known, item(2, 7).key)
    server.close()
