import pytest

from gossamer.rank.formula import Formula
from gossamer.server.pages_scores import bars


def explained(formula: str, **values: float) -> dict[str, object]:
    features = {name: {"value": value} for name, value in values.items()}
    return {"features": features, "parts": Formula.parse(formula).explain(values)}


def test_a_sum_is_opened_into_its_terms() -> None:
    found = bars(explained("(text + pairs) / 2 - 0.5 * bm25 + boost", text=8.0, bm25=2.0))
    assert [(bar.detail, bar.value, bar.share) for bar in found] == [
        ("(text + pairs) / 2", 4.0, 100.0),
        ("0.5 * bm25", -1.0, 25.0),
    ]


def test_terms_add_up_to_the_score() -> None:
    text = "text / 3 + (pairs - 2) - log(1 + text) + 0.1 * pairs"
    values = {"text": 7.0, "pairs": 5.0}
    found = bars(explained(text, **values))
    assert sum(bar.value for bar in found) == pytest.approx(
        Formula.parse(text).explain(values).value
    )


def test_what_is_no_sum_is_one_bar() -> None:
    (bar,) = bars(explained("text * (1 + pairs)", text=2.0, pairs=1.0))
    assert (bar.value, bar.share) == (4.0, 100.0)
    assert bar.label == "the words of the query in the document; words of the query side by side"


def test_words_behind_a_term() -> None:
    made = explained("text + boost", text=3.0)
    made["features"]["text"]["words"] = [  # type: ignore[index]
        {"word": "sea", "value": 1.0, "fields": {"body": 1.0}},
        {"word": "moon", "value": 2.0, "fields": {"body": 0.5, "title": 1.5}},
        {"word": "none", "value": 0.0},
    ]
    (bar,) = bars(made)
    assert [(word.label, word.detail, word.share) for word in bar.parts] == [
        ("moon", "title, body", 100.0),
        ("sea", "body", 50.0),
    ]


def test_a_score_of_nothing() -> None:
    assert bars(explained("text + boost", text=0.0)) == []
