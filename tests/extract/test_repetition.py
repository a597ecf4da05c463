from gossamer.extract import repetition
from gossamer.extract.html import HtmlProcessor
from gossamer.extract.processor import Processors
from gossamer.extract.repetition import ENTRIES, HOSTS, LEAST_PAGES, HostMemory, Repetition
from gossamer.records import FoundLink, PageContent, RawPage
from gossamer.urls import Resolver, parse

NOTICE = "This paper is printed on the island, and every issue is read aloud on Sundays."


def page(number: int, host: str = "a.example") -> RawPage:
    """A page whose notice looks like a part of the article."""
    text = (
        f"On day {number} the ferry was {number * 7} minutes late, and {number * 3} people wrote."
    )
    html = (
        f"<article><p>{text}</p><p>{text[::-1]} It was reported by the harbour master.</p>"
        f"<p>{NOTICE} <a href=/subscribe>More about it</a></p></article>"
    )
    return RawPage(f"https://{host}/{number}", "text/html", "utf-8", html.encode())


def contents(pages: list[RawPage]) -> list[PageContent]:
    processors = Processors([HtmlProcessor("Gossamer", Resolver())])
    found = [processors.process(one) for one in pages]
    assert all(isinstance(one, PageContent) for one in found)
    return [one for one in found if isinstance(one, PageContent)]


def test_what_stands_on_most_pages_of_a_site_is_boilerplate() -> None:
    found = contents([page(number) for number in range(10)])
    assert [one.main for one in found] == ["111"] * (LEAST_PAGES - 1) + ["110"] * (11 - LEAST_PAGES)
    assert [one.links[0].boilerplate for one in found] == [False] * (LEAST_PAGES - 1) + [True] * (
        11 - LEAST_PAGES
    )


def test_hosts_are_told_apart() -> None:
    pages = [page(number, f"{number % 5}.example") for number in range(20)]
    assert {one.main for one in contents(pages)} == {"111"}


def test_the_same_page_again_is_not_boilerplate() -> None:
    assert {one.main for one in contents([page(1)] * 20)} == {"111"}


def test_what_stands_on_some_pages_is_content() -> None:
    memory = HostMemory()
    for number in range(40):
        lines = [f"line {number}", "sometimes" if number % 3 == 0 else f"other {number}"]
        assert memory.without_repeated(lines, "pp", "11") == "11"


def test_it_gets_over_what_was_before() -> None:
    memory = HostMemory()
    for number in range(200):
        memory.without_repeated([f"line {number}", f"text {number}", "old"], "ppp", "111")
    assert memory.without_repeated(["x", "a new text", "old"], "ppp", "111") == "110"
    flags = [
        memory.without_repeated([f"{n} x", f"{n} of the new text", "new"], "ppp", "111")
        for n in range(200)
    ]
    assert flags[0] == "111"
    assert flags[-1] == "110"


def test_cells_code_and_long_lines_may_repeat() -> None:
    memory = HostMemory()
    lines = ["yes", "make install", "x" * 1_000]
    for number in range(20):
        assert memory.without_repeated([*lines, f"{number}"], "cxpp", "1111") == "1111"


def test_pages_without_content() -> None:
    memory = HostMemory()
    assert memory.without_repeated([], "", "") == ""
    assert memory.without_repeated(["menu"], "n", "0") == "0"
    assert memory.with_repeated(()) == ()


def test_links_that_are_boilerplate_already_stay_so() -> None:
    memory = HostMemory()
    links = (FoundLink(parse("https://a.example/x"), "x", False, True),)
    for _ in range(10):
        memory.without_repeated(["text"], "p", "1")
        assert memory.with_repeated(links) == links


def test_the_memory_is_bounded() -> None:
    hosts = Repetition()
    for number in range(2 * HOSTS):
        hosts.of(f"https://{number}.example/")
    assert len(hosts._hosts) == HOSTS
    newest = hosts.of(f"https://{2 * HOSTS - 1}.example/x")
    assert newest is hosts.of(f"https://{2 * HOSTS - 1}.example/y")
    for number in range(300):
        lines = [f"{number} {line} of many" for line in range(500)]
        newest.without_repeated(lines, "p" * 500, "1" * 500)
        newest.with_repeated(
            tuple(
                FoundLink(parse(f"https://a.example/{number}/{link}"), "x", False)
                for link in range(60)
            )
        )
        assert len(newest._counts) <= ENTRIES


def test_lines_that_repeat_survive_the_forgetting_of_others() -> None:
    memory = HostMemory()
    edge = repetition._EDGE
    for number in range(60):
        lines = ["the same line", *(f"{number} {line} of many" for line in range(4 * edge))]
        flags = memory.without_repeated(lines, "p" * len(lines), "1" * len(lines))
    assert flags.startswith("01")
