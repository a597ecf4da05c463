"""Ranks whose writer is killed at any moment are the old ones or the new ones, whole."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gossamer.app import Home
from gossamer.app.ranks import Ranking
from gossamer.config import RankSettings
from gossamer.graph.page_rank import page_rank
from tests.cli.commands import AT_ONCE, gossamer
from tests.faults.rank_writer import DAMPINGS
from tests.small_web import SmallWeb, linking

pytestmark = pytest.mark.fault
KILLS = 12
PAGES = 40


def check(ranking: Ranking) -> None:
    """What is there is of one generation: its ranks are those of its graph by its settings."""
    with ranking.reader("web-1") as reader:
        settings = reader.manifest.settings
        assert settings["damping"] in DAMPINGS
        assert reader.graph.nodes == reader.manifest.nodes == len(reader.page_ranks)
        found = page_rank(
            reader.graph,
            damping=settings["damping"],
            weights=np.asarray(np.load(next(reader.folder.glob("weights.npy")))),
        )
        assert np.abs(found.values * reader.graph.nodes - reader.page_ranks).sum() < 1e-5
        for node in range(reader.graph.nodes):
            assert reader.url(node).startswith("http://a.test")


def test_killed_writers_leave_whole_ranks(tmp_path: Path) -> None:
    pages = {
        f"/{number}": linking(f"/{2 * number}", f"/{2 * number + 1}", "/1", text=f"Page {number}.")
        for number in range(1, PAGES)
    }
    with SmallWeb({"a.test": pages}) as web:
        ended = gossamer(
            *("crawl", web.url("a.test", "/1"), "--name", "web", "--resolve", "a.test=127.0.0.1"),
            *AT_ONCE,
            home=tmp_path,
        )
        assert ended.code == 0, ended.err
    ranking = Ranking(Home(tmp_path))
    ranking.rank(("web-1",), RankSettings(damping=DAMPINGS[0]))
    rng = random.Random(13)
    for _ in range(KILLS):
        writer = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.rank_writer", str(tmp_path), "web-1"],
            stdout=subprocess.PIPE,
        )
        assert writer.stdout is not None
        writer.stdout.readline()  # it is in full swing
        time.sleep(rng.random() * 0.2)
        check(ranking)  # while it goes on
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        check(ranking)
    ranking.rank(("web-1",), RankSettings())
    check(ranking)
    generations = tmp_path / "ranks" / "sets" / "web-1" / "generations"
    assert len(list(generations.iterdir())) == 1, "what killed writers left is swept"
