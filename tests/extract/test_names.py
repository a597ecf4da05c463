import pytest

from gossamer.extract import names
from gossamer.extract.names import Names, said_by


@pytest.mark.parametrize(
    ("hint", "examples"),
    [
        (
            names.BOILERPLATE,
            "sidebar|primary-sidebar|side-bar|siteFooter|footer-links|top-ad|ad-slot|ads|breadcrumbs"
            "|cookie-notice|share-buttons|post__share|entry-meta|post-date|related_posts|widget"
            "|MainNavigation|nav|navbar-nav|social|sr-only|tags|toc|newsletter-signup|author-box"
            "|page-footer|td-post-sharing-top|js-share|gem-c-cookie-banner|sphinxsidebar sidebar",
        ),
        (
            names.BODY,
            "entry-content|post_content|article-body|articleBody|story-body__inner|storytext"
            "|td-post-content|b-topic__content|prose|markdown-body|field-name-body|blog-item-content"
            "|elementor-widget-theme-post-content|ue-l-article__body|article-body-blocks",
        ),
        (names.COMMENTS, "comments|comment-list|kommentare|comments-area|disqus_thread|respond"),
        (names.ARTICLE, "post|hentry|story|post type-post status-publish tag-sidebar"),
        (names.MAIN, "content|main|main-content|mainContent|primary|page-content"),
        (names.HEADER, "header|site-header|header-inner"),
        (
            names.NOTHING,
            "|wrapper|row|date-outer|has-sidebar|layout-with-sidebar|content-sidebar-wrap"
            "|widget Blog|no-sidebar|entry-header|article-header|page-header|css-1ads2"
            "|category-advertising|post sponsored|elementor-widget|elementor-widget-container"
            "|pg-side-of-rail|42|article-content-right|broad-band",
        ),
    ],
)
def test_names(hint: str, examples: str) -> None:
    for example in examples.split("|"):
        assert (example, said_by(example)) == (example, hint)


def test_attributes() -> None:
    known = Names()
    assert known.hint({"class": "x", "id": "footer"}) == names.BOILERPLATE
    assert known.hint({"class": "share", "id": None}) == names.BOILERPLATE
    assert known.hint({"role": "navigation", "class": "entry-content"}) == names.NAVIGATION
    assert known.hint({"role": "main"}) == names.MAIN
    assert known.hint({"itemprop": "articleBody", "class": "x1"}) == names.BODY
    assert known.hint({"style": "color: red"}) == names.NOTHING
    assert known.hint({"class": "sidebar " * 1_000}) == names.NOTHING


def test_what_it_remembers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_CAPACITY", 50)
    known = Names()
    for number in range(1_000):
        assert known.hint({"class": f"share x{number}"}) == names.BOILERPLATE
    assert len(known._known) <= 50
