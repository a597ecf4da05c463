"""The sample web behind the results: the site was started on its own, after the demo had ended."""

import re

from playwright.sync_api import expect

from tests.e2e.site.conftest import Open


def test_a_result_leads_to_its_page(open_page: Open) -> None:
    page = open_page("/search?q=moon+phases")
    page.locator(".result h2 a").first.click()
    expect(page).to_have_title(re.compile("^Moon"))
    expect(page).to_have_url(re.compile(r"^http://lantern\.localhost:\d+/wiki/Moon$"))


def test_products_have_pictures_and_pages(open_page: Open) -> None:
    page = open_page("/search?q=lantern&index=shop")
    picture = page.locator(".card img").first
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 50
    page.locator(".card h2 a").first.click()
    expect(page).to_have_url(re.compile(r"^http://wrenandoak\.localhost:\d+/"))
    expect(page.locator("h1")).not_to_be_empty()
