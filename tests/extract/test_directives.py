import pytest

from gossamer.extract.directives import combined, rated
from gossamer.records import Directives

NOINDEX, NOFOLLOW = Directives.NOINDEX, Directives.NOFOLLOW
NOTHING = Directives.NONE


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        ([], NOTHING),
        (["index, follow"], NOTHING),
        (["all"], NOTHING),
        (["noindex"], NOINDEX),
        (["NoIndex , NoFollow"], NOINDEX | NOFOLLOW),
        (["none"], NOINDEX | NOFOLLOW),
        (["noindex", "nofollow"], NOINDEX | NOFOLLOW),
        (["index", "noindex"], NOINDEX),
        (["nosnippet,noarchive"], Directives.NOSNIPPET | Directives.NOARCHIVE),
        (["max-snippet:0"], Directives.NOSNIPPET),
        (["max-snippet: 0"], Directives.NOSNIPPET),
        (["max-snippet:20"], NOTHING),
        (["noindexing"], NOTHING),
    ],
)
def test_meta(contents: list[str], expected: Directives) -> None:
    assert combined(contents, (), "Gossamer") == expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["noindex"], NOINDEX),
        (["noindex, nofollow"], NOINDEX | NOFOLLOW),
        (["none"], NOINDEX | NOFOLLOW),
        (["otherbot: noindex"], NOTHING),
        (["gossamer: noindex"], NOINDEX),
        (["Gossamer: noindex, nofollow"], NOINDEX | NOFOLLOW),
        (["otherbot: noindex, gossamer: nofollow"], NOFOLLOW),
        (["otherbot: noindex, nofollow"], NOTHING),
        (["otherbot: noindex", "nofollow"], NOFOLLOW),
        (["*: noindex"], NOINDEX),
        (["max-snippet: 20, noindex"], NOINDEX),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST"], NOTHING),
        (["noindex, unavailable_after: 25 Jun 2010 15:00:00 PST"], NOINDEX),
        (["", ":", ","], NOTHING),
    ],
)
def test_headers(tags: list[str], expected: Directives) -> None:
    assert combined((), tags, "Gossamer") == expected


def test_the_strictest_counts() -> None:
    assert combined(["noindex"], ["nofollow"], "Gossamer") == NOINDEX | NOFOLLOW


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        ([], NOTHING),
        (["general"], NOTHING),
        (["adult content is not here"], NOTHING),
        (["Adult"], Directives.ADULT),
        ([" mature "], Directives.ADULT),
        (["restricted"], Directives.ADULT),
        (["RTA-5042-1996-1400-1577-RTA"], Directives.ADULT),
        (["general", "adult"], Directives.ADULT),
    ],
)
def test_ratings(contents: list[str], expected: Directives) -> None:
    assert rated(contents) == expected
