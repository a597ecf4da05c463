import re

from playwright.sync_api import Page, expect

from tests.e2e.site.browsing import PASSWORD, SampleSite
from tests.e2e.site.conftest import Open


def log_in(page: Page, password: str = PASSWORD, name: str = "reader") -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.locator("main").get_by_role("button", name="Log in").click()


def test_in_and_out(open_page: Open) -> None:
    page = open_page("/")
    page.get_by_role("link", name="Log in").click()
    log_in(page, "wrong")
    expect(page.get_by_role("alert")).to_contain_text("Wrong name or password")
    expect(page.get_by_label("Name")).to_have_value("reader")
    log_in(page)
    expect(page).to_have_url(re.compile("/home$"))
    expect(page.get_by_role("region", name="Indexes")).to_contain_text("shop")
    expect(page.get_by_role("region", name="Runs")).to_contain_text("demo-1")
    page.get_by_role("link", name="Account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("reader")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()


def test_a_login_leads_back(open_page: Open) -> None:
    page = open_page("/search?q=moon&page=2")
    page.get_by_role("link", name="Log in").click()
    log_in(page, "wrong")
    log_in(page)
    expect(page.locator(".pager [aria-current=page]")).to_have_text("2")
    expect(page.locator("#q")).to_have_value("moon")
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def test_a_token_is_shown_once(open_page: Open) -> None:
    page = open_page("/login?next=/account")
    log_in(page)
    page.get_by_label("Label").fill("a <b>program</b>")
    page.get_by_role("button", name="Create token").click()
    expect(page.locator(".good code")).to_have_text(re.compile("^gsm_"))
    page.get_by_role("link", name="Account").click()
    expect(page.locator(".good")).to_have_count(0)
    page.get_by_role("button", name="Revoke a <b>program</b>").click()
    expect(page.get_by_text("You have no tokens yet.")).to_be_visible()


def test_the_first_password(site: SampleSite, open_page: Open) -> None:
    path = site.set_password.removeprefix(site.address)
    page = open_page(path)
    page.get_by_label("Password", exact=True).fill("one long password")
    page.get_by_label("Repeat the password").fill("another password")
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_role("alert")).to_have_text("The two passwords differ.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose a password")


def test_somebody_is_let_in_and_shown_out(site: SampleSite, open_page: Open) -> None:
    page = open_page("/login?next=/people")
    log_in(page, name="keeper")
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Role").select_option("editor")
    page.get_by_role("button", name="Create account").click()
    link = page.locator(".good code").inner_text()
    hers = open_page(link.removeprefix(site.address))
    hers.get_by_label("Password", exact=True).fill(PASSWORD)
    hers.get_by_label("Repeat the password").fill(PASSWORD)
    hers.get_by_role("button", name="Set the password").click()
    hers.get_by_role("link", name="Searches").click()
    expect(hers.get_by_role("heading", level=2).first).to_have_text("Popular")
    page.get_by_label("Remove ann …").click()
    page.get_by_role("button", name="Remove ann").click()
    expect(page.get_by_role("row", name="ann")).to_have_count(0)
    page.get_by_role("link", name="Changes").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("account removed")


def test_a_page_that_is_not_there(open_page: Open) -> None:
    page = open_page("/nothing")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not found")
    page.get_by_role("link", name="To the start page").click()
    expect(page.locator("#q")).to_be_visible()


def test_an_account_needs_a_login(open_page: Open) -> None:
    page = open_page("/account")
    page.locator("main").get_by_role("link", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
