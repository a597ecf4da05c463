"""The corpus: real passages first, and more with the same statistics."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.corpus import Corpus, misspelt, passages_of
from benchmarks.text_model import TextModel, key_of


@pytest.fixture(scope="module")
def corpus() -> Iterator[Corpus]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("GOSSAMER_DATA", raising=False)
        yield Corpus()


def _words(texts: list[str]) -> Counter[str]:
    return Counter(key_of(token) for text in texts for token in text.split())


def test_passages_are_real_ones_and_more(corpus: Corpus, tmp_path: Path) -> None:
    real = [text for page in corpus.real_pages for text in passages_of(page)]
    path = tmp_path / "passages.txt"
    assert corpus.write_passages(path, len(real) + 50) == len(real)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(real) + 50
    assert set(real) < set(lines)
    again = tmp_path / "again.txt"
    corpus.write_passages(again, len(real) + 50)
    assert again.read_bytes() == path.read_bytes()


def test_fewer_passages_than_there_are_real_ones(corpus: Corpus, tmp_path: Path) -> None:
    assert corpus.write_passages(tmp_path / "few.txt", 10) == 10
    assert len((tmp_path / "few.txt").read_text(encoding="utf-8").splitlines()) == 10


def test_common_words_stay_as_common(corpus: Corpus) -> None:
    model = corpus.model
    texts = list(model.texts(0, [300] * 1_000))
    made = _words(texts)
    total, real_total = made.total(), sum(model.counts.values())
    for word in sorted(model.counts, key=lambda word: -model.counts[word])[:20]:
        assert made[word] / total == pytest.approx(model.counts[word] / real_total, rel=0.35)


def test_vocabulary_grows_as_that_of_real_text_does(corpus: Corpus) -> None:
    texts = list(corpus.model.texts(0, [300] * 4_000))
    quarter, whole = len(_words(texts[:1_000])), len(_words(texts))
    # Heaps: the exponent of English is 0.4 to 0.7.
    assert 4**0.35 < whole / quarter < 4**0.75


def test_generated_passages_keep_to_a_subject(corpus: Corpus) -> None:
    """Half a passage foretells the words of its other half better than those of another one."""
    counts = corpus.model.counts

    def seldom(words: list[str]) -> set[str]:
        return {word for word in map(key_of, words) if counts.get(word, 0) < 60}

    texts = [text.split() for text in corpus.model.texts(0, [300] * 200)]
    halves = [(seldom(words[:150]), seldom(words[150:])) for words in texts]
    others = [halves[-1], *halves[:-1]]
    own = sum(len(first & second) for first, second in halves)
    other = sum(len(mine & theirs) for (mine, _), (_, theirs) in zip(halves, others, strict=True))
    assert own > 3 * other


def test_model_of_one_sentence_does_not_end() -> None:
    model = TextModel([["one two one two three"]])
    text = next(model.texts(0, [50]))
    assert len(text.split()) == 50


def test_queries_are_of_the_kinds_asked_for(corpus: Corpus) -> None:
    groups = corpus.queries(30)
    assert list(groups) == [
        "1 word",
        "2 words",
        "3 words",
        "3 common",
        "phrases",
        "misspelt",
        "warm",
    ]
    for words, name in ((1, "1 word"), (2, "2 words"), (3, "3 words"), (3, "3 common")):
        assert all(len(query.split()) == words for query in groups[name])
        assert len(groups[name]) == len(set(groups[name])) == (10 if name == "3 common" else 30)
    assert all(query.startswith('"') and query.endswith('"') for query in groups["phrases"])
    for query in groups["misspelt"]:
        assert any(word not in corpus.model.counts for word in query.split())


def test_misspelt_changes_the_longest_word() -> None:
    assert misspelt("sea levels") == "sea leevls"
