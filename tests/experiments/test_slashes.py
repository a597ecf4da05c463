"""NUM_SLASHES, on the first pages of the sample web."""

from urllib.parse import urlsplit

from experiments.slashes import grades, page, queries, sample_index, sweep
from gossamer.demo.web import answer


def test_every_judged_page_is_there() -> None:
    known = {query.id for query in queries()}
    assert set(grades()) == known
    for judged in grades().values():
        for url in judged:
            parts = urlsplit(url)
            assert answer(parts.netloc, parts.path).status == 200, url


def test_sweep_changes_the_ranking() -> None:
    with sample_index(max_pages=200) as indexes:
        runs = sweep(indexes.searcher("sample"), (0.0, 100.0))
    assert [run.name for run in runs] == ["0", "100"]
    assert runs[0].per_query != runs[1].per_query
    text = page(runs, 200).text()
    assert "nDCG@10, story" in text
    assert "| 100 | 0." in text
