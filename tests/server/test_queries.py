import pytest

from gossamer.errors import UsageError
from gossamer.server.api.people import QueriesQuery
from gossamer.server.api.searches import PageQuery
from gossamer.server.queries import SearchQuery, read_query


def test_what_is_left_empty_is_not_set() -> None:
    """Browsers leave out what a search description calls optional: the name stays, without a
    value. So do forms."""
    given = {"q": ["moon"], "page": [""], "group": [""], "filter": ["", "lang:en"], "safe": [""]}
    assert read_query(given, SearchQuery) == SearchQuery(q="moon", filter=("lang:en",))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"page": "0"}, "'page' must be a whole number of at least 1."),
        ({"page": "x"}, "'page' must be a whole number."),
        ({"group": "perhaps"}, "'group' must be true or false."),
        ({"safe": "perhaps"}, "'safe' must be true or false."),
        ({"q": "x" * 10_001}, "'q' must have at most 10000 characters."),
        ({"color": "red"}, "There is no parameter 'color'."),
    ],
)
def test_what_is_wrong_is_said_in_words(given: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_query({name: [value] for name, value in given.items()}, SearchQuery)
    assert str(raised.value) == said


def test_limits_of_lists_and_what_is_missing() -> None:
    with pytest.raises(UsageError, match=r"^'filter' may be given at most 20 times\.$"):
        read_query({"filter": ["a:b"] * 21}, SearchQuery)
    with pytest.raises(UsageError, match=r"^'filter' must have at most 10000 characters\.$"):
        read_query({"filter": ["a:" + "b" * 10_000]}, SearchQuery)
    with pytest.raises(UsageError, match=r"^The parameter 'url' is missing\.$"):
        read_query({}, PageQuery)
    with pytest.raises(UsageError, match=r"^'days' must be a number of more than 0\.$"):
        read_query({"days": ["0"]}, QueriesQuery)
