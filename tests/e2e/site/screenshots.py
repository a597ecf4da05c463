"""`make screenshots`: the main pages of the search site over the sample web, as small pictures.

python -m tests.e2e.site.screenshots [FOLDER] makes all pages, at both widths and in both themes.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.e2e.site.browsing import NARROW, WIDE, SampleSite, browser, chromium_path, sample_site
from tests.e2e.site.test_accounts import log_in

_SHOWN = Path("docs/screenshots")
_HEIGHTS = {WIDE: 900, NARROW: 740}


Theme = Literal["light", "dark"]


class Shot(NamedTuple):
    name: str
    path: str
    types: str = ""  # into the box
    opens: str = ""  # what is clicked
    logs_in: bool = False  # as the administrator


SHOTS = (
    Shot("start", "/"),
    Shot("suggestions", "/", types="lighth"),
    Shot("results", "/search?q=moon"),
    Shot("explained", "/search?q=lighthouse", opens=".why summary"),
    Shot("corrected", "/search?q=lighthuse"),
    Shot("options", "/search?q=moon", opens=".options summary"),
    Shot("shopping", "/search?q=buy+a+tent"),
    Shot("cards", "/search?q=telescope&index=shop"),
    Shot("table", "/search?q=telescope&index=shop&view=table&sort=-price"),
    Shot("dropped", "/search?q=lantern&index=shop&filter=site:lantern.example&filter=year:2023"),
    Shot("narrowed", "/search?q=moon&filter=site:wrenandoak.example", opens=".toggle"),
    Shot("filters", "/search?q=university", opens=".toggle"),
    Shot("nothing", "/search?q=xyzzyplugh&filter=lang:en"),
    Shot("copy", "/cached?url=http%3A%2F%2Flantern.example%2Fwiki%2FMoon"),
    Shot("login", "/login"),
    Shot("error", "/nothing"),
    Shot("home", "/home", logs_in=True),
    Shot("account", "/account", logs_in=True),
    Shot("people", "/people", logs_in=True),
    Shot("changes", "/audit", logs_in=True),
    Shot("searches", "/queries", logs_in=True),
)
MAIN: tuple[tuple[str, int, Theme], ...] = (
    ("explained", 1_280, "light"),
    ("cards", 1_280, "dark"),
    ("results", NARROW, "light"),
)
"""Those that stand in the README: name, width, theme."""


def take(
    launched: Browser, site: SampleSite, shot: Shot, width: int, theme: Theme, to: Path
) -> None:
    size = ViewportSize(width=width, height=_HEIGHTS.get(width, 760))
    context = launched.new_context(viewport=size, base_url=site.address, color_scheme=theme)
    page = context.new_page()
    if shot.logs_in:
        page.goto("/login")
        log_in(page, name="keeper")
    page.goto(shot.path)
    page.goto(shot.path)  # the first answer of a fresh server is no measure of it
    _prepare(page, shot)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=to)
    context.close()


def _prepare(page: Page, shot: Shot) -> None:
    expect(page.locator("[data-panel]:empty")).to_have_count(0)
    if shot.types:
        page.locator("#q").press_sequentially(shot.types)
        expect(page.get_by_role("option").first).to_be_visible()
    if shot.opens:
        page.locator(shot.opens).first.click()
    if "why" in shot.opens:
        expect(page.locator(".bars")).to_have_count(1)


def main() -> None:
    if not chromium_path():
        sys.exit("There is no Chromium here: sudo apt-get install chromium")
    by_name = {shot.name: shot for shot in SHOTS}
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _SHOWN
    folder.mkdir(parents=True, exist_ok=True)
    themes: tuple[Theme, ...] = ("light", "dark")
    every = [(name, width, theme) for name in by_name for width in _HEIGHTS for theme in themes]
    wanted = every if len(sys.argv) > 1 else MAIN
    with (
        TemporaryDirectory() as made,
        sample_site(Path(made)) as site,
        sync_playwright() as playwright,
        browser(playwright, site.web_port) as launched,
    ):
        for name, width, theme in wanted:
            to = folder / f"{name}-{width}-{theme}.png"
            take(launched, site, by_name[name], width, theme, to)
            print(to)


if __name__ == "__main__":
    main()
