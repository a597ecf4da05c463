import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.crawl import seen as seen_module
from gossamer.crawl.journal import Journal
from gossamer.crawl.seen import PENDING, SeenSet, end_of, state_of
from gossamer.records import Exclusion, Outcome

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
NUMBERS = st.one_of(
    st.integers(-3, 3), st.sampled_from([LOWEST, HIGHEST]), st.integers(LOWEST, HIGHEST)
)
ENDS: list[Outcome | Exclusion] = [*Outcome, *Exclusion]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "queue.db")
    yield journal
    journal.close()


def test_states_tell_all_ends_apart() -> None:
    states = [state_of(end) for end in ENDS]
    assert len({PENDING, *states}) == 1 + len(ENDS)
    assert [end_of(state) for state in states] == ENDS
    assert state_of(None) == PENDING
    assert end_of(PENDING) is None


def test_states_are_stable() -> None:
    """They lie in journals: new ends may be added behind the others, never in between."""
    assert [state_of(end) for end in (Outcome.OK, Outcome.HTTP_ERROR, Outcome.POISON)] == [1, 3, 21]
    assert state_of(Exclusion.ROBOTS) == 106
    assert state_of(Exclusion.TRAP_DUPLICATES) == 114


def test_a_look_leaves_nothing_open(journal: Journal) -> None:
    """An open statement would keep the log from being emptied: it would grow without end."""
    seen = SeenSet(journal)
    with journal.transaction(durable=False):
        seen.add([(1, 7, PENDING)])
    assert seen.state(1, 7) == PENDING
    journal.db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    assert journal.db.filename_wal
    assert Path(journal.db.filename_wal).stat().st_size == 0


def test_two_sites_may_have_the_same_key(journal: Journal) -> None:
    seen = SeenSet(journal)
    seen.add([(1, 7, PENDING), (-1, 7, 5)])
    assert (seen.state(1, 7), seen.state(-1, 7), seen.state(7, 1)) == (PENDING, 5, None)


Rows = list[tuple[int, int, int]]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.tuples(NUMBERS, NUMBERS, st.integers(0, 104))), max_size=8), st.data())
def test_it_is_exact(batches: list[Rows], data: st.DataObject) -> None:
    """As a dictionary would be, with a filter so small that it is outgrown again and again."""
    known: dict[tuple[int, int], int] = {}
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(seen_module, "_SMALLEST", 2)
        patch.setattr(seen_module, "_FALSE_POSITIVES", 0.5)
        journal = Journal(Path(folder) / "queue.db")
        seen = SeenSet(journal)
        for batch in batches:
            fresh = {row[:2]: row[2] for row in batch if row[:2] not in known}
            assert all(seen.state(*slot) is None for slot in fresh)
            seen.add([(site, key, state) for (site, key), state in fresh.items()])
            known |= fresh
            if data.draw(st.booleans()) and known:
                slot = data.draw(st.sampled_from(sorted(known)))
                known[slot] = data.draw(st.integers(0, 104))
                seen.set_states([(known[slot], *slot)])
            if data.draw(st.booleans()):
                journal.close()
                journal = Journal(Path(folder) / "queue.db")
                seen = SeenSet(journal)
            assert len(seen) == len(known)
            assert {slot: seen.state(*slot) for slot in known} == known
        journal.close()


def test_the_filter_grows_before_it_is_of_no_use(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen_module, "_SMALLEST", 100)
    seen = SeenSet(journal)
    rooms: list[int] = []
    with journal.transaction(durable=False):
        for number in range(2_000):
            seen.add([(number, number * number, PENDING)])
            if not rooms or seen._room != rooms[-1]:
                rooms.append(seen._room)
    assert len(rooms) > 3
    assert rooms == sorted(rooms)
    assert all(later >= 2 * earlier for earlier, later in itertools.pairwise(rooms))
    assert len(seen) <= seen._room
    # Nearly all that is new is new to the filter as well, and costs no look at the table.
    assert sum((site << 64 | 1) in seen._bloom for site in range(10_000, 20_000)) < 300
