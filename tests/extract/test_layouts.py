"""How well content is told from boilerplate, on pages of which it is known. The benchmark
`boilerplate` measures the same against a peer."""

import statistics
from collections import defaultdict

from tests.extract.layouts import LAYOUTS, examples, f1
from tests.extract.test_boilerplate import content_of
from tests.extract.test_html import processed

PAGES_EACH = 2
LEAST_F1 = 0.97
LEAST_F1_OF_A_LAYOUT = 0.8


def test_content_is_told_from_boilerplate() -> None:
    scores = defaultdict(list)
    for example in examples(PAGES_EACH):
        content = processed(example.html, url=example.url)
        scores[example.kind].append(f1("\n".join(content_of(content)[1:]), example.gold))
    means = {kind: statistics.mean(found) for kind, found in scores.items()}
    assert means.keys() == LAYOUTS.keys()
    assert min(means.values()) >= LEAST_F1_OF_A_LAYOUT, min(means, key=means.__getitem__)
    assert statistics.mean(means.values()) >= LEAST_F1


def test_the_pages_are_the_same_everywhere() -> None:
    first, second = list(examples(1)), list(examples(1))
    assert first == second
    assert sum(len(example.html) for example in first) > 100_000
    assert all(example.gold for example in first)


def test_f1() -> None:
    assert f1("one two", "two one") == 1
    assert f1("one two two", "two") == 0.5
    assert f1("", "one") == 0
    assert f1("新闻", "新的") == 0.5
