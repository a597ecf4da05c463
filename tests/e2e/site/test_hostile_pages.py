"""Pages and documents that mean harm, in a browser that would run what they bring."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, Playwright, expect

from tests.e2e.site.browsing import browser
from tests.server.conftest import SCRIPT
from tests.server.sites import ServedSite

NO_WEB = 9  # nobody listens there: what such pages would load is not to be had

WALK = [
    "/",
    "/login",
    "/search?q=moon&index=web&explain=true",
    *(
        f"/search?q={query}&index=goods&view={view}&explain=true"
        for query in ("kite", "lantern", "children")
        for view in ("list", "cards", "table")
    ),
    "/search?q=%3Cscript%3Ealert(1)%3C/script%3E",
    "/search?q=%22%3E%3Cimg+src%3Dx+onerror%3Dalert(1)%3E&filter=brand:%3Cscript%3E&index=goods",
    "/search?q=buy+kite&index=web",
    "/%3Cscript%3Ealert(1)%3C/script%3E",
]


@pytest.fixture(scope="module")
def hostile_site(built_home: Path) -> Iterator[ServedSite]:
    options = ("--default-index", "web", "--shop-index", "goods")
    with ServedSite(built_home, *options) as served:
        yield served


@pytest.fixture(scope="module")
def own_chromium(playwright: Playwright) -> Iterator[Browser]:
    with browser(playwright, NO_WEB) as launched:
        yield launched


@pytest.fixture
def watched(own_chromium: Browser, hostile_site: ServedSite) -> Iterator[Page]:
    """A page in which nothing of a stranger has run at the end of the test."""
    context = own_chromium.new_context(base_url=hostile_site.address)
    page = context.new_page()
    alarms: list[str] = []

    def refuse(dialog: Dialog) -> None:
        alarms.append(dialog.message)
        dialog.dismiss()

    context.on("dialog", refuse)
    page.on("console", lambda said: alarms.append(said.text) if "inline" in said.text else None)
    yield page
    context.close()
    assert alarms == []


def test_nothing_runs_anywhere(watched: Page) -> None:
    shown = 0
    for path in WALK:
        watched.goto(path)
        expect(watched.locator("[data-panel]:empty")).to_have_count(0)
        shown += watched.get_by_text(SCRIPT).count()
        for link in watched.locator("a, form").all():
            for name in ("href", "action"):
                target = (link.get_attribute(name) or "").strip().lower()
                assert not target.startswith(("javascript:", "data:")), path
        assert watched.locator("main script, main [onerror], main [onload]").count() == 0
    assert shown > len(WALK) / 2  # as text it is there


def test_a_harmful_address_is_text(watched: Page) -> None:
    watched.goto("/search?q=lantern&index=goods&view=cards")
    card = watched.locator(".card").first
    expect(card.locator("h2")).to_have_text(f"lantern {SCRIPT}")
    expect(card.locator("h2 a")).to_have_count(0)
    expect(card.locator("img")).to_have_count(0)


def test_scripts_of_a_stored_copy_do_not_run(watched: Page) -> None:
    watched.goto("/search?q=moon+shines&index=web")
    watched.get_by_role("link", name="Stored copy").first.click()
    inside = watched.frame_locator("iframe.cached")
    expect(inside.locator("body")).to_contain_text("shines over the lighthouse")


def test_no_copy_is_offered_where_a_page_asks_for_that(watched: Page) -> None:
    watched.goto("/search?q=may+not+be+kept&index=web")
    result = watched.locator(".result").filter(has_text="No copy")
    expect(result).to_have_count(1)
    expect(result.get_by_role("link", name="Stored copy")).to_have_count(0)
