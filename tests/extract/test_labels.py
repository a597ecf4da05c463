import pytest

from gossamer.extract.labels import (
    COMMENTS,
    FIRST_LETTERS,
    FIRST_SIGNS,
    LABEL,
    are_comments,
    is_notice,
    label_of,
)


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        (LABEL, "Advertisement|SHARE THIS|Read more: of it|Tags: one, two|© 2020 X|相关新闻|Top"),
        (COMMENTS, "Comments|3 comments|Comments (12)|5 thoughts on “X”|KOMMENTARE:|评论"),
        ("", "Comments and criticism|Topology|Sharing a boat|12|A reader|Homecoming|Tea"),
    ],
)
def test_labels(label: str, lines: str) -> None:
    for line in lines.split("|"):
        assert (line, label_of(line)) == (line, label)
        if label:
            assert line[:3].lower() in FIRST_LETTERS or line[0] in FIRST_SIGNS


def test_notices() -> None:
    assert is_notice("© 2019 The Company, its owners and all who sail in her")
    assert is_notice("Copyright 2001 by Somebody")
    assert not is_notice("Copyrights are a matter for lawyers")
    assert not is_notice("The © sign")


def test_comments_are_dated() -> None:
    assert are_comments(["a heading", "Ann", "3 May 2021", "so it is", "Bob", "2 days ago"], 1)
    assert not are_comments(["a heading", "In 2021", "nothing"], 1)
    assert not are_comments(["1999", "2000", "2001"], 2)
