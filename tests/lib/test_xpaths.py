import pytest

from gossamer.lib.xpaths import compiled


@pytest.mark.parametrize("right", ["//a", "//div[@id='x']//a/@href", "id('main')", "//a | //b"])
def test_what_selects_something(right: str) -> None:
    assert callable(compiled(right))


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("", "no XPath"),
        ("//a[", "no XPath"),
        ("//x:a", "prefix"),
        ("unheard-of()", "function"),
        ("\0", "no XPath"),
        ("count(//a)", "computes a value"),
        ("'text'", "computes a value"),
        ("1 = 1", "computes a value"),
    ],
)
def test_what_does_not(wrong: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        compiled(wrong)
