"""Computes the ranks of a run over and over, by other settings each time, until it is killed.

python -m tests.faults.rank_writer HOME RUN
"""

import sys
from itertools import count
from pathlib import Path

from gossamer.app import Home
from gossamer.app.ranks import Ranking
from gossamer.config import RankSettings

DAMPINGS = (0.5, 0.85)


def main() -> None:
    ranking = Ranking(Home(Path(sys.argv[1])))
    for number in count():
        ranking.rank((sys.argv[2],), RankSettings(damping=DAMPINGS[number % 2]))
        print(number, flush=True)


if __name__ == "__main__":
    main()
