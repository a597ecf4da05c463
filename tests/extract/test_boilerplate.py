import pytest
from hypothesis import given, settings

from gossamer.records import PageContent
from tests.extract.test_html import MARKUP, processed, seconds_for

SENTENCE = "The harbour was built in 1874, and most of its piers are still in use today. "
PARAGRAPH = SENTENCE * 4
OTHER = "Nobody knows how the old lighthouse came to be painted in these colours. " * 4
ARTICLE = f"<p>{PARAGRAPH}</p><p>{OTHER}</p>"
MENU = "<ul>" + "".join(f"<li><a href=/{n}>Section {n}</a></li>" for n in range(20)) + "</ul>"


def content_of(content: PageContent) -> list[str]:
    lines = content.text.split("\n")
    return [line for line, flag in zip(lines, content.main, strict=True) if flag == "1"]


def content(html: str) -> list[str]:
    return content_of(processed(html))


def flagged(html: str) -> dict[str, bool]:
    return {link.anchor: link.boilerplate for link in processed(html).links}


TEXT = [PARAGRAPH.strip(), OTHER.strip()]


def test_the_title_is_content_and_navigation_is_not() -> None:
    page = processed(f"<title>Harbours</title><nav>menu</nav>{ARTICLE}<footer>foot</footer>")
    assert page.classes == "tnppn"
    assert page.main == "10110"


def test_an_empty_page() -> None:
    assert processed("").main == ""
    assert processed("<nav>only a menu</nav>").main == "0"
    assert processed("<title>t</title>").main == "1"


@pytest.mark.parametrize(
    "around",
    [
        "{menu}{article}{menu}",
        "<div>{menu}</div><div><div>{article}</div></div><div>{menu}</div>",
        "<table><tr><td>{menu}<td>{article}<td>{menu}</table>",
        "<div class=sidebar><p>{other}</p></div><div>{article}</div>",
        "<div>{article}</div><div id=site-footer><p>{other}</p></div>",
        "<div class=x><div class='cookie-banner'><p>{other}</p></div>{article}</div>",
        "<div>{article}</div><div class=comments><p>{other}</p><p>{other}</p><p>{other}</p></div>",
        "<main>{article}</main><div><p>{other}</p></div>",
        "<p>{other}</p><article>{article}</article><p>{other}</p>",
        "<p>{other}</p><div class='entry-content'>{article}</div><p>{other}</p>",
        "<p>{other}</p><div itemprop=articleBody>{article}</div>",
        "<form id=everything>{menu}{article}</form>",
        "<div class='sidebar-right'><div>{menu}</div><div>{article}</div></div>",
        "<div class='date-outer'>{article}</div>",
        "{article}<h3>Related</h3><ul><li><a href=/x>one</a><li><a href=/y>two</a></ul>",
        "{article}<p>Share this</p><p>Advertisement</p><p><a href=/x>Read on elsewhere</a></p>",
        "{article}<div>© 2020 Somebody. All rights reserved.</div>",
    ],
)
def test_the_article_is_found(around: str) -> None:
    other = "A sentence of some length that belongs to something else on the same page. " * 2
    assert content(around.format(menu=MENU, article=ARTICLE, other=other)) == TEXT


@pytest.mark.parametrize(
    "inside",
    [
        "<h2>A heading</h2>",
        "<ul><li>200 g flour</li><li>2 eggs</li></ul>",
        "<pre>make install</pre>",
        "<blockquote>He said so.</blockquote>",
        "<p>It was.</p>",
        "<table><tr><td>Height</td><td>48 metres</td></tr></table>",
        "<ul><li>flour<li><a href=/eggs>eggs</a><li>salt</ul>",
        "<h2>A heading</h2><p>Advertisement</p>",
    ],
)
def test_what_is_in_an_article_is_content(inside: str) -> None:
    found = content(f"{MENU}<article><p>{PARAGRAPH}</p>{inside}<p>{OTHER}</p></article>{MENU}")
    labels = ("Advertisement",)
    expected = [line for line in processed(inside).text.split("\n") if line not in labels]
    assert found == [TEXT[0], *expected, TEXT[1]]


@pytest.mark.parametrize(
    "inside",
    [
        "<p>Advertisement</p>",
        "<aside><p>A quotation from somewhere.</p></aside>",
        "<p><a href=/x>READ MORE: something quite different</a></p>",
        "<h4>Related</h4><ul><li><a href=/x>one</a><li><a href=/y>two</a></ul>",
        "<div class=newsletter-signup><p>Sign up for our letter, it costs nothing.</p></div>",
        "<div class='share-buttons'>Tell your friends</div>",
    ],
)
def test_boilerplate_in_an_article_is_none(inside: str) -> None:
    assert content(f"<article><p>{PARAGRAPH}</p>{inside}<p>{OTHER}</p></article>") == TEXT


def test_the_title_above_the_text_and_the_lead_belong_to_it() -> None:
    html = (
        f"{MENU}<h1>The harbour</h1><p>By Somebody</p><p>It is older than the town.</p>"
        f"<div class=article-body>{ARTICLE}</div>"
    )
    assert content(html) == ["The harbour", "It is older than the town.", *TEXT]


def test_teasers_of_other_articles_are_boilerplate() -> None:
    cards = "".join(
        f"<div><h3><a href=/{n}>Story {n}</a></h3><p>{SENTENCE}</p></div>" for n in range(4)
    )
    assert content(f"{ARTICLE}{ARTICLE}<div>{cards}</div>") == TEXT * 2
    # but where there is nothing else, they are what the page says
    assert content(f"<div>{cards}</div>").count(SENTENCE.strip()) == 4


def test_comments_without_a_name_end_the_content() -> None:
    comments = "".join(f"<p>Somebody</p><p>3 May 2021</p><p>{SENTENCE}</p>" for _ in range(9))
    assert content(f"{ARTICLE}<h3>9 comments</h3>{comments}") == TEXT
    # of a manual, this is a chapter
    assert content(f"{ARTICLE}<h3>Comments</h3><p>{OTHER}</p>")[2:] == ["Comments", OTHER.strip()]


def test_a_discussion_is_content_where_there_is_nothing_else() -> None:
    posts = "".join(f"<div class=comment><p>{SENTENCE}</p></div>" for _ in range(9))
    assert content(f"{MENU}<div class=comments>{posts}</div>") == [SENTENCE.strip()] * 9


def test_a_page_of_links_and_one_of_short_lines() -> None:
    assert len(content(MENU)) == 20
    verses = "<br>".join(["Over the hills and far away"] * 12)
    assert content(f"<nav>{MENU}</nav><div>{verses}</div>") == ["Over the hills and far away"] * 12


def test_a_script_without_spaces() -> None:
    sentence = "昨天下午，市政府召开新闻发布会，介绍了老城区改造工程的最新进展。"
    menu = " | ".join(f"<a href=/{n}>新闻</a>" for n in range(12))
    html = f"<div>{menu}</div><div><p>{sentence}</p><p>{sentence}</p><p>{sentence}</p></div>"
    assert content(f"{html}<div>{menu}</div>") == [sentence] * 3


def test_links_are_flagged_by_the_line_that_they_stand_in() -> None:
    assert flagged(
        f"<div><a href=/logo><img alt=logo></a></div>{MENU}<article><h1>About harbours</h1>"
        f"<p>{SENTENCE * 2} See <a href=/pier>the pier</a>. {SENTENCE}</p>{ARTICLE}</article>"
        f"<p><a href=/about>About us</a> <a href=/contact>Contact</a></p><iframe src=/f></iframe>"
    ) == {
        **dict.fromkeys(["logo", *(f"Section {n}" for n in range(20))], True),
        **dict.fromkeys(["About us", "Contact"], True),
        **dict.fromkeys(["the pier", ""], False),
    }


def test_a_link_that_stands_in_the_content_too_is_content() -> None:
    html = f"{MENU}<article>{ARTICLE}<p>{SENTENCE * 2}<a href=/3>Section 3</a>.</p></article>"
    links = flagged(html)
    assert not links["Section 3"]
    assert links["Section 4"]


def test_links_around_several_blocks() -> None:
    card = f"<a href=/x><div>Another story</div><div>{SENTENCE}</div></a>"
    assert content(f"{ARTICLE}<div>{card}{card}{card}</div>") == TEXT


def test_links_that_are_not_in_the_text_or_have_marks_of_their_own() -> None:
    html = f"<video><a href=/v>fallback</a></video>{MENU}<article>{ARTICLE}</article>"
    links = {link.url.href.rpartition("/")[2]: link.boilerplate for link in processed(html).links}
    assert links["v"] is False
    assert links["3"] is True
    assert content(f"<p>\x02</p>{MENU}<article>{ARTICLE}</article>") == TEXT


def test_an_element_that_is_no_link_makes_no_links_of_its_text() -> None:
    assert content(f"{MENU}<a name=top><p>{PARAGRAPH}</p><p>{OTHER}</p></a>{MENU}") == TEXT


@given(MARKUP)
@settings(max_examples=200)
def test_every_line_is_either_content_or_boilerplate(html: str) -> None:
    page = processed(html)
    assert len(page.main) == len(page.classes)
    assert set(page.main) <= {"0", "1"}
    for letter, flag in zip(page.classes, page.main, strict=True):
        assert letter != "n" or flag == "0"
        assert letter != "t" or flag == "1"


# --- hostile pages: CPU seconds, with room for a slow machine ---


@pytest.mark.parametrize(
    "html",
    [
        "<h2>x</h2>" * 100_000,
        "<h2><a href=x>x</a></h2><p>It is one.</p>" * 30_000,
        "<div class=share>x</div><div>y</div>" * 40_000,
        "<article>x</article><div>y</div>" * 40_000,
        "<h2>Comments</h2><p>" + SENTENCE + "</p>" * 20_000,
        ("<h2>Comments</h2><p>" + SENTENCE + "</p>") * 10_000,
        "<p>" + "<a href=x>y</a>" * 100_000,
        "<a href=x>" + "<div>y</div>" * 100_000 + "</a>",
        ("<a href=x>" + "<p>word</p>" * 30 + "</a>") * 3_000,
        "<p class='" + "share-" * 100_000 + "'>x",
        "".join(f"<div class='a{n} b{n}' id=c{n}>x</div>" for n in range(40_000)),
        "<p>x</p><ul><li><a href=x>y</a></ul>" * 30_000,
        "<h3>Share</h3><p><a href=x>y</a></p>" * 30_000,
    ],
    ids=lambda html: html[:24],
)
def test_hostile_pages_take_no_quadratic_time(html: str) -> None:
    assert seconds_for(html) < 6
