"""Jobs as processes: how they end, and who is meant by a number."""

import os
import signal
from pathlib import Path

import pytest

from gossamer.errors import NothingThere, RunError
from gossamer.jobs import JobKeeper
from gossamer.jobs.processes import is_alive, started_at
from gossamer.storage.catalogue_database import CatalogueDatabase
from gossamer.storage.jobs import JobRecords
from tests.crawling import wait_until


@pytest.fixture
def keeper(catalogue_url: str, tmp_path: Path) -> JobKeeper:
    return JobKeeper(JobRecords(CatalogueDatabase(catalogue_url)), tmp_path / "jobs")


def ended(keeper: JobKeeper, number: int) -> bool:
    return not keeper.status(number).is_running


def test_what_a_command_said_at_its_end(keeper: JobKeeper, tmp_path: Path) -> None:
    environment = {"GOSSAMER_HOME": str(tmp_path / "empty")}
    good = keeper.start("list", "x", ["index", "list"], "ann", environment).record.id
    bad = keeper.start("show", "x", ["index", "show", "x"], "ann", environment).record.id
    wait_until(lambda: ended(keeper, good) and ended(keeper, bad), "both have ended")
    record = keeper.status(good).record
    assert (record.exit_code, record.result) == (0, {"indexes": []})
    record = keeper.status(bad).record
    assert record.exit_code == 1
    assert record.result["error"]["type"] == "IndexNotFound"
    assert b"There is no index 'x'" in keeper.log(bad, 0, 1_000)
    assert keeper.log(bad, 10_000, 1_000) == b""
    with pytest.raises(RunError, match="ended already"):
        keeper.stop(good)
    assert [status.record.id for status in keeper.statuses(9)] == [bad, good]


def test_a_job_that_was_killed_left_no_word(keeper: JobKeeper, tmp_path: Path) -> None:
    arguments = ["demo", "--serve"]
    number = keeper.start("demo", "x", arguments, "ann", {"GOSSAMER_HOME": str(tmp_path)}).record.id
    status = keeper.status(number)
    assert status.is_running
    os.killpg(status.record.pid, signal.SIGKILL)
    wait_until(lambda: ended(keeper, number), "its end is seen")
    assert keeper.status(number).record.exit_code is None
    assert b"killed, or the machine went down" in keeper.log(number, 0, 10_000)
    keeper.statuses(9)
    assert keeper.log(number, 0, 10_000).count(b"went down") == 1  # said once


def command_of(keeper: JobKeeper, number: int) -> int:
    """The process of the command itself, below that which watches it."""
    watcher = keeper.status(number).record.pid
    children = Path(f"/proc/{watcher}/task/{watcher}/children")
    wait_until(lambda: bool(children.read_text().split()), "the command runs")
    return int(children.read_text().split()[0])


def test_a_command_that_was_killed_is_said_to_be(keeper: JobKeeper, tmp_path: Path) -> None:
    """As the system does when its memory is full."""
    environment = {"GOSSAMER_HOME": str(tmp_path)}
    number = keeper.start("demo", "x", ["demo", "--serve"], "ann", environment).record.id
    os.kill(command_of(keeper, number), signal.SIGKILL)
    wait_until(lambda: ended(keeper, number), "its end is seen")
    assert keeper.status(number).record.exit_code == -signal.SIGKILL
    assert b"SIGKILL" in keeper.log(number, 0, 10_000)


def test_a_command_ends_with_the_process_that_watches_it(keeper: JobKeeper, tmp_path: Path) -> None:
    """Else it would run on, and nobody would know of it."""
    environment = {"GOSSAMER_HOME": str(tmp_path)}
    number = keeper.start("demo", "x", ["demo", "--serve"], "ann", environment).record.id
    command = command_of(keeper, number)
    began = started_at(command)
    os.kill(keeper.status(number).record.pid, signal.SIGKILL)
    wait_until(lambda: not is_alive(command, began), "it ends")
    assert ended(keeper, number)


def test_a_job_can_be_stopped_at_any_moment(keeper: JobKeeper, tmp_path: Path) -> None:
    environment = {"GOSSAMER_HOME": str(tmp_path)}
    for _ in range(3):
        number = keeper.start("demo", "x", ["demo", "--serve"], "ann", environment).record.id
        keeper.stop(number)  # before its command has even begun
        wait_until(lambda number=number: ended(keeper, number), "it ends")  # type: ignore[misc]
        assert keeper.status(number).record.exit_code is not None


def test_a_number_that_another_process_has_by_now(keeper: JobKeeper) -> None:
    own = os.getpid()
    assert is_alive(own, started_at(own))
    assert not is_alive(own, started_at(own) + 1)
    assert not is_alive(0, 0)
    assert started_at(1 << 22) == 0


@pytest.mark.parametrize("number", [0, -1, 7, 1 << 40])
def test_jobs_that_there_are_not(keeper: JobKeeper, number: int) -> None:
    with pytest.raises(NothingThere):
        keeper.status(number)
