from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.crawl import similar as similar_module
from gossamer.crawl.journal import Journal
from gossamer.crawl.similar import Similar

hashes = st.integers(-(2**63), 2**63 - 1)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "queue.db")
    yield opened
    opened.close()


def bits(one: int, other: int) -> int:
    return ((one ^ other) & (2**64 - 1)).bit_count()


@given(known=st.lists(hashes, min_size=1, max_size=60), asked=hashes)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_the_nearest_is_found_also_after_a_restart(
    journal: Journal, known: list[int], asked: int
) -> None:
    with journal.transaction(durable=False) as db:
        db.execute("DELETE FROM similar")
        similar = Similar(journal)
        for number, one in enumerate(known):
            similar.add(1, one, str(number))
        least = min(bits(one, asked) for one in known)
        for found in (similar.nearest(1, asked), Similar(journal).nearest(1, asked)):
            assert found is not None
            assert found[1] == least
            assert bits(known[int(found[0])], asked) == least
        assert similar.nearest(2, asked) is None


def test_only_the_latest_pages_of_a_site_are_kept(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similar_module, "WINDOW", 8)
    similar = Similar(journal)
    with journal.transaction(durable=False):
        for number in range(20):
            similar.add(1, number, str(number))
    assert journal.rows("SELECT count(*) FROM similar") == [(8,)]
    for one in (similar, Similar(journal)):
        assert one.nearest(1, 19) == ("19", 0)
        assert one.nearest(1, 3) != ("3", 0)


def test_sites_that_are_not_at_hand_are_read_again(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similar_module, "_SITES_AT_HAND", 2)
    similar = Similar(journal)
    with journal.transaction(durable=False):
        for site in range(5):
            similar.add(site, site, f"page of {site}")
    for site in range(5):
        assert similar.nearest(site, site) == (f"page of {site}", 0)
