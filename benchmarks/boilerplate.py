"""Main content against boilerplate, by us and by trafilatura, on the same pages in one run.

    python -m benchmarks.boilerplate [--pages-each 4] [--kinds]

The pages are those of `tests.extract.layouts`: fifty layouts, of which it is known what their
content is. A page's score is the F1 over its words, as bags; the figure is the mean over all pages.
A page takes us all of the reading of it: text, links, language and fingerprints besides. Each page
is read as if it were the first of its site. Times are CPU-time, the best of some rounds. Last line:
a JSON object.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from benchmarks.crawlers import PEER_PYTHON
from gossamer.extract.processor import build_processors
from gossamer.records import PageContent, PieceClass, RawPage
from gossamer.urls import Resolver
from tests.extract.layouts import Example, examples, f1

ROUNDS = 5
_PEER = Path(__file__).parent / "peers" / "trafilatura_text.py"
_TITLE = PieceClass.TITLE.value


def _content(page: PageContent) -> str:
    """The content without the page's title, which the peer does not put out either."""
    lines = zip(page.text.split("\n"), page.classes, page.main, strict=True)
    return "\n".join(line for line, letter, flag in lines if flag == "1" and letter != _TITLE)


def ours(pages: list[Example]) -> tuple[list[str], float]:
    """The main texts, and CPU-seconds for all of them."""
    raw = [RawPage(page.url, "text/html", "utf-8", page.html.encode()) for page in pages]
    best = float("inf")
    texts: list[str] = []
    for _ in range(ROUNDS):
        processors = build_processors("Gossamer", Resolver())
        begin = time.process_time()
        found = processors.process_all(raw)
        best = min(best, time.process_time() - begin)
        texts = [_content(page) for page in found if isinstance(page, PageContent)]
    return texts, best


def theirs(pages: list[Example]) -> tuple[list[str], float, str]:
    """The same, and the version."""
    done = subprocess.run(
        [PEER_PYTHON, _PEER],
        input=json.dumps([page.html for page in pages]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    return answer["texts"], answer["seconds"], answer["version"]


def _scores(texts: list[str], pages: list[Example]) -> list[float]:
    return [f1(text, page.gold) for text, page in zip(texts, pages, strict=True)]


def _kinds(pages: list[Example], scores: list[float], peer_scores: list[float]) -> None:
    by_kind: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for page, score, peer_score in zip(pages, scores, peer_scores, strict=True):
        by_kind[page.kind].append((score, peer_score))
    for kind, both in by_kind.items():
        means = [statistics.mean(column) for column in zip(*both, strict=True)]
        print(f"{kind:<20}{means[0]:>12.3f}{means[1]:>12.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.boilerplate", description=__doc__)
    parser.add_argument("--pages-each", type=int, default=4, help="pages of each layout")
    parser.add_argument("--kinds", action="store_true", help="show the scores of each layout")
    arguments = parser.parse_args()
    if not PEER_PYTHON.exists():
        sys.exit(f"no {PEER_PYTHON}: see requirements-bench.lock")
    pages = list(examples(arguments.pages_each))
    texts, seconds = ours(pages)
    peer_texts, peer_seconds, version = theirs(pages)
    scores, peer_scores = _scores(texts, pages), _scores(peer_texts, pages)
    print(f"{'F1':<20}{'gossamer':>12}{'trafilatura':>12}")
    if arguments.kinds:
        _kinds(pages, scores, peer_scores)
    mean, peer_mean = statistics.mean(scores), statistics.mean(peer_scores)
    print(f"{'all':<20}{mean:>12.3f}{peer_mean:>12.3f}")
    result = {
        "bench": "boilerplate",
        "pages": len(pages),
        "gossamer_f1": round(mean, 4),
        "trafilatura_f1": round(peer_mean, 4),
        "gossamer_ms_per_page": round(seconds / len(pages) * 1000, 3),
        "trafilatura_ms_per_page": round(peer_seconds / len(pages) * 1000, 3),
        "versions": {"trafilatura": version},
    }
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
