from pathlib import Path

import pytest

from gossamer.crawl.counters import Counters, summed
from gossamer.crawl.journal import Journal


def test_they_are_kept_with_the_transaction_that_changed_them(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "queue.db")
    counters = Counters(journal)
    assert counters["pages"] == 0
    with journal.transaction(durable=False):
        counters.add("pages")
        counters.add("pages", 2)
        counters.add("seconds", 0.25)
        counters.save()

    def fail() -> None:
        with journal.transaction(durable=False):
            counters.add("pages")
            counters.save()
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    again = Counters(journal)
    assert (again["pages"], again["seconds"], again.values["seconds"]) == (3, 0, 0.25)
    assert "never" not in again.values
    assert again["never"] == 0
    assert "never" not in again.values  # looking leaves no trace
    journal.close()


def test_a_transaction_that_changed_nothing_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "queue.db"
    journal = Journal(path)
    counters = Counters(journal)
    log = path.with_name("queue.db-wal")

    def grown(amount: int) -> int:
        before = log.stat().st_size
        with journal.transaction(durable=False):
            counters.add("pages", amount)
            counters.save()
        return log.stat().st_size - before

    assert grown(1) > 0
    assert grown(0) == 0
    assert grown(2) > 0
    assert Counters(journal)["pages"] == 3
    journal.close()


def test_the_sum_of_several() -> None:
    assert summed([{"b": 1, "a": 2}, {}, {"a": 0.5, "c": 3}]) == {"a": 2.5, "b": 1, "c": 3}
    assert list(summed([{"b": 1}, {"a": 1}])) == ["a", "b"]
    assert summed([]) == {}
