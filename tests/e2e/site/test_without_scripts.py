"""Plain searching needs no JavaScript."""

import re

from playwright.sync_api import expect

from tests.e2e.site.conftest import Open


def test_search_page_filter_and_explain(open_page: Open) -> None:
    page = open_page("/", java_script_enabled=False)
    page.locator("#q").fill("moon")
    page.get_by_role("button", name="Search", exact=True).last.click()
    expect(page.locator(".result")).to_have_count(10)
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".pager [aria-current=page]")).to_have_text("2")
    page.locator(".filters").get_by_role("link", name="lantern.example").click()
    expect(page.locator(".chip")).to_have_count(1)
    second = page.locator(".result").nth(1)
    second.locator("summary").click()
    second.get_by_role("link", name="Open its score into its parts").click()
    expect(page).to_have_url(re.compile(r"why=\d+#hit-\d+$"))
    expect(page.locator(".why[open] .bars")).to_have_count(1)


def test_options_and_themes(open_page: Open) -> None:
    page = open_page("/search?q=moon", java_script_enabled=False)
    expect(page.locator("button.theme")).to_be_hidden()
    page.locator(".options summary").click()
    page.get_by_label("Only with all words").check()
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_label("Only with all words")).to_be_checked()


def test_logging_in(open_page: Open) -> None:
    page = open_page("/login", java_script_enabled=False)
    page.get_by_label("Name").fill("reader")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Home")
