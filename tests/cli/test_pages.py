"""What a run has stored, as people and programs see it."""

from datetime import datetime
from pathlib import Path

from gossamer.cli.pages import _page_rows
from tests.cli.commands import call
from tests.cli.conftest import Crawled
from tests.cli.solar import answer


def test_pages_are_lines_of_fields(crawled: Crawled) -> None:
    ended = crawled.call("pages", crawled.run)
    assert (ended.code, ended.err) == (0, "")
    rows = [line.split("\t") for line in ended.out.splitlines()]
    assert len(rows) == 21
    assert rows[0] == ["200", "ok", "en", "0", "1.1 KB", crawled.address, "The solar system"]
    by_path = {row[5].removeprefix(crawled.address): row for row in rows}
    assert by_path["moon"][:2] == ["301", "redirect"]
    assert by_path["planets/vulcan"][:2] == ["404", "http_error"]
    assert by_path["de/mond"][2] == "de"
    assert "drafts/planet-nine" not in by_path


def test_limit_says_that_there_is_more(crawled: Crawled) -> None:
    ended = crawled.call("pages", crawled.run, "--limit", "3")
    assert len(ended.out.splitlines()) == 3
    assert "--limit 0 shows all" in ended.err
    some = crawled.call("pages", crawled.run, "--limit", "3", "--json").object
    assert (len(some["pages"]), some["more"]) == (3, True)
    everything = crawled.call("pages", crawled.run, "--limit", "21", "--json").object
    assert (len(everything["pages"]), everything["more"]) == (21, False)


def test_prefix(crawled: Crawled) -> None:
    out = crawled.call("pages", crawled.run, "--url", f"{crawled.address}moons/").out
    assert len(out.splitlines()) == 4
    nothing = crawled.call("pages", crawled.run, "--url", "https://elsewhere.example/")
    assert (nothing.code, nothing.out) == (0, "")
    assert "https://elsewhere.example/" in nothing.err


def test_page_says_where_it_came_from(crawled: Crawled) -> None:
    out = crawled.call("page", crawled.run, f"{crawled.address}moons/the-moon").out
    rows = dict(line.strip().split("  ", 1) for line in out.splitlines())
    rows = {label: value.strip() for label, value in rows.items()}
    assert rows["title"] == "The Moon"
    assert rows["status"] == "200"
    # Two pages link to it, and which of them is read first is nobody's promise.
    assert rows["found on"] in (crawled.address, f"{crawled.address}moons/")
    assert rows["also known as"] == f"{crawled.address}moon"
    copy = crawled.call("page", crawled.run, f"{crawled.address}print/mars").out
    assert f"same text as    {crawled.address}planets/mars\n" in copy


def test_page_is_found_however_it_is_spelled(crawled: Crawled) -> None:
    spelled = crawled.address.replace("http://", "HTTP://") + "planets/../planets/mars#top"
    assert crawled.call("page", crawled.run, spelled).code == 0
    ended = crawled.call("page", crawled.run, f"{crawled.address}planets/krypton")
    assert ended.code == 1
    assert "not among the published pages" in ended.err
    assert crawled.call("page", crawled.run, "planets/mars").code == 2


def test_text(crawled: Crawled) -> None:
    url = f"{crawled.address}planets/mars"
    out = crawled.call("page", crawled.run, url, "--text").out
    assert out.startswith("Mars\n")
    assert "The red planet: its dust is full of iron oxide." in out
    assert "<" not in out
    found = crawled.call("page", crawled.run, url, "--text", "--json").object
    assert found == {"url": url, "text": out.removesuffix("\n")}


def test_html_is_what_the_server_sent(crawled: Crawled) -> None:
    url = f"{crawled.address}planets/mars"
    sent = answer("/planets/mars").body.decode()
    assert crawled.call("page", crawled.run, url, "--html").out == sent
    assert crawled.call("page", crawled.run, url, "--html", "--json").object["html"] == sent


def test_links(crawled: Crawled) -> None:
    url = f"{crawled.address}planets/mars"
    lines = crawled.call("page", crawled.run, url, "--links").out.splitlines()
    assert len(lines) == 7
    assert lines[5] == f"{crawled.address}print/mars\tPage for printing\t"
    links = crawled.call("page", crawled.run, url, "--links", "--json").object["links"]
    assert [link["target"] for link in links] == [line.split("\t")[0] for line in lines]


def test_page_for_programs(crawled: Crawled) -> None:
    url = f"{crawled.address}planets/mars"
    found = crawled.call("page", crawled.run, url, "--json").object
    assert (found["url"], found["status"], found["language"]) == (url, 200, "en")
    fetched = datetime.fromisoformat(found["fetched_at"])
    assert fetched.utcoffset() is not None
    rows = dict(_page_rows({**found, "fetched_at": fetched, "directives": 3}))
    assert rows["robots directives"] == "noindex, nofollow"


def test_addresses_with_letters_of_other_languages(tmp_path: Path) -> None:
    """People see the letters; programs, and links, have the address as it is."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "Übersicht\u202e.txt").write_text("A text about lanterns, of a few words.")
    home = tmp_path / "home"
    address = f"file://{site}/%C3%9Cbersicht%E2%80%AE.txt"
    assert call("crawl", str(site), "--fetchers", "1", home=home).code == 0
    shown = f"file://{site}/Übersicht%E2%80%AE.txt"
    assert shown in call("page", "site-1", address, home=home).out
    assert shown in call("why", "site-1", address, home=home).out
    assert address in call("pages", "site-1", home=home).out
    assert call("pages", "site-1", "--json", home=home).object["pages"][0]["url"] == address

    assert "1 document (" in call("index", "build", "texts", "--from", "site-1", home=home).out
    found = call("search", "texts", "lanterns", home=home).out
    assert "1 document, " in found
    assert shown in found
    hit = call("search", "texts", "lanterns", "--json", home=home).object["hits"][0]
    assert hit["url"] == address
