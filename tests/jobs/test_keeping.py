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
