from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.block_lists import BlockList, check_files, hosts_in
from gossamer.errors import SettingsError
from gossamer.records import Exclusion
from gossamer.urls import parse


@pytest.mark.parametrize(
    ("line", "hosts"),
    [
        ("bad.example", ["bad.example"]),
        ("  Bad.Example.  ", ["bad.example"]),
        ("bad.example # why", ["bad.example"]),
        ("bad.example\r\n", ["bad.example"]),
        ("*.bad.example", ["bad.example"]),
        (".bad.example", ["bad.example"]),
        ("ru", ["ru"]),
        ("192.0.2.7", ["192.0.2.7"]),
        ("bücher.example", ["xn--bcher-kva.example"]),
        ("0.0.0.0 bad.example", ["bad.example"]),
        ("127.0.0.1\tbad.example worse.example # both", ["bad.example", "worse.example"]),
        ("::1 bad.example", ["bad.example"]),
        ("fe80::1%lo0 localhost", []),
        ("127.0.0.1 localhost", []),
        ("127.0.0.1 localhost.localdomain", []),
        ("0.0.0.0 0.0.0.0", []),
        ("||bad.example^", ["bad.example"]),
        ("||bad.example", ["bad.example"]),
        ("||bad.example^$third-party,important", ["bad.example"]),
        ("||bad.example^$script", []),
        ("||bad.example/path^", []),
        ("||bad*.example^", []),
        ("@@||good.example^", []),
        ("good.example##.banner", []),
        ("good.example/path", []),
        ("http://good.example/", []),
        ("two words", []),
        ("! a comment", []),
        ("# bad.example", []),
        ("[Adblock Plus 2.0]", []),
        ("", []),
        ("   ", []),
    ],
)
def test_lines(line: str, hosts: list[str], tmp_path: Path) -> None:
    assert hosts_in(line) == hosts
    path = tmp_path / "list"
    path.write_text(line)
    assert len(BlockList([str(path)])) == len(hosts)


@pytest.fixture
def blocked(tmp_path: Path) -> BlockList:
    first = tmp_path / "first.txt"
    first.write_bytes(b"\xef\xbb\xbfbad.example\r\n# comment\n0.0.0.0 ads.shop.example\n\xff\xfe\n")
    second = tmp_path / "second.txt"
    second.write_text("||worse.example^\nbad.example\n192.0.2.7\n")
    return BlockList([str(first), str(second)])


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://bad.example/", True),
        ("https://bad.example:8443/x", True),
        ("http://www.bad.example/", True),
        ("http://a.b.c.bad.example./", True),
        ("http://notbad.example/", False),
        ("http://example/", False),
        ("http://shop.example/", False),
        ("http://ads.shop.example/", True),
        ("http://worse.example/", True),
        ("http://192.0.2.7/", True),
        ("http://1.192.0.2.example/", False),
        ("http://[2001:db8::1]/", False),
    ],
)
def test_hosts_and_all_beneath_them(blocked: BlockList, url: str, expected: bool) -> None:
    for _ in range(2):  # remembered ones as well
        objection = blocked.objection(parse(url), parse("http://a.example/"), 1)
        assert objection == (Exclusion.BLOCKED if expected else None)


def test_an_empty_list(tmp_path: Path) -> None:
    (tmp_path / "list").touch()
    empty = BlockList([str(tmp_path / "list")])
    assert empty.objection(parse("http://a.example/"), parse("http://a.example/"), 1) is None


def test_all_of_a_long_list_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("".join(f"host{number}.example\n" for number in range(20_000)))
    blocked = BlockList([str(path)])
    assert len(blocked) == 20_000
    page = parse("http://a.example/")
    for number in range(0, 20_000, 97):
        assert blocked.objection(parse(f"http://host{number}.example/"), page, 1)
        assert not blocked.objection(parse(f"http://host{number + 20_000}.example/"), page, 1)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(SettingsError, match=f"'{path}'.*block_lists"):
            check_files([str(path)])
        with pytest.raises(SettingsError, match="cannot be read"):
            BlockList([str(path)])
    (tmp_path / "list").touch()
    check_files([str(tmp_path / "list")])


@given(st.text(max_size=60) | st.text("|*.^$#0 a-z,:/", max_size=40))
def test_no_line_raises(line: str) -> None:
    for host in hosts_in(line):
        assert host == host.lower()
        assert " " not in host
