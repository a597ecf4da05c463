"""An index whose writer is killed at any moment is the old one or the new one, whole."""

import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gossamer.search.contract import SearchRequest
from tests.faults.index_writer import version
from tests.searching import SmallIndex, SmallSet

pytestmark = pytest.mark.fault
KILLS = 20


def _versions_seen(index: SmallIndex | SmallSet) -> set[str]:
    """Which version the documents are of; they are complete, or this fails."""
    searcher = index.searcher()
    request = SearchRequest("common", limit=1_000, group=False, deadline_seconds=60)
    answer = searcher.search(request)
    assert not answer.partial
    seen = {next(word for word in hit.snippet.split() if word[0] == "v") for hit in answer.hits}
    searcher.close()
    for one in seen:
        assert len(answer.hits) == len(version(int(one[1:])))
    return seen


def test_killed_writers_leave_a_whole_index(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write(version(0))
    rng = random.Random(11)
    published = 0
    for attempt in range(KILLS):
        writer = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.index_writer", str(tmp_path), str(attempt)],
            stdout=subprocess.PIPE,
        )
        assert writer.stdout is not None
        writer.stdout.readline()  # it is in full swing
        published += 1
        time.sleep(rng.random() * 0.3)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert len(_versions_seen(index)) == 1
    assert published == KILLS
    index.write(version(3))
    assert _versions_seen(index) == {"v3"}
    generations = list((index.folder.path / "generations").iterdir())
    assert len(generations) == 1, "what killed writers left is swept"


def test_killed_writers_leave_a_whole_set_of_shards(tmp_path: Path) -> None:
    """Versions replace most documents, so that parts are merged all the time."""
    index = SmallSet(tmp_path, 2)
    index.write(version(0))
    rng = random.Random(12)
    for attempt in range(KILLS // 2):
        writer = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.index_writer", str(tmp_path), str(attempt), "2"],
            stdout=subprocess.PIPE,
        )
        assert writer.stdout is not None
        writer.stdout.readline()  # it is in full swing
        time.sleep(rng.random() * 0.5)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert len(_versions_seen(index)) == 1
    index.write(version(3))
    assert _versions_seen(index) == {"v3"}
    for parent in (index.shards.path / "sets", *index.shards.path.glob("shards/2/*/generations")):
        assert len(list(parent.iterdir())) == 1, "what killed writers left is swept"


def test_searches_go_on_while_an_index_is_written(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write(version(0))
    searcher = index.searcher()
    stop = threading.Event()
    faults: list[BaseException] = []
    answered = [0] * 100

    def ask(number: int) -> None:
        try:
            while not stop.is_set():
                request = SearchRequest(
                    "common", limit=1_000, group=False, b=number / 100, deadline_seconds=600.0
                )
                answer = searcher.search(request)
                seen = {
                    next(word for word in hit.snippet.split() if word[0] == "v")
                    for hit in answer.hits
                }
                assert len(seen) == 1
                assert len(answer.hits) == len(version(int(seen.pop()[1:])))
                answered[number] += 1
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(answered))]
    for thread in threads:
        thread.start()
    for number in range(1, 12):
        index.write(version(number))
    stop.set()
    for thread in threads:
        thread.join()
    searcher.close()
    assert not faults, faults
    assert sum(answered) >= 100
