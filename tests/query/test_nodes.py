"""The tree as text; that it is parsed back is tested with the parser."""

from gossamer.query.nodes import Any, Group, Phrase, Prefix, Range, Word, leaves, to_text


def test_canonical_text() -> None:
    tree = Group(
        must=(Word("a"), Any((Word("b"), Prefix("c", boost=0.25)))),
        should=(Group((Word("d"),), (Word("e"),)), Phrase("f g", "title", 2, 3.0)),
        must_not=(Range("price", "1", "2"), Word("--x")),
    )
    expected = '+a +(b OR c*^0.25) (+d e) title:"f g"~2^3 -price:1..2 -(--x)'
    assert to_text(tree) == expected


def test_the_leaves_that_are_looked_for() -> None:
    tree = Group((Word("a"),), (Any((Word("b"), Word("c"))),), (Word("d"),))
    assert leaves(tree) == [Word("a"), Word("b"), Word("c")]
