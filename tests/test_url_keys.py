from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.config import CrawlSettings
from gossamer.urls import PLAIN_KEYS, KeyRules, Resolver, from_href, parse

RULES = KeyRules.of(CrawlSettings())
SESSION = "4f1a0c9e7b2d4c6f8e0a1b3c5d7e9f01"


def same(one: str, other: str, rules: KeyRules = RULES) -> bool:
    return parse(one, rules).key == parse(other, rules).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/x?utm_source=news&utm_medium=mail", "http://a.example/x"),
        ("http://a.example/x?UTM_Source=news", "http://a.example/x"),
        ("http://a.example/x?a=1&gclid=2&b=3", "http://a.example/x?a=1&b=3"),
        ("http://a.example/x?fbclid", "http://a.example/x"),
        ("http://a.example/x?", "http://a.example/x"),
        ("http://a.example/x?a=1&", "http://a.example/x?a=1"),
        ("http://a.example/x?&a=1&&b=2", "http://a.example/x?a=1&b=2"),
        (f"http://a.example/x;jsessionid={SESSION}", "http://a.example/x"),
        (f"http://a.example/x;JSESSIONID={SESSION}.node1?a=1", "http://a.example/x?a=1"),
        (f"http://a.example/x;jsessionid={SESSION}/y", "http://a.example/x/y"),
        ("http://a.example/x;v=1;jsessionid=5", "http://a.example/x;v=1"),
        ("http://a.example/x?PHPSESSID=1", "http://a.example/x"),
        ("http://a.example/x?ASPSESSIONIDQABCDEFG=1", "http://a.example/x"),
        ("http://a.example/x?CFID=123&CFTOKEN=456&b", "http://a.example/x?b"),
        (f"http://a.example/x?sid={SESSION}", "http://a.example/x"),
        (f"http://a.example/x?session_id={SESSION}", "http://a.example/x"),
        ("http://a.example/x?sessionid=abc123def456", "http://a.example/x"),
        ("http://a.example/(S(lit3py55t21z5v55vlm25s55))/x.aspx", "http://a.example/x.aspx"),
        ("http://a.example/(X(1)S(lit3py55t21z5v55))/x", "http://a.example/x"),
        ("http://a.example/app/(S(lit3py55))", "http://a.example/app"),
        ("http://a.example/(S(lit3py55))", "http://a.example/"),
        ("http://a.example/index.html", "http://a.example/"),
        ("http://a.example/a/INDEX.HTM", "http://a.example/a/"),
        ("http://a.example/a/Default.aspx", "http://a.example/a/"),
        ("http://a.example/a/index.html?x=1", "http://a.example/a/?x=1"),
        ("http://a.example/a/index.php?", "http://a.example/a/"),
        (f"http://a.example/a/index.jsp;jsessionid={SESSION}", "http://a.example/a/"),
        ("http://a.example/%c3%a4", "http://a.example/%C3%A4"),
    ],
)
def test_addresses_that_are_the_same(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/x?a=1&b=2", "http://a.example/x?b=2&a=1"),
        ("http://a.example/x?utm=1", "http://a.example/x"),
        ("http://a.example/x?sid=1234", "http://a.example/x"),  # a story of a news site
        ("http://a.example/x?sid=1234", "http://a.example/x?sid=1235"),
        ("http://a.example/x?session_id=keynote", "http://a.example/x"),  # a talk
        ("http://a.example/x?session_id=17", "http://a.example/x?session_id=18"),
        ("http://a.example/x;v=1", "http://a.example/x;v=2"),
        ("http://a.example/(S)/x", "http://a.example/x"),
        ("http://a.example/(S(a b))/x", "http://a.example/x"),
        ("http://a.example/f(S(abc))/x", "http://a.example/f/x"),
        ("http://a.example/Salt_(S(abc))", "http://a.example/"),
        ("http://a.example/index.html/", "http://a.example/"),
        ("http://a.example/myindex.html", "http://a.example/"),
        ("http://a.example/index.html5", "http://a.example/"),
        ("http://a.example/a", "http://a.example/a/"),
        ("http://u;jsessionid=1@a.example/", "http://u@a.example/"),
        ("http://a.example/x?q=/index.html", "http://a.example/x?q=/"),
        ("http://a.example/?a;jsessionid=1", "http://a.example/?a"),
    ],
)
def test_addresses_that_are_not(one: str, other: str) -> None:
    assert not same(one, other)


@pytest.mark.parametrize(
    ("settings", "one", "other"),
    [
        ({"drop_parameters": ()}, "/x?utm_source=1", "/x"),
        ({"drop_session_ids": False}, f"/x;jsessionid={SESSION}", "/x"),
        ({"drop_session_ids": False}, f"/x?sid={SESSION}", "/x"),
        ({"drop_session_ids": False}, "/(S(abc))/x", "/x"),
        ({"drop_session_ids": False}, "/x?PHPSESSID=1", "/x"),
        ({"index_files": ()}, "/index.html", "/"),
    ],
)
def test_each_rule_can_be_switched_off(settings: dict[str, Any], one: str, other: str) -> None:
    rules = KeyRules.of(CrawlSettings(**settings))
    assert not same(f"http://a.example{one}", f"http://a.example{other}", rules)
    assert same(f"http://a.example{one}", f"http://a.example{other}")


@pytest.mark.parametrize(
    ("pattern", "dropped", "kept"),
    [
        ("ref", ["ref", "REF"], ["refs", "xref", ""]),
        ("ref*", ["ref", "refs"], ["xref"]),
        ("*ref", ["ref", "xref"], ["refs"]),
        ("a*b*c", ["abc", "a--b--c", "abbc", "abcbc"], ["acb", "ab", "bc"]),
        ("*x*", ["x", "axb"], ["ab"]),
        ("aa*aa", ["aaaa", "aaxaa"], ["aaa"]),
    ],
)
def test_stars_in_parameters(pattern: str, dropped: list[str], kept: list[str]) -> None:
    rules = KeyRules(drop_parameters=(pattern,))
    for name in dropped:
        assert same(f"http://a.example/?{name}=1&z", "http://a.example/?z", rules), name
    for name in kept:
        assert not same(f"http://a.example/?{name}=1&z", "http://a.example/?z", rules), name


def test_plain_keys_keep_all_that_could_matter() -> None:
    for path in ("x?utm_source=1", f"x;jsessionid={SESSION}", "index.html", "(S(abc))/"):
        assert not same(f"http://a.example/{path}", "http://a.example/", PLAIN_KEYS)
    assert same("http://a.example/x?", "http://a.example/x", PLAIN_KEYS)


def test_files_on_this_machine_are_themselves() -> None:
    keys = {from_href(f"file:///d/{name}", RULES).key for name in ("index.html", "index.htm", "")}
    assert len(keys) == 3


def test_rules_are_values() -> None:
    assert KeyRules.of(CrawlSettings()) == RULES != PLAIN_KEYS
    assert hash(KeyRules.of(CrawlSettings())) == hash(RULES)


def test_a_resolver_makes_the_keys_of_its_run() -> None:
    page = Resolver(rules=RULES).page("http://a.example/dir/")
    for text in ("/x?utm_source=1", "http://a.example/x?gclid=2", "../x"):
        for _ in range(2):  # remembered ones as well
            url = page.resolve(text)
            assert url is not None
            assert url.key == parse("http://a.example/x", RULES).key


PIECES = st.sampled_from(
    [
        *(
            "/",
            "a",
            "index.html",
            "Index.html",
            "default.asp",
            ";",
            "jsessionid=",
            "sid=",
            "=",
            "&",
        ),
        *("?", "utm_x", "(S(", "(S(abc))", "))", "A(1)", SESSION, "%", "%2f", "%zz", ".", "*", "ä"),
        *("PHPSESSID", "(", ")", "~", "+", " ", "b=1", "&&", ";jsessionid=1", "/(S(a))"),
    ]
)
PATHS = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=20))
RULE_SETS = st.builds(
    KeyRules,
    drop_parameters=st.lists(
        st.sampled_from(["utm_*", "*", "a*b", "sid", "", "**"]), max_size=3
    ).map(tuple),
    drop_session_ids=st.booleans(),
    index_files=st.lists(
        st.sampled_from(["index.html", "a", "", "a/b", "b/", ";", "(S(a))"]), max_size=3
    ).map(tuple),
)


@settings(deadline=None, max_examples=500)
@given(PATHS, RULE_SETS)
@example("(S(abc));jsessionid=1", RULES)
@example("index.html;jsessionid=1", RULES)
@example("(S(abc))/(S(abc))/index.html?utm_x=1&", RULES)
def test_rules_change_keys_alone_and_once(path: str, rules: KeyRules) -> None:
    url = parse(f"http://a.example/{path}", rules)
    assert url.href == parse(f"http://a.example/{path}").href
    text = rules.text(url.href)
    assert rules.text(text) == text
    assert text.startswith("http://a.example/")
    assert from_href(text, rules).key == url.key


def test_no_name_takes_long() -> None:
    rules = KeyRules(drop_parameters=("*a*a*a*a*a*a*a*a*b",))
    href = "http://a.example/?" + "&".join("a" * 1_000 + str(at) for at in range(50))
    assert rules.text(href) == href
