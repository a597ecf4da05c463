"""All experiments, or some: tables on the screen, pages and plots in a folder.

python -m experiments [NAME ...] [--folder docs/experiments]
"""

import argparse
from pathlib import Path

from experiments import dictionary, indexer_settings, page_rank, query_length, slashes

_FOLDER = Path(__file__).parent.parent / "docs" / "experiments"
EXPERIMENTS = {
    "query-length": query_length.run,
    "indexer-settings": indexer_settings.run,
    "slashes": slashes.run,
    "dictionary": dictionary.run,
    "page-rank": page_rank.run,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(EXPERIMENTS))
    parser.add_argument("--folder", type=Path, default=_FOLDER)
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - EXPERIMENTS.keys():
        parser.error(f"no experiment {', '.join(sorted(unknown))}: {', '.join(EXPERIMENTS)}")
    for name in arguments.names or EXPERIMENTS:
        page = EXPERIMENTS[name]()
        page.write(arguments.folder)
        print(page.text(), flush=True)


if __name__ == "__main__":
    main()
