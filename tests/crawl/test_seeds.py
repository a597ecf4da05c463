import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import CrawlSettings
from gossamer.crawl import seeds
from gossamer.crawl.seeds import (
    SeedScope,
    addresses,
    batches,
    collected,
    crawler_name,
    seeded,
    settled,
    shown,
    web_seeds,
)
from gossamer.errors import SettingsError
from gossamer.records import Exclusion
from gossamer.url_keys import PLAIN_KEYS, KeyRules
from gossamer.urls import Url, parse

URLS = ["https://a.test/", "https://b.test/x?y=1", "http://a.test:8080/z"]


def listed(tmp_path: Path, text: str | bytes, name: str = "list.txt") -> str:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def read(tmp_path: Path, text: str | bytes, name: str = "list.txt") -> list[str]:
    return [address for _, address in addresses(listed(tmp_path, text, name))]


def settings(*lists: str, **more: object) -> CrawlSettings:
    return settled(CrawlSettings.model_validate({"seed_files": lists, **more}))


def nothing(_: Url) -> Exclusion | None:
    return None


# Reading


def test_one_a_line_with_comments_and_blank_lines(tmp_path: Path) -> None:
    text = f"\ufeff# my list\n{URLS[0]}\n\n   \n  {URLS[1]}  \r\n#{URLS[0]}\n{URLS[2]}"
    assert list(addresses(listed(tmp_path, text))) == [(2, URLS[0]), (5, URLS[1]), (7, URLS[2])]


def test_a_comma_belongs_to_the_address(tmp_path: Path) -> None:
    assert read(tmp_path, "https://a.test/x,y\nhttps://a.test/z;w\n") == [
        "https://a.test/x,y",
        "https://a.test/z;w",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "url\nhttps://a.test/\nhttps://b.test/x,y\n",
        'title,URL,size\nHome,https://a.test/,3\n"B, the second","https://b.test/x,y",4\n',
        "name;Link\nHome;https://a.test/\nB;https://b.test/x,y\n",
        "id\tlink\tname\n1\thttps://a.test/\tx\n2\thttps://b.test/x,y\n",
    ],
)
def test_a_table_with_a_column_of_addresses(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == ["https://a.test/", "https://b.test/x,y"]


def test_a_table_without_a_name_for_the_column(tmp_path: Path) -> None:
    assert read(tmp_path, "https://a.test/,Home\nhttps://b.test/,B\n", "sites.csv") == [
        "https://a.test/",
        "https://b.test/",
    ]
    assert read(tmp_path, "https://a.test/x,y\tHome\n", "sites.tsv") == ["https://a.test/x,y"]


def test_a_packed_list(tmp_path: Path) -> None:
    data = gzip.compress("\n".join(URLS).encode())
    assert read(tmp_path, data, "list.txt.gz") == URLS
    assert read(tmp_path, data, "whatever") == URLS
    assert read(tmp_path, gzip.compress(b"a,url\n1,https://a.test/\n"), "t.csv.gz") == [
        "https://a.test/"
    ]


def test_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in ("\n".join(URLS).encode(), gzip.compress("\n".join(URLS).encode())):
        stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(data)))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert [address for _, address in addresses("-")] == URLS


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("missing.txt", None, "No such file"),
        ("folder", b"", "Is a directory"),
        ("broken.gz", gzip.compress(b"https://a.test/\n" * 500)[:-20], "end-of-stream"),
    ],
)
def test_lists_that_cannot_be_read(
    tmp_path: Path, name: str, data: bytes | None, reason: str
) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    elif data is not None:
        path.write_bytes(data)
    with pytest.raises(SettingsError, match=reason) as refused:
        list(addresses(str(path)))
    assert name in str(refused.value)


def test_a_line_without_end(tmp_path: Path) -> None:
    data = b"https://a.test/\n" + b"x" * 500_000 + b"\nhttps://b.test/\n"
    found = read(tmp_path, data)
    assert (found[0], found[-1]) == ("https://a.test/", "https://b.test/")
    assert len(found) == 3
    assert len(found[1]) <= 65_536


@given(st.binary(max_size=500))
def test_anything_as_a_list(data: bytes) -> None:
    lines = seeds._lines(io.BytesIO(data))
    for name in ("x", "x.csv"):
        for line, text in seeds._addresses(name, lines):
            assert line >= 1
            assert isinstance(text, str)


# Collecting


def test_wrong_lines_are_told_with_their_place_and_number(tmp_path: Path) -> None:
    lines = ["https://a.test/", "example.org", "", "# x", "mailto:a@b", *["no way"] * 8]
    path = listed(tmp_path, "\n".join(lines))
    with (
        pytest.raises(SettingsError) as refused,
        collected(settings(path), tmp_path),
    ):
        pass
    told = str(refused.value).split("\n")
    assert told[0] == f"'{path}': 10 of 11 lines are not addresses. The first ones:"
    assert told[1].startswith(f"{path}, line 2: 'example.org' has no scheme: did you mean")
    assert told[2].startswith(f"{path}, line 5: 'mailto:a@b' has the scheme 'mailto'")
    assert len(told) == 6
    assert list(tmp_path.glob(".seeds*")) == []


@pytest.mark.parametrize("text", ["", "# nothing\n\n"])
def test_a_list_without_an_address(tmp_path: Path, text: str) -> None:
    with (
        pytest.raises(SettingsError, match="contains no address"),
        collected(settings(listed(tmp_path, text)), tmp_path),
    ):
        pass


def test_a_list_names_no_files(tmp_path: Path) -> None:
    with (
        pytest.raises(SettingsError, match="only contain web addresses"),
        collected(settings(listed(tmp_path, "file:///etc/passwd\n")), tmp_path),
    ):
        pass


def test_seeds_reach_the_queue_servers_in_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeds, "BATCH_LINKS", 10)
    monkeypatch.setattr(seeds, "_WRITE_LINES", 7)
    urls = [f"https://h{number % 3}.test/{number}" for number in range(25)]
    paths = [
        listed(tmp_path, "\n".join(part), f"{at}") for at, part in enumerate([urls[:5], urls[5:]])
    ]
    frontier = tmp_path / "frontier"
    frontier.mkdir()
    with collected(settings(*paths), tmp_path) as found:
        assert (found.count, found.first) == (25, parse(urls[0]))
        assert found.is_new_to(frontier)
        found.hand_over(frontier)
    assert list(tmp_path.glob(".seeds*")) == []
    taken = batches(frontier, PLAIN_KEYS, nothing)
    first = next(taken)
    assert [link.item.url for link in first] == urls[:10]
    assert {(link.item.depth, link.excluded) for link in first} == {(0, None)}
    assert (link := first[0]).item.key == parse(link.item.url).key
    # Killed in between, all of them come again: adding twice is harmless.
    del taken
    assert seeded(frontier) == ""
    assert [len(links) for links in batches(frontier, PLAIN_KEYS, nothing)] == [10, 10, 5]
    assert list(batches(frontier, PLAIN_KEYS, nothing)) == []
    with collected(settings(*paths), tmp_path) as again:
        assert not again.is_new_to(frontier)
        again.hand_over(frontier)
        assert list(batches(frontier, PLAIN_KEYS, nothing)) == []
    listed(tmp_path, "\n".join([*urls[5:], "https://new.test/"]), "1")
    with collected(settings(*paths), tmp_path) as more:
        assert more.is_new_to(frontier)
        more.hand_over(frontier)
    assert sum(len(links) for links in batches(frontier, PLAIN_KEYS, nothing)) == 26


def test_what_is_objected_to_goes_with_the_reason(tmp_path: Path) -> None:
    with collected(settings(listed(tmp_path, "\n".join(URLS))), tmp_path) as found:
        found.hand_over(tmp_path)
    (links,) = batches(
        tmp_path, PLAIN_KEYS, lambda url: Exclusion.FORGOTTEN if url.host == "b.test" else None
    )
    assert [link.excluded for link in links] == [None, Exclusion.FORGOTTEN, None]


def test_keys_are_those_of_the_run(tmp_path: Path) -> None:
    with collected(settings(listed(tmp_path, "https://a.test/x?utm_source=y")), tmp_path) as found:
        found.hand_over(tmp_path)
    rules = KeyRules(drop_parameters=("utm_*",))
    ((link,),) = batches(tmp_path, rules, nothing)
    assert link.item.url == "https://a.test/x?utm_source=y"
    assert link.item.key == parse("https://a.test/x", rules).key


def test_without_lists_nothing_is_written(tmp_path: Path) -> None:
    with collected(settings(seeds=("https://a.test/",)), tmp_path) as found:
        assert (found.count, found.first, found.fingerprint) == (0, None, "")
        assert not found.is_new_to(tmp_path)
        found.hand_over(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert SeedScope.load(tmp_path) is None


# Scope


def test_scope(tmp_path: Path) -> None:
    urls = ["https://www.a.co.uk/x/y.html", "https://b.test:8443/", "https://c.test/d/e/f?g/h"]
    with collected(settings(listed(tmp_path, "\n".join(urls))), tmp_path) as found:
        found.hand_over(tmp_path)
    scope = SeedScope.load(tmp_path)
    assert scope is not None
    assert [name in scope.hosts for name in ("www.a.co.uk", "b.test:8443", "c.test")] == [True] * 3
    assert [name in scope.hosts for name in ("a.co.uk", "b.test", "", "co.uk")] == [False] * 4
    assert [name in scope.sites for name in ("a.co.uk", "b.test", "c.test")] == [True] * 3
    assert "www.a.co.uk" not in scope.sites
    inside = ["http://www.a.co.uk/x/", "https://www.a.co.uk/x/z/w?v", "https://b.test:8443/q"]
    assert all(scope.has_folder_of(href) for href in inside)
    outside = ["https://www.a.co.uk/", "https://c.test/d/", "https://c.test/d/e", "https://d.test/"]
    assert not any(scope.has_folder_of(href) for href in outside)
    assert (len(scope.hosts), len(scope.sites)) == (3, 3)


def test_a_damaged_scope_is_told(tmp_path: Path) -> None:
    with collected(settings(listed(tmp_path, "\n".join(URLS))), tmp_path) as found:
        found.hand_over(tmp_path)
    path = tmp_path / "seeds.scope"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(SettingsError, match="damaged"):
        SeedScope.load(tmp_path)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=50), st.integers(-(2**63), 2**63 - 1))
def test_hashes_are_found_exactly(hashes: list[int], other: int) -> None:
    names = seeds.HashedNames(sorted(set(hashes)))
    assert all(names.has(value) for value in hashes)
    assert names.has(other) == (other in hashes)


# Settings


def test_paths_hold_wherever_the_crawl_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    found = settled(
        CrawlSettings(seeds=("./docs", "https://a.test/"), seed_files=("list.txt", "-"))
    )
    assert found.seeds == (f"file://{tmp_path}/docs/", "https://a.test/")
    assert found.seed_files == (str(tmp_path / "list.txt"), "-")
    assert settled(found) == found
    assert web_seeds(found) == ["https://a.test/"]
    assert shown(found) == [*found.seeds, *found.seed_files]
    with pytest.raises(SettingsError, match="no such file or folder"):
        settled(CrawlSettings(seeds=("./missing",)))


def test_names_of_crawlers(tmp_path: Path) -> None:
    folder = tmp_path / "My papers (2024)"
    folder.mkdir()
    local = settings(seeds=(str(folder),))
    first = parse(f"{local.seeds[0]}a.html")
    assert crawler_name(local, first) == "My-papers-2024"
    assert crawler_name(local.model_copy(update={"name": "x"}), first) == "x"
    assert crawler_name(settings(), parse("http://[::1]:8080/")) == "::1]-8080".replace(":", "-")
