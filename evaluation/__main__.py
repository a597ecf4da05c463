"""The default ranking and plain BM25 on judged collections, and known items of the sample web.

    python -m evaluation [--profile NAME ...] [--no-known-items]

The shipped collection always; with the environment variable GOSSAMER_DATA also every folder of its
`ir` that holds documents, queries and judgments. Then the sample web is crawled, and each of its
pages is searched for by its title, with the default ranking (`known_items`). The last line is a
JSON object. Exit code 1 where a floor is not held (`floors.json`).
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from evaluation.known_items import as_text, below_floors, evaluated
from gossamer.app.evaluating import evaluate
from gossamer.config import IndexSettings

HERE = Path(__file__).parent
FLOORS: dict[str, dict[str, Any]] = json.loads((HERE / "floors.json").read_text())


def collections() -> list[Path]:
    """The shipped collection first."""
    data = os.environ.get("GOSSAMER_DATA")
    found = sorted(Path(data).glob("ir/*/qrels.tsv")) if data else []
    return [HERE, *(path.parent for path in found)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evaluation", description=__doc__)
    parser.add_argument("--profile", action="append", dest="profiles")
    parser.add_argument("--no-known-items", action="store_true", help="judged collections alone")
    arguments = parser.parse_args()
    profiles = arguments.profiles or ["bm25", "default"]
    results: dict[str, Any] = {}
    below: list[str] = []
    for folder in collections():
        comparison = evaluate(folder, profiles, [("", IndexSettings())])
        print(comparison.as_text())
        means = comparison.as_json()["profiles"]
        name = "shipped" if folder == HERE else folder.name
        results[name] = means
        if name == "shipped" and "default" in means:
            below += [
                f"{metric} is {means['default'][metric]:.4f}, its floor {floor}"
                for metric, floor in FLOORS["default"].items()
                if means["default"][metric] < floor
            ]
    if not arguments.no_known_items:
        with tempfile.TemporaryDirectory(prefix="gossamer-eval-") as scratch:
            shares, count = evaluated(Path(scratch))
        print(as_text(shares, count))
        results["known_items"] = shares
        below += below_floors(shares, FLOORS["known_items"])
    for text in below:
        print(text, file=sys.stderr)
    print(json.dumps({"eval": results, "below": below}))
    sys.exit(1 if below else 0)


if __name__ == "__main__":
    main()
