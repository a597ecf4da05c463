"""The package whose list it reads is the measure of what the rules mean."""

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st
from publicsuffixlist import PSLFILE, PublicSuffixList

from gossamer.lib.public_suffixes import PublicSuffixes

OURS = PublicSuffixes()
THEIRS = PublicSuffixList()

_LIST = """\
// A comment, and an empty line

com
*.kobe.jp
!city.kobe.jp
*.公司.cn
!a.公司.cn
co.uk // until the first space
"""


def test_every_rule_of_the_list() -> None:
    with open(PSLFILE, encoding="utf-8") as lines:  # noqa: PTH123
        rules = [line.strip() for line in lines if line.strip() and not line.startswith("//")]
    assert len(rules) > 9_000
    for rule in rules:
        plain = rule.removeprefix("!").removeprefix("*.")
        suffix = str(ada_url.idna_to_ascii(plain), "ascii")
        for name in (suffix, f"a.{suffix}", f"b.a.{suffix}", f"c.b.a.{suffix}"):
            assert OURS.registrable(name) == THEIRS.privatesuffix(name), name


_LABELS = st.sampled_from(
    ["com", "jp", "kobe", "city", "uk", "co", "ck", "www", "zz", "X", "", "*"]
)


@given(st.lists(_LABELS, min_size=1, max_size=9).map(".".join))
def test_names_of_all_kinds(name: str) -> None:
    assert OURS.registrable(name) == (THEIRS.privatesuffix(name) if name[-1:] != "." else None)


@pytest.mark.parametrize(
    ("name", "registrable"),
    [
        ("com", None),
        ("a.com", "a.com"),
        ("b.a.com", "a.com"),
        ("kobe.jp", None),
        ("x.kobe.jp", None),
        ("y.x.kobe.jp", "y.x.kobe.jp"),
        ("city.kobe.jp", "city.kobe.jp"),
        ("www.city.kobe.jp", "city.kobe.jp"),
        ("b.xn--55qx5d.cn", None),
        ("c.b.xn--55qx5d.cn", "c.b.xn--55qx5d.cn"),
        ("a.xn--55qx5d.cn", "a.xn--55qx5d.cn"),
        ("a.co.uk", "a.co.uk"),
        ("a.b.unheard-of", "b.unheard-of"),
        ("a..com", None),
        ("", None),
    ],
)
def test_a_list_of_ones_own(name: str, registrable: str | None) -> None:
    assert PublicSuffixes(_LIST).registrable(name) == registrable


def test_what_the_list_names() -> None:
    suffixes = PublicSuffixes()
    assert all(map(suffixes.lists, ["org", "ORG", "co.uk", "рф", "xn--p1ai"]))
    assert not any(map(suffixes.lists, ["js", "example.org", ""]))
