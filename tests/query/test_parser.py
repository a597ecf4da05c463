"""Every form of the query language, and that nothing at all is an error."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.query.nodes import Any, Group, Leaf, Node, Phrase, Prefix, Range, Word, to_text
from gossamer.query.parser import (
    MOST_DEPTH,
    MOST_WORDS,
    TEXT_FIELDS,
    _Parser,
    parse,
    parse_filter,
)

FIELDS = {"price", "date", "colour", *TEXT_FIELDS}


def words(*texts: str) -> tuple[Word, ...]:
    return tuple(Word(text) for text in texts)


def root(text: str) -> Group:
    return parse(text, FIELDS).root


def notes(text: str) -> str:
    return " ".join(parse(text, FIELDS).notes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Group()),
        ("new york", Group(should=words("new", "york"))),
        ("+new york -jersey", Group(words("new"), words("york"), words("jersey"))),
        ("a OR b c", Group(should=(Any(words("a", "b")), Word("c")))),
        ("a|b | c", Group(should=(Any(words("a", "b", "c")),))),
        ("a AND b c", Group(words("a", "b"), words("c"))),
        ("+(a OR b) c", Group((Any(words("a", "b")),), words("c"))),
        ("a NOT b", Group(should=words("a"), must_not=words("b"))),
        ("a AND NOT b", Group(words("a"), must_not=words("b"))),
        ("NOT a AND b", Group(words("b"), must_not=words("a"))),
        ("NOT (a b) c", Group(should=words("c"), must_not=words("a", "b"))),
        ('a NOT "b c"', Group(should=words("a"), must_not=(Phrase("b c"),))),
        ("a NOT +b", Group(should=words("a"), must_not=words("b"))),
        ("a NOT title:b", Group(should=words("a"), must_not=(Word("b", "title"),))),
        ("* -a", Group(must_not=words("a"))),
        ("(* -a)", Group(must_not=words("a"))),
        ("a (-b)", Group(should=words("a"), must_not=words("b"))),
        ("a OR (-b)", Group(should=(Any((Word("a"), Group(must_not=words("b")))),))),
        ("-a lang:en", Group((Word("en", "lang"),), must_not=words("a"))),
        ("colour:red|blue", root("colour:red OR colour:blue")),
        ('colour:"red"|"dark blue" x', root('(colour:"red" OR colour:"dark blue") x')),
        ('colour:"red|blue"', Group((Phrase("red|blue", "colour"),))),
        ("price:1..2|>9|-5", root("price:1..2 OR price:>9 OR price:-5")),
        ("x -colour:red|blue", root("x -colour:red -colour:blue")),
        ("title:a|b*|c^2", root("title:a OR title:b* OR title:c^2")),
        ("colour:red|title:b", root("colour:red OR title:b")),
        ("colour:red | blue", root("colour:red OR blue")),
        ("colour:red|(a b)", root("colour:red OR (a b)")),
        ("lang:en|de lang:fr", root("lang:en lang:de lang:fr")),
        (
            'site:"a.org" site:b.org',
            Group((Any((Phrase("a.org", "site"), Word("b.org", "site"))),)),
        ),
        ("(a OR b) OR c", Group(should=(Any(words("a", "b", "c")),))),
        ("(a b) OR c", Group(should=(Any((Group(should=words("a", "b")), Word("c"))),))),
        ("a (b c)", Group(should=words("a", "b", "c"))),
        ("+(a b) c", Group((Group(should=words("a", "b")),), words("c"))),
        ("x -(a OR b)", Group(should=words("x"), must_not=words("a", "b"))),
        ("x -(+a +b)", Group(should=words("x"), must_not=(Group(words("a", "b")),))),
        ('"new  york"', Group(should=(Phrase("new york"),))),
        ('"a b"~3^0.5', Group(should=(Phrase("a b", slop=3, boost=0.5),))),
        ('x -"a b"', Group(should=words("x"), must_not=(Phrase("a b"),))),
        (
            "“to be” „or not“ «to be»",
            Group(should=tuple(map(Phrase, ["to be", "or not", "to be"]))),
        ),
        ("wor*", Group(should=(Prefix("wor"),))),
        ("word^2 wor*^3", Group(should=(Word("word", boost=2.0), Prefix("wor", boost=3.0)))),
        ("(a b)^2", Group(should=(Word("a", boost=2.0), Word("b", boost=2.0)))),
        ("title:a b", Group((Word("a", "title"),), words("b"))),
        ('TITLE:"a b"', Group((Phrase("a b", "title"),))),
        ("title:(a b)", Group((Word("a", "title"), Word("b", "title")))),
        ("title:a OR b", Group(should=(Any((Word("a", "title"), Word("b"))),))),
        ("x -site:a.org", Group(should=words("x"), must_not=(Word("a.org", "site"),))),
        ("-site:a.org", Group(must_not=(Word("a.org", "site"),))),
        ("lang:de lang:fr", Group((Any((Word("de", "lang"), Word("fr", "lang"))),))),
        ("url:http://a.org/b", Group((Word("http://a.org/b", "url"),))),
        ("price:10..50", Group((Range("price", "10", "50"),))),
        ("price:10..", Group((Range("price", "10", None),))),
        ("price:..50", Group((Range("price", None, "50"),))),
        ("price:>10", Group((Range("price", "10", None, include_low=False),))),
        ("price:<=-5", Group((Range("price", None, "-5"),))),
        ("price:(1..2 OR >9)", root("price:1..2 OR price:>9")),
        ("date:2024", Group((Range("date", "2024", "2024"),))),
        ("date:2024-01..", Group((Range("date", "2024-01", None),))),
        ("date:2024..2025-06", Group((Range("date", "2024", "2025-06"),))),
        ("date:soon", Group((Word("soon", "date"),))),
        ("title:10..50", Group((Word("10..50", "title"),))),
        ('5" x 7" photo', Group(should=words("5", "x", "7", "photo"))),
        ("f(x)", Group(should=words("f", "x"))),
        ('"a"-b', Group(should=(Phrase("a"), Word("b")))),
        ("--verbose", Group(should=words("--verbose"))),
        ("or and", Group(should=words("or", "and"))),
    ],
)
def test_the_language(text: str, expected: Group) -> None:
    assert root(text) == expected


@pytest.mark.parametrize(
    "word",
    [
        *("C++", "C#", ".NET", "O'Neil", "U.S.", "e-mail", "a-b", "3.14", "#tag", "@name", "1776"),
        *("http://x", "12:30", "C:\\x", "std::vector", "foo:bar", "::1", "a*b", "x^", "^2", "😀"),
    ],
)
def test_words_that_stay_whole(word: str) -> None:
    assert root(word) == Group(should=words(word))


@pytest.mark.parametrize(
    ("text", "expected", "note"),
    [
        ("foo:bar", "foo:bar", "'foo' is no field here"),
        ('say "hello', "say hello", "unmatched quote"),
        ("(a b", "a b", "unmatched bracket"),
        ("a) b", "a b", "unmatched bracket"),
        ("OR a", "or a", "'OR' has nothing beside it"),
        ("a AND", "a and", "'AND' has nothing beside it"),
        ("a AND OR b", "+a +b", "'OR' behind 'AND' was ignored"),
        ("a OR OR b", "a OR b", "'OR' behind 'OR' was ignored"),
        ("| a", "a", "'|' has nothing beside it"),
        ("a - b", "a - b", "'-' was read as a plain word"),
        ("-5", "-5", "only excludes"),
        ("-a -b", "-a -b", "only excludes"),
        ("(-a)", "-a", "only excludes"),
        ("-a -site:b", "-a -site:b", "only excludes"),
        ("NOT a", "-a", "only excludes"),
        ("-", "-", "'-' was read as a plain word"),
        ("--", "--", "'--' was read as a plain word"),
        ("-()", "", "Empty brackets"),
        ("a ()", "a", "Empty brackets"),
        ("-*", "", "'-*' would exclude every document"),
        ("a -(*)", "a", "'-*' would exclude every document"),
        ("NOT *", "", "'-*' would exclude every document"),
        ("+a OR b", "+a b", "OR beside '+' was ignored"),
        ("a | +b", "+b a", "OR beside '+' was ignored"),
        ("a OR NOT b", "a -b", "OR beside an exclusion"),
        ("a NOT", "a not", "'NOT' has nothing beside it"),
        ("(a NOT) b", "a not b", "'NOT' has nothing beside it"),
        ("a NOT OR b", "a not OR b", "'NOT' has nothing beside it"),
        ("a NOT NOT b", "a -b", "'NOT' behind 'NOT' was ignored"),
        ("a NOT -b", "a -b", "'-' behind 'NOT' was ignored"),
        ("title: x", "title: x", "has no value"),
        ("a OR -b", "a -b", "OR beside an exclusion"),
        (":)", ":", "plain word"),
        ("--a b", "--a b", "'--a' was read as a plain word"),
        ("a^x b", "a^x b", "'a^x' was read as a plain word"),
        ("a~2 b", "a~2 b", "'a~2' was read as a plain word"),
        ("*a b*c", "*a b*c", "'b*c' was read as a plain word"),
        ('a ""', "a", "Empty quotes"),
        ("a " * 100, " ".join("a" * MOST_WORDS), f"first {MOST_WORDS} words"),
    ],
)
def test_what_is_not_understood_is_words_and_is_said(text: str, expected: str, note: str) -> None:
    assert to_text(root(text)) == expected
    assert note in notes(text)


def test_what_is_understood_needs_no_note() -> None:
    assert not notes('+a (b OR "c d"~2) -title:x price:1..2 12:30 http://x std::vector C++ b* c^2')
    for text in ("* -a", "-site:b", "a NOT b", 'price:1|2 colour:"a"|b'):
        assert not notes(text)


def test_deep_brackets_are_left_out() -> None:
    text = "(a OR " * 500 + "b" + ")" * 500

    def depth(node: Node) -> int:
        if isinstance(node, Group):
            return 1 + max((depth(part) for parts in node for part in parts), default=0)
        return 1 + max(map(depth, node.choices)) if isinstance(node, Any) else 0

    assert depth(root(text)) <= 2 * MOST_DEPTH
    assert "deep" in notes(text)


@pytest.mark.parametrize(
    "part", ["(", ")", '"', "a", "a ", "-", "a|", "title:a|", "NOT ", '("', "^2", "title:", "\0"]
)
def test_endless_text_takes_little_time(part: str) -> None:
    begin = time.process_time()
    parse(part * 5_000_000, FIELDS)
    assert time.process_time() - begin < 1.0


def all_leaves(node: Node) -> list[Leaf]:
    if isinstance(node, Group):
        return [leaf for parts in node for part in parts for leaf in all_leaves(part)]
    if isinstance(node, Any):
        return [leaf for part in node.choices for leaf in all_leaves(part)]
    return [node]


_PIECES = st.sampled_from(
    [
        *("a", "b1", "OR", "AND", "NOT", "|", "(", ")", '"', "+", "-", " ", " ", " ", ":"),
        *("title:", "a|b", "lang:e", "*"),
        *("price:", "date:", "site:", "2024", "..", ">", "<=", "^2", "^1", "~3", "*", "“", "C++"),
        *("foo:", ".", "😀", "\ud800", "\0", "é"),
    ]
)
TEXTS = st.one_of(
    st.lists(_PIECES, max_size=40).map("".join),
    st.text(st.characters(codec=None), max_size=60),
)


@given(TEXTS)
def test_any_text_is_a_query_and_its_canonical_text_means_the_same(text: str) -> None:
    parsed = parse(text, FIELDS)
    again = parse(to_text(parsed.root), FIELDS)
    assert again.root == parsed.root
    assert to_text(again.root) == to_text(parsed.root)
    assert len(all_leaves(parsed.root)) <= MOST_WORDS
    for leaf in all_leaves(parsed.root):
        if not isinstance(leaf, Range):
            assert leaf.text


@pytest.mark.parametrize("slop", ["100", "5000", "9" * 30, "9" * 9_000])
def test_any_distance_is_read(slop: str) -> None:
    assert parse(f'"a b"~{slop}').root == Group(should=(Phrase("a b", slop=100),))


@pytest.mark.parametrize(
    "text", ["price:cheap", "price:(cheap)", 'price:"cheap"', "price:a..b", "price:>x"]
)
def test_a_value_that_makes_no_sense_is_read_as_words(text: str) -> None:
    found = parse(text, ["price"], lambda leaf: f"{leaf.field} is not so")
    assert not found.root.must
    assert "was read as plain words: price is not so." in found.notes[0]


def test_of_several_values_those_that_make_sense_count() -> None:
    def fault(leaf: Leaf) -> str:
        return "it is cheap" if isinstance(leaf, Word) and leaf.text == "cheap" else ""

    found = parse("price:5|cheap|7", ["price"], fault)
    assert found.root == parse("price:5|7", ["price"]).root
    assert found.notes == ("'cheap' was ignored: it is cheap.",)
    found = parse("price:cheap|cheap", ["price"], fault)
    assert not found.root.must
    assert "'price:cheap' was read as plain words: it is cheap." in found.notes


def test_a_filter_is_one_value_whatever_stands_in_it() -> None:
    assert parse_filter("kind", 'oak "table" OR (x') == Word('oak "table" OR (x', "kind")
    assert parse_filter("price", "10..50") == Range("price", "10", "50")


@given(st.lists(st.sampled_from(["a", "B", "OR", "AND", "NOT", "é2", "or", "日本"]), max_size=70))
def test_plain_queries_are_read_as_all_others_are(words: list[str]) -> None:
    text = " ".join(words)
    assert parse(text) == _Parser(TEXT_FIELDS, lambda _: "").parse(text)
