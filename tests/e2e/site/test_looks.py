"""Every page at both widths and in both themes: nothing sticks out, nothing serious to axe."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.site.browsing import NARROW, WIDE, SampleSite
from tests.e2e.site.conftest import Open
from tests.e2e.site.test_accounts import log_in
from tests.server.sites import ServedSite

PAGES = {
    "start": "/",
    "results": "/search?q=moon",
    "corrected": "/search?q=lighthuse&filter=lang:en",
    "explained": "/search?q=moon+phases&explain=true",
    "cards": "/search?q=telescope&index=shop",
    "table": "/search?q=telescope&index=shop&view=table&sort=-price",
    "list of documents": "/search?q=telescope&index=shop&view=list",
    "nothing typed": "/search?q=",
    "nothing found": "/search?q=xyzzyplugh&filter=lang:en",
    "a very long word": f"/search?q={'lighthouse' * 12}",
    "stored copy": "/cached?url=http%3A%2F%2Flantern.example%2Fwiki%2FMoon",
    "login": "/login",
    "not there": "/nothing",
    "invalid": "/search?q=moon&page=0",
    "account": "/account",
    "home": "/home",
    "people": "/people",
    "changes": "/audit",
    "searches": "/queries",
}
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.parametrize(("width", "scheme"), [(NARROW, "dark"), (WIDE, "light")])
def test_every_page(open_page: Open, width: int, scheme: str) -> None:
    page = open_page("/login", width=width, color_scheme=scheme)
    found = {}
    for name, path in PAGES.items():
        go(page, path)
        if name == "account":
            log_in(open_login(page), name="keeper")
            page.wait_for_url("**/home")
            go(page, path)
        problems = complaints(page)
        if problems:
            found[name] = problems
    assert found == {}


def go(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("[data-panel]:empty")).to_have_count(0)


def open_login(page: Page) -> Page:
    page.goto("/login")
    return page


def complaints(page: Page) -> list[str]:
    """What axe finds serious, and whatever is wider than the window."""
    violations = Axe().run(page).response["violations"]
    serious = [
        f"{one['id']}: {node['html']}"
        for one in violations
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
    too_wide = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return serious + ([f"{too_wide} px too wide"] if too_wide > 0 else [])


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_what_opens_is_sound_too(open_page: Open, width: int) -> None:
    page = open_page("/search?q=moon", width=width)
    page.locator(".why summary").first.click()
    expect(page.locator(".bars")).to_have_count(1)
    page.locator(".options summary").click()
    assert complaints(page) == []
    page.goto("/")
    page.locator("#q").press_sequentially("ligh")
    expect(page.get_by_role("option").first).to_be_visible()
    assert complaints(page) == []


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_a_site_without_an_index(open_page: Open, tmp_path: Path, width: int) -> None:
    with ServedSite(tmp_path / "home") as empty:
        page = open_page(f"{empty.address}/", width=width)
        assert complaints(page) == []
        to_type = page.locator("pre")
        lines = to_type.inner_text().splitlines()
        assert [line.split()[1] for line in lines] == ["crawl", "index"]
        box = to_type.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= width - box["width"]


def test_the_invitation(site: SampleSite, open_page: Open) -> None:
    page = open_page(site.set_password.removeprefix(site.address), width=NARROW)
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose a password")
    assert complaints(page) == []


def test_themes(open_page: Open) -> None:
    dark = open_page("/", color_scheme="dark").evaluate(BACKGROUND)
    page = open_page("/", color_scheme="light")
    light = page.evaluate(BACKGROUND)
    assert light != dark
    page.get_by_role("button", name="Dark colours").click()
    assert page.evaluate(BACKGROUND) == dark
    page.goto("/search?q=moon")
    assert page.evaluate(BACKGROUND) == dark  # it is remembered
    page.get_by_role("button", name="Light colours").click()
    assert page.evaluate(BACKGROUND) == light


def test_results_do_not_jump(open_page: Open) -> None:
    """Panels and pictures come later, and take room that was kept for them."""
    page = open_page("about:blank")
    page.add_init_script(
        "window.shift = 0;"
        "new PerformanceObserver((list) => {"
        "  for (const entry of list.getEntries()) window.shift += entry.value;"
        "}).observe({ type: 'layout-shift', buffered: true });"
    )
    for path in ("/search?q=moon", "/search?q=buy+a+tent", "/search?q=telescope&index=shop"):
        page.goto(path, wait_until="networkidle")
        assert page.evaluate("window.shift") < 0.01, path


def test_the_keyboard_goes_everywhere_visibly(open_page: Open) -> None:
    page = open_page("/search?q=moon")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="To the content")).to_be_focused()
    seen = set()
    for _ in range(25):
        page.keyboard.press("Tab")
        where, outlined = page.evaluate(
            "(() => { const at = document.activeElement; const box = at.closest('.box');"
            " const style = getComputedStyle(at);"
            " const ring = style.outlineStyle !== 'none' || (box && getComputedStyle(box).boxShadow"
            " !== 'none'); return [at.textContent.trim() || at.name, ring]; })()"
        )
        assert outlined, where
        seen.add(where)
    assert {"q", "Moon - Lantern", "Stored copy"} <= seen
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
