"""What the catalogue does, whatever database is behind it."""

import subprocess
import sys
import time

import pytest
import sqlalchemy as sa

from gossamer.errors import FormatError, RunNotFound
from gossamer.storage.accounts import Accounts
from gossamer.storage.catalogue import Catalogue, RunState


@pytest.fixture
def url(catalogue_url: str) -> str:
    return catalogue_url


@pytest.fixture
def catalogue(url: str) -> Catalogue:
    return Catalogue(url)


def execute(url: str, statement: str) -> None:
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        connection.execute(sa.text(statement))


def test_a_new_run(catalogue: Catalogue) -> None:
    before = time.time()
    settings = {"max_pages": 5, "scope": "host", "max_depth": None}
    run = catalogue.create_run("example.org", ["https://example.org/"], settings)
    assert (run.name, run.crawler, run.number) == ("example.org-1", "example.org", 1)
    assert run.state is RunState.CREATED
    assert run.seeds == ("https://example.org/",)
    assert run.settings == settings
    assert run.statistics == {}
    assert before <= run.created_at == run.updated_at <= time.time()
    assert (run.started_at, run.ended_at, run.pid, run.reason) == (0, 0, 0, "")
    assert catalogue.run("example.org-1") == catalogue.run(run.id) == run
    assert catalogue.run(str(run.id)) == run


def test_numbers_are_counted_for_each_crawler_and_never_given_again(catalogue: Catalogue) -> None:
    names = [catalogue.create_run(crawler, [], {}).name for crawler in ("a", "a", "b", "a-1")]
    assert names == ["a-1", "a-2", "b-1", "a-1-1"]
    catalogue.delete("a-2")
    assert catalogue.create_run("a", [], {}).name == "a-3"
    assert [run.name for run in catalogue.runs()] == ["a-3", "a-1-1", "b-1", "a-1"]
    assert [run.name for run in catalogue.runs("a")] == ["a-3", "a-1"]


def test_updates_change_what_is_given(catalogue: Catalogue) -> None:
    run = catalogue.create_run("a", ["s"], {"x": 1})
    changed = catalogue.update(
        run.name, state=RunState.RUNNING, pid=42, started_at=7.5, statistics={"pages": 3}
    )
    assert changed == catalogue.run(run.name)
    assert changed.state is RunState.RUNNING
    assert (changed.pid, changed.started_at, changed.statistics) == (42, 7.5, {"pages": 3})
    assert (changed.settings, changed.seeds) == ({"x": 1}, ("s",))
    assert changed.updated_at >= run.updated_at
    ended = catalogue.update(
        run.id,
        state=RunState.FINISHED,
        pid=0,
        ended_at=9.0,
        reason="max_pages",
        settings={"x": 2},
    )
    assert (ended.pid, ended.ended_at, ended.reason) == (0, 9.0, "max_pages")
    assert (ended.started_at, ended.statistics, ended.settings) == (7.5, {"pages": 3}, {"x": 2})


def test_the_newest_runs(catalogue: Catalogue) -> None:
    assert catalogue.newest("a") is None
    assert catalogue.newest_unfinished("a") is None
    for state in (RunState.STOPPED, RunState.FAILED, RunState.FINISHED):
        catalogue.update(catalogue.create_run("a", [], {}).name, state=state)
    catalogue.create_run("b", [], {})
    newest, unfinished = catalogue.newest("a"), catalogue.newest_unfinished("a")
    assert newest is not None
    assert newest.name == "a-3"
    assert unfinished is not None
    assert unfinished.name == "a-2"


def test_unknown_runs_are_refused_with_advice(catalogue: Catalogue) -> None:
    with pytest.raises(RunNotFound, match="no runs yet"):
        catalogue.run("example.org-1")
    for crawler in ("example.org", "example.org", "python.test"):
        catalogue.create_run(crawler, [], {})
    with pytest.raises(RunNotFound, match=r"'exmple\.org-1'.*'example\.org-1'") as caught:
        catalogue.run("exmple.org-1")
    assert "python" not in str(caught.value)
    with pytest.raises(RunNotFound, match="python"):
        catalogue.run("zzz")
    with pytest.raises(RunNotFound, match="'99'"):
        catalogue.run(99)
    with pytest.raises(RunNotFound):
        catalogue.update("zzz", pid=1)
    with pytest.raises(RunNotFound):
        catalogue.delete("zzz")


def test_several_processes_at_once(url: str) -> None:
    """They race for creating the tables, and then for the numbers."""
    code = """
import sys
from gossamer.storage.accounts import Accounts
from gossamer.storage.catalogue import Catalogue
sys.stdin.readline()
catalogue = Catalogue(sys.argv[1])
for _ in range(5):
    print(catalogue.update(catalogue.create_run("a", [], {}).id, pid=1).number)
"""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    assert sorted(int(number) for text in outputs for number in text.split()) == [*range(1, 21)]


def test_other_versions_are_refused(url: str) -> None:
    Catalogue(url).create_run("a", [], {})
    execute(url, "update meta set value = '99' where name = 'version'")
    with pytest.raises(FormatError, match="version 99"):
        Catalogue(url).runs()


def test_a_database_of_somebody_else_is_left_alone(url: str) -> None:
    Catalogue(url).runs()
    execute(url, "drop table meta")
    with pytest.raises(FormatError, match="not a catalogue"):
        Catalogue(url).runs()


def test_an_older_version_gets_the_tables_that_it_lacks(url: str) -> None:
    Catalogue(url).create_run("a", [], {})
    execute(url, "drop table account")
    execute(url, "update meta set value = '1' where name = 'version'")
    catalogue = Catalogue(url)
    assert [run.name for run in catalogue.runs()] == ["a-1"]
    assert Accounts(catalogue.database).accounts() == []
    assert Catalogue(url).newest("a") is not None
