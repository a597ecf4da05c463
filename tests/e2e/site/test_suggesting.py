"""Suggestions while typing: by keyboard, by touch, and as a screen reader hears of them."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.site.browsing import NARROW
from tests.e2e.site.conftest import Open


def typed(page: Page, text: str) -> None:
    page.locator("#q").press_sequentially(text)
    expect(page.get_by_role("option").first).to_be_visible()


def test_by_keyboard(open_page: Open) -> None:
    page = open_page("/")
    box = page.get_by_role("combobox")
    expect(box).to_have_attribute("aria-expanded", "false")
    typed(page, "lightho")
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("status")).to_have_text(re.compile(r"\d+ suggestions?"))
    page.keyboard.press("ArrowDown")
    first = page.get_by_role("option").first
    expect(first).to_have_attribute("aria-selected", "true")
    chosen = first.inner_text()
    expect(box).to_have_attribute("aria-activedescendant", first.get_attribute("id") or "")
    expect(box).to_have_value(chosen)
    page.keyboard.press("ArrowUp")
    expect(box).to_have_value("lightho")  # what was typed lies before the first
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/search"))
    expect(page.locator("#q")).to_have_value(chosen)


def test_escape_gives_back_what_was_typed(open_page: Open) -> None:
    page = open_page("/")
    typed(page, "moo")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(page.locator("#q")).to_have_value("moo")


def test_by_touch(open_page: Open) -> None:
    page = open_page("/", width=NARROW)
    typed(page, "moo")
    second = page.get_by_role("option").nth(1)
    text = second.inner_text()
    second.tap()
    expect(page).to_have_url(re.compile("/search"))
    expect(page.locator("#q")).to_have_value(text)


def test_of_the_index_that_is_chosen(open_page: Open) -> None:
    page = open_page("/")
    page.get_by_role("radio", name="shop").check()
    typed(page, "perih")
    expect(page.get_by_role("option").first).to_contain_text("Perihel")
    page.keyboard.press("Enter")
    expect(page.locator("select.index")).to_have_value("shop")


def test_a_search_goes_on_without_them(open_page: Open) -> None:
    page = open_page("/")
    page.route("**/suggest?**", lambda route: route.fulfill(status=429))
    page.locator("#q").press_sequentially("moon")
    page.keyboard.press("Enter")
    expect(page.locator(".result").first).to_be_visible()
