"""How matches are spread over the values of a field: all of them, not only the best."""

from pathlib import Path

import pytest

from gossamer.errors import UsageError
from gossamer.search import candidates, facets
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.facets import Facets, joined
from gossamer.search.filters import filters_of
from tests.searching import SmallIndex

FIELDS = {
    "title": "text",
    "text": "text",
    "kind": "keyword",
    "lang": "keyword",
    "date": "date",
    "price": "number",
}
SIZE = 60


@pytest.fixture
def shop(tmp_path: Path) -> SmallIndex:
    index = SmallIndex(tmp_path, FIELDS)
    index.write(
        {
            "id": str(n),
            "title": f"Lamp {n}",
            "text": "lamp " * (n % 7 + 1),
            "kind": ["lamps", "new"] if n % 3 == 0 else ["lamps"],
            "lang": "de" if n % 4 == 0 else "en",
            "date": f"{1965 + n % 5 * 10}-12-31" if n % 5 else None,
            "price": 2.5 * (n % 2 + 1),
        }
        for n in range(SIZE)
    )
    return index


def asked(index: SmallIndex, *names: str, query: str = "lamp") -> Answer:
    return index.searcher().search(SearchRequest(query, facets=names, limit=3))


EXPECTED = {
    "kind": {"lamps": 60, "new": 20},
    "language": {"en": 45, "de": 15},
    "year": {"1975": 12, "1985": 12, "1995": 12, "2005": 12},
    "price": {"2..4.9": 30, "5..": 30},
}


def test_keywords_years_and_numbers(shop: SmallIndex) -> None:
    answer = asked(shop, *EXPECTED)
    assert answer.facets == EXPECTED
    assert answer.facets_exact
    assert list(answer.facets["kind"]) == ["lamps", "new"]
    assert asked(shop, "date").facets == {"date": EXPECTED["year"]}


def test_all_matches_are_counted_where_few_are_scored(
    shop: SmallIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "SMALL_INDEX", 0)
    monkeypatch.setattr(candidates, "CANDIDATES", 5)
    monkeypatch.setattr(candidates, "COUNTED", 10)
    monkeypatch.setattr(candidates, "_TITLE_CANDIDATES", 5)
    answer = asked(shop, *EXPECTED)
    assert answer.total == 60
    assert answer.facets == EXPECTED
    assert answer.facets_exact


def test_where_too_many_match_the_counts_are_estimated(
    shop: SmallIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "SMALL_INDEX", 0)
    monkeypatch.setattr(candidates, "CANDIDATES", 5)
    monkeypatch.setattr(candidates, "COUNTED", 10)
    monkeypatch.setattr(facets, "COUNTED", 30)
    answer = asked(shop, "kind")
    assert not answer.facets_exact
    assert answer.facets["kind"]["lamps"] == 60


def test_filters_bound_what_is_counted(shop: SmallIndex) -> None:
    assert asked(shop, "kind", query="lamp year:1975").facets == {"kind": {"lamps": 12, "new": 4}}
    assert asked(shop, "kind", query="lamp language:de").facets["kind"]["lamps"] == 15
    assert asked(shop, "kind", query="lamp year:1970..1990").facets["kind"]["lamps"] == 24
    request = SearchRequest("lamp", filters=filters_of({"year": "1985", "language": "en"}))
    answer = shop.searcher().search(request)
    assert 0 < answer.total < 12
    assert asked(shop, "kind", query="nothing").facets == {"kind": {}}


def test_what_has_no_values_is_refused(shop: SmallIndex) -> None:
    for name in ("text", "colour", "type"):
        refusal = f"'{name}' cannot be a facet. Fields for facets: kind, lang"
        with pytest.raises(UsageError, match=refusal):
            asked(shop, name)


def test_a_field_of_that_name_comes_first(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, {"text": "text", "date": "date", "year": "number"})
    index.write([{"id": "1", "text": "lamp", "date": "2001-01-01", "year": 1850}])
    assert asked(index, "year", "date").facets == {"year": {"1850": 1}, "date": {"2001": 1}}
    assert asked(index, query="lamp year:1850").total == 1


def test_shards_are_added_up_and_many_values_cut() -> None:
    many = {f"v{n:03}": 1 for n in range(facets.MOST_VALUES + 1)}
    found, notes = joined(["a", "b"], [Facets({"a": {"x": 1}}), Facets({"a": {"x": 2}, "b": many})])
    assert found.counts["a"] == {"x": 3}
    assert len(found.counts["b"]) == facets.MOST_VALUES
    assert notes == ("Only the 100 most common values of 'b' are shown.",)
    assert not joined(["a"], [Facets({}), Facets({}, is_exact=False)])[0].is_exact
