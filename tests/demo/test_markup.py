"""From Markdown to HTML and to plain text."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.demo.markup import ARTICLE, named_things, render, summary_of
from gossamer.demo.reading import read_articles, read_threads


def _address(kind: str, name: str) -> str:
    return f"/{kind}/{name}"


def test_links_are_resolved_by_kind_and_name() -> None:
    made = render("See [[Black hole]], [[Moon|moons]] and [this *story*](news:a-b).", _address)
    assert made.html == (
        '<p>See <a href="/article/Black hole">Black hole</a>, <a href="/article/Moon">moons</a> '
        'and <a href="/news/a-b">this <em>story</em></a>.</p>'
    )
    assert made.text == "See Black hole, moons and this story."


def test_code_is_left_alone() -> None:
    source = "Try `[[x]]`:\n\n```\n# [[ -f a ]] && echo <b>\n```\n"
    made = render(source, _address)
    assert "<a" not in made.html
    assert "&lt;b&gt;" in made.html
    assert made.text == "Try [[x]]:\n# [[ -f a ]] && echo <b>"
    assert list(named_things(source + "[[Moon]]")) == [(ARTICLE, "Moon")]


def test_blocks_become_lines() -> None:
    made = render(
        "One\ntwo.\n\n## A heading\n- x\n- y\n\n| a | b |\n|---|---|\n| 1 | 2 |", _address
    )
    assert made.text.splitlines() == ["One two.", "A heading", "x", "y", "a", "b", "1", "2"]
    assert made.headings == (("a-heading", "A heading"),)
    assert '<h2 id="a-heading">' in made.html
    assert "<td>1</td>" in made.html


@given(st.text(st.sampled_from('a[]|()<>&*_`#-\n !\\":./'), max_size=60))
def test_no_text_becomes_an_element_of_its_own(source: str) -> None:
    html = render(source, _address).html
    assert "<a>" not in html
    assert "<b" not in html.replace("<blockquote", "").replace("<br", "")


@given(st.text(max_size=400), st.integers(20, 200))
def test_summary_is_not_too_long(text: str, length: int) -> None:
    assert len(summary_of(text, length)) <= length


def test_entries_are_told_apart_from_comments_in_code() -> None:
    threads = {thread.slug: thread for thread in read_threads()}
    assert len(threads["python-read-large-csv"].posts) == 5
    assert all(article.categories and article.body for article in read_articles())
    assert all(len(thread.posts) > 1 for thread in threads.values())
