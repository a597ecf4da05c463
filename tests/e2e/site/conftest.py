from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, ViewportSize, sync_playwright

from tests.e2e.site.browsing import NARROW, WIDE, SampleSite, browser, chromium_path, sample_site
from tests.server.conftest import built_home  # noqa: F401 - a fixture

Open = Callable[..., Page]


@pytest.fixture(scope="package")
def playwright(built_home: Path) -> Iterator[Playwright]:  # noqa: F811
    """Its event loop is this thread's own until it ends: no other can run here in the meantime. So
    the hostile pages are crawled before it begins, and it ends with the tests of this folder."""
    assert built_home.exists()
    if not chromium_path():
        pytest.skip("There is no Chromium here: sudo apt-get install chromium")
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def site(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleSite]:
    with sample_site(tmp_path_factory.mktemp("sample")) as served:
        yield served


@pytest.fixture(scope="package")
def chromium(playwright: Playwright, site: SampleSite) -> Iterator[Browser]:
    with browser(playwright, site.web_port) as launched:
        yield launched


@pytest.fixture
def open_page(site: SampleSite, chromium: Browser) -> Iterator[Open]:
    """Opens an address in a browser of its own (no cookies). Errors in the page's own scripts, and
    whatever its policy had to stop, fail the test."""
    contexts = []
    complaints: list[str] = []

    def open_page(path: str, *, width: int = WIDE, **options: Any) -> Page:
        size = ViewportSize(width=width, height=800)
        context = chromium.new_context(
            viewport=size, base_url=site.address, has_touch=width == NARROW, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if _is_bad(said) else None)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def _is_bad(said: Any) -> bool:
    """A page that is not there, or a picture, is no fault of a script. Neither is what the sandbox
    of a stored copy keeps out."""
    if said.type != "error" or "Failed to load resource" in said.text:
        return False
    return "/cached/frame" not in said.location.get("url", "")
