"""Documents with fields, by their types."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.site.conftest import Open


def prices(page: Page, selector: str) -> list[float]:
    found = page.locator(selector).all_inner_texts()
    return [float(text.lstrip("€").replace(",", "")) for text in found]


def test_cards(open_page: Open) -> None:
    page = open_page("/search?q=telescope&index=shop")
    card = page.locator(".card").first
    expect(card.locator("h2 a")).to_have_attribute("href", re.compile(r"^http://wrenandoak\."))
    expect(card.locator(".price")).to_have_text(re.compile(r"^€\d+\.\d\d$"))
    expect(card.locator("dt").first).to_have_text("Brand")
    page.wait_for_load_state("networkidle")
    assert card.locator("img").evaluate("image => image.naturalWidth") > 0


def test_a_table_is_sorted_by_its_columns(open_page: Open) -> None:
    page = open_page("/search?q=telescope&index=shop")
    page.get_by_role("navigation", name="Show as").get_by_role("link", name="Table").click()
    header = page.get_by_role("columnheader", name="Price")
    header.get_by_role("link").click()
    expect(header).to_have_attribute("aria-sort", "descending")
    found = prices(page, "td.price")
    assert found == sorted(found, reverse=True)
    header.get_by_role("link").click()
    expect(header).to_have_attribute("aria-sort", "ascending")
    assert prices(page, "td.price") == found[::-1]
    expect(page.locator("td.date").first).to_have_text(re.compile(r"^\d+ \w+ \d{4}$"))
    assert "sort=price" in page.url
    assert "view=table" in page.url


def test_a_list_has_thumbnails(open_page: Open) -> None:
    page = open_page("/search?q=telescope&index=shop&view=list")
    expect(page.locator(".result .thumbnail").first).to_be_visible()
    expect(page.locator(".result .facts").first).to_contain_text("Brand: Perihel")


def test_a_range_of_prices(open_page: Open) -> None:
    page = open_page("/search?q=telescope&index=shop")
    page.get_by_label("Price, at least").fill("50")
    page.get_by_label("Price, at most").fill("300")
    page.get_by_role("button", name="Filter by Price").click()
    expect(page.locator(".chip")).to_have_text([re.compile("Price: 50 to 300")])
    assert all(50 <= price <= 300 for price in prices(page, ".card .price"))
    assert "range=" not in page.url
    expect(page.get_by_label("Price, at most")).to_have_value("300")


def test_a_keyword_of_a_card(open_page: Open) -> None:
    page = open_page("/search?q=telescope&index=shop")
    filters = page.get_by_role("complementary", name="Filters")
    filters.get_by_role("link", name="Perihel").click()
    expect(page.locator(".card")).to_have_count(5)


def test_the_result_as_csv(open_page: Open) -> None:
    page = open_page("/search?q=telescope&index=shop&sort=price")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    lines = download.value.path().read_text().splitlines()
    assert lines[0].startswith("id,url,title,score,")
    assert len(lines) == 11
