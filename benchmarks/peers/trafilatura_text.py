"""The main text of pages by trafilatura: run by the benchmark with the peers' interpreter.

    python trafilatura_text.py < pages.json > texts.json

In: a JSON list of pages. Out: their main texts, the best CPU-seconds of a round over all pages, and
the version.
"""

import json
import sys
import time

import trafilatura

ROUNDS = 3


def main() -> None:
    pages: list[str] = json.load(sys.stdin)
    best = float("inf")
    texts: list[str] = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        # Comments are no content for us either.
        texts = [trafilatura.extract(page, include_comments=False) or "" for page in pages]
        best = min(best, time.process_time() - begin)
    json.dump({"texts": texts, "seconds": best, "version": trafilatura.__version__}, sys.stdout)


if __name__ == "__main__":
    main()
