"""A judged collection ranked by bm25s: run by the benchmark with the peers' interpreter.

    python bm25s_run.py < {"documents": {id: text}, "queries": {id: text}} > run.json

Out: for each query the ids of its best documents, at most 1,000, best first; and the versions.
Words are bm25s's own, without English stop words, with the Snowball stemmer.
"""

import json
import sys
from importlib.metadata import version

import bm25s
import Stemmer

DEPTH = 1_000


def rankings(documents: dict[str, str], queries: dict[str, str]) -> dict[str, list[str]]:
    stemmer = Stemmer.Stemmer("english")

    def words(texts: dict[str, str]) -> list[list[str]]:
        found: list[list[str]] = bm25s.tokenize(
            list(texts.values()),
            stopwords="en",
            stemmer=stemmer,
            return_ids=False,
            show_progress=False,
        )
        return found

    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(words(documents), show_progress=False)
    ids = list(documents)
    places, scores = index.retrieve(words(queries), k=min(DEPTH, len(ids)), show_progress=False)
    # It fills the list up with documents that have none of the words: those are no results.
    return {
        query: [ids[place] for place, score in zip(row, row_scores, strict=True) if score > 0]
        for query, row, row_scores in zip(queries, places, scores, strict=True)
    }


def main() -> None:
    asked = json.load(sys.stdin)
    run = rankings(asked["documents"], asked["queries"])
    versions = {name: version(name) for name in ("bm25s", "pystemmer")}
    json.dump({"run": run, "versions": versions}, sys.stdout)


if __name__ == "__main__":
    main()
