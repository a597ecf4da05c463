import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.site.browsing import NARROW, SEARCHED, WIDE, SampleSite
from tests.e2e.site.conftest import Open


def titles(page: Page) -> list[str]:
    return page.locator(".results h2").all_inner_texts()


def test_from_the_start_page_to_results(open_page: Open) -> None:
    page = open_page("/")
    expect(page.get_by_role("searchbox").or_(page.get_by_role("combobox"))).to_be_focused()
    page.keyboard.type("moon phases")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/search\?q=moon\+phases"))
    expect(page).to_have_title("moon phases - Gossamer")
    expect(page.locator("#q")).to_have_value("moon phases")
    expect(page.locator(".count")).to_have_text(re.compile(r"^\d+ results in (under )?\d+ ms$"))
    first = page.locator(".result").first
    expect(first.locator("h2")).to_have_text("Moon - Lantern")
    expect(first.locator(".crumbs")).to_have_text("lantern.example › wiki › Moon")
    expect(first.locator("mark").first).to_have_text(re.compile("moon", re.IGNORECASE))
    expect(first.locator("time")).to_have_text(re.compile(r"^\d+ \w+ \d{4}$"))


def test_ten_a_page_and_back_again(open_page: Open) -> None:
    page = open_page("/search?q=lighthouse")
    first = titles(page)
    assert len(first) == 10
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".pager [aria-current=page]")).to_have_text("2")
    assert not set(first) & set(titles(page))
    expect(page.locator("#q")).to_have_value("lighthouse")
    page.go_back()
    assert titles(page) == first
    page.go_forward()
    expect(page.locator(".pager [aria-current=page]")).to_have_text("2")


def test_a_correction(open_page: Open) -> None:
    page = open_page("/search?q=lighthuse")
    page.locator(".instead").get_by_role("link", name="lighthouse").click()
    expect(page.locator("#q")).to_have_value("lighthouse")
    expect(page.locator(".instead")).to_have_count(0)


def test_filters_narrow_and_are_taken_off(open_page: Open) -> None:
    page = open_page("/search?q=moon")
    filters = page.get_by_role("complementary", name="Filters")
    filters.get_by_role("link", name="wrenandoak.example").click()
    sites = page.locator(".crumbs").all_inner_texts()
    assert sites
    assert all(text.startswith("wrenandoak.example") for text in sites)
    filters.get_by_role("link", name="2023").first.click()
    expect(filters.locator(".chip")).to_have_count(2)
    assert all("2023" in text for text in page.locator(".snippet time").all_inner_texts())
    filters.get_by_role("link", name="Without Site: wrenandoak.example").click()
    expect(filters.locator(".chip")).to_have_text([re.compile("Year: 2023")])


def test_options_are_addresses(open_page: Open) -> None:
    page = open_page("/search?q=moon")
    page.locator(".options summary").click()
    page.get_by_label("Ranking").select_option("yioop")
    page.get_by_label("Order").select_option("-date")
    page.get_by_label("Safe search").check()
    page.get_by_role("button", name="Apply").click()
    address = page.url.partition("?")[2].split("&")
    assert set(address) == {"q=moon", "index=demo", "profile=yioop", "sort=-date", "safe=true"}
    days = [one.get_attribute("datetime") or "" for one in page.locator(".snippet time").all()]
    assert days == sorted(days, reverse=True)
    expect(page.locator(".options summary")).to_contain_text("changed")


def test_more_of_a_site(open_page: Open) -> None:
    page = open_page("/search?q=moon")
    page.get_by_role("link", name=re.compile(r"more from lantern\.example")).first.click()
    sites = page.locator(".crumbs").all_inner_texts()
    assert len(sites) == 10
    assert all(text.startswith("lantern.example") for text in sites)


def test_more_of_one_of_the_sites_of_a_query(open_page: Open) -> None:
    page = open_page("/search?q=site:lantern.example+site:courier.example+storm")
    link = page.get_by_role("link", name="more from").first
    site = link.inner_text().partition(" more from ")[2]
    link.click()
    assert "filter=site" in page.url
    sites = page.locator(".crumbs").all_inner_texts()
    assert sites
    assert all(text.startswith(site) for text in sites)


def test_why_a_result_stands_where_it_does(open_page: Open) -> None:
    page = open_page("/search?q=moon+phases")
    why = page.locator(".result").first.locator(".why")
    why.get_by_text("Why this result?").click()
    bars = why.locator(".bars > li")
    expect(bars.first).to_contain_text("the words of the query in the document")
    expect(bars.first.locator("li b")).to_have_text(["moon", "phases"])
    expect(why.locator(".formula code")).to_contain_text("query_weight")
    total = sum(float(text) for text in why.locator(".bars > li > .value").all_inner_texts())
    said = float(why.locator("strong").inner_text())
    assert total == pytest.approx(said, abs=0.005)


def test_the_copy_of_a_page_is_in_a_sandbox(open_page: Open) -> None:
    page = open_page("/search?q=moon+phases")
    page.get_by_role("link", name="Stored copy").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Moon - Lantern")
    inside = page.frame_locator("iframe.cached")
    expect(inside.get_by_role("heading", level=1)).to_have_text("Moon")
    assert page.locator("iframe.cached").get_attribute("sandbox") == ""


def test_feeling_lucky(open_page: Open) -> None:
    page = open_page("/")
    page.locator("#q").fill("moon phases")
    page.get_by_role("button", name="lucky").click()
    expect(page).to_have_url(re.compile(r"^http://lantern\.localhost:\d+/wiki/Moon$"))


def test_popular_searches(open_page: Open) -> None:
    page = open_page("/")
    trending = page.get_by_role("region", name="Popular searches").get_by_role("link")
    expect(trending.first).to_be_visible()
    # Beside what other tests have searched for.
    assert set(SEARCHED) <= set(trending.all_inner_texts())
    trending.get_by_text(SEARCHED[0], exact=True).click()
    expect(page.locator("#q")).to_have_value(SEARCHED[0])


def test_nothing_found_says_what_to_do(open_page: Open) -> None:
    page = open_page("/search?q=xyzzyplugh&filter=lang:en")
    expect(page.get_by_role("heading", level=2).first).to_have_text("No results for “xyzzyplugh”")
    page.get_by_role("link", name="Search without the filters").click()
    expect(page.locator(".chip")).to_have_count(0)
    page.get_by_role("link", name="shop", exact=True).click()
    expect(page.locator("select.index")).to_have_value("shop")


def test_panels_stand_beside_results(open_page: Open) -> None:
    page = open_page("/search?q=moon")
    panel = page.locator(".panel.wiki")
    expect(panel.get_by_role("link", name="Moon")).to_be_visible()
    expect(panel).to_contain_text("only natural satellite of Earth")
    results, beside = page.locator(".results").bounding_box(), panel.bounding_box()
    assert results is not None
    assert beside is not None
    assert beside["x"] >= results["x"] + results["width"]


def test_a_wish_to_buy_shows_products(open_page: Open) -> None:
    page = open_page("/search?q=buy+a+tent")
    products = page.locator(".panel.shop li")
    expect(products.first).to_contain_text("Tent")
    expect(products.first.locator(".price")).to_have_text(re.compile(r"^€\d+\.\d\d$"))


def test_a_panel_that_fails_leaves_the_results_alone(open_page: Open) -> None:
    page = open_page("/")
    page.route("**/panels/**", lambda route: route.abort())
    page.goto("/search?q=moon")
    expect(page.locator("[data-panel]")).to_have_count(0)
    expect(page.locator(".result").first).to_be_visible()


def test_filters_on_a_phone(open_page: Open) -> None:
    page = open_page("/search?q=moon", width=NARROW)
    sheet = page.locator(".filters .sheet")
    expect(sheet).to_be_hidden()
    page.get_by_text("Filters").tap()
    expect(sheet).to_be_visible()
    sheet.get_by_role("link", name="wrenandoak.example").tap()
    expect(page.locator(".filters .chip")).to_have_count(1)


def test_the_first_page_is_light(site: SampleSite, open_page: Open) -> None:
    page = open_page("about:blank")
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(len(answer.body())))
    page.goto(site.at("/"), wait_until="networkidle")
    assert 0 < sum(sizes) < 150_000


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_names_and_numbers_of_filters_stay_whole(open_page: Open, width: int) -> None:
    page = open_page("/search?q=university", width=width)
    if width == NARROW:
        page.locator(".toggle").click()
    pieces = page.locator(".filters .hosts a, .filters section span")
    expect(pieces.first).to_be_visible()
    lines = pieces.evaluate_all(
        """found => found.map(one => {
            const text = document.createRange();
            text.selectNodeContents(one);
            return [one.textContent, text.getClientRects().length,
                    one.scrollWidth <= one.clientWidth || one.tagName == "SPAN"];
        })"""
    )
    assert ["campustable.example", 1, True] in lines
    assert [one for one in lines if one[1] != 1 or not one[2]] == []


def test_a_filter_that_the_other_index_lacks_is_dropped(open_page: Open) -> None:
    page = open_page("/search?q=lantern&filter=filetype:pdf&filter=site:wrenandoak.example")
    expect(page.locator(".chip")).to_have_count(2)
    page.get_by_label("Index", exact=True).select_option("shop")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".note")).to_contain_text("The filter 'filetype:pdf' was dropped")
    expect(page.locator(".chip")).to_have_count(1)
    expect(page.locator(".results")).to_be_visible()
    expect(page).to_have_url(re.compile("index=shop"))
    page.get_by_label("Index", exact=True).select_option("demo")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".note")).to_have_count(0)
