"""The collection in `evaluation/` is whole, and its judgments fit its documents."""

from collections import Counter
from pathlib import Path

import pytest

from gossamer.evaluate import Dataset, compare, run_queries

FOLDER = Path(__file__).parents[2] / "evaluation"


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return Dataset(FOLDER)


def test_every_judgment_leads_somewhere(dataset: Dataset) -> None:
    survey = dataset.survey()
    assert survey.documents >= 150
    assert 30 <= survey.queries == survey.judged_queries
    assert survey.unknown_documents == survey.unknown_queries == survey.repeated_judgments == 0


def test_documents_have_what_the_experiments_want(dataset: Dataset) -> None:
    topics: Counter[str] = Counter()
    votes = []
    for document in dataset.documents():
        assert document.title
        assert 40 <= len(document.text.split()) <= 120, document.id
        assert document.fields.keys() == {"topic", "votes", "date"}
        topics[document.fields["topic"]] += 1
        votes.append(document.fields["votes"])
    assert len(topics) >= 8
    assert min(topics.values()) >= 10
    assert min(votes) < 0 < max(votes)
    assert all(type(count) is int for count in votes)


def test_every_query_has_an_answer_and_grades_differ(dataset: Dataset) -> None:
    assert {grade for grades in dataset.grades.values() for grade in grades.values()} == {
        0,
        1,
        2,
        3,
    }
    for query in dataset.queries:
        assert max(dataset.grades[query.id].values()) == 3, query


def test_misspelt_queries_are_those_of_the_collection(dataset: Dataset) -> None:
    right = {query.id: query.text for query in dataset.queries}
    lines = (FOLDER / "misspelt.tsv").read_text(encoding="utf-8").splitlines()
    wrong = dict(line.split("\t") for line in lines)
    assert len(wrong) == len(lines)
    assert wrong.keys() <= right.keys()
    assert all(wrong[query] != right[query] for query in wrong)


def test_it_is_small(dataset: Dataset) -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 250_000


def test_it_tells_a_good_ranking_from_a_bad_one(dataset: Dataset) -> None:
    """Ranked by shared words, far better than in the order of the file, and far from perfect."""
    words = {
        document.id: set(f"{document.title} {document.text}".lower().split())
        for document in dataset.documents()
    }

    def overlap(text: str) -> list[str]:
        wanted = set(text.lower().split())
        return sorted(words, key=lambda document: -len(wanted & words[document]))

    runs = [
        run_queries("file", dataset.queries, dataset.grades, lambda _: list(words)),
        run_queries("overlap", dataset.queries, dataset.grades, overlap),
    ]
    comparison = compare(dataset.name, dataset.queries, runs)
    assert comparison.test(runs[1], "ndcg@10").p < 0.001
    assert runs[0].mean("ndcg@10") < 0.1 < runs[1].mean("ndcg@10") < 0.7
