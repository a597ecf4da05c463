import asyncio
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.config import CrawlSettings
from gossamer.crawl import files
from gossamer.crawl.fetch import Request
from gossamer.crawl.files import FilesClient, FileScope, FolderPatterns, local_seed, walk
from gossamer.crawl.local_paths import href_of, path_of
from gossamer.errors import SettingsError, UrlError
from gossamer.records import Exchange, Exclusion, Outcome
from gossamer.urls import Resolver, Url, parse


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    (root / "sub" / "deep").mkdir(parents=True)
    (root / "index.html").write_text("<title>Home</title>")
    (root / "sub" / "a b(c).html").write_text("<title>A</title>")
    (root / "sub" / "deep" / "notes.txt").write_text("notes")
    (tmp_path / "secret.txt").write_text("secret")
    return root


def seed(path: Path) -> str:
    found = local_seed(str(path))
    assert found
    return found


def fetch(root: Path, href: str, most: int = -1, **settings: object) -> Exchange:
    values = {"seeds": (seed(root),), **settings}
    client = FilesClient(CrawlSettings.model_validate(values))
    return asyncio.run(client.fetch(Request(href, max_bytes=most)))


def names(urls: Iterator[Url]) -> list[str]:
    return [url.href.rpartition("site/")[2] for url in urls]


# Addresses


@pytest.mark.parametrize("name", ["a.html", "a b.html", "ü.txt", "100%.txt", "a?b#c.html", "a\\b"])
def test_a_path_comes_back_from_its_address(tmp_path: Path, name: str) -> None:
    path = os.fsencode(tmp_path / name)
    assert path_of(href_of(path)) == path


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\xfe.html"
    assert href_of(path).endswith("/%FF%FE.html")
    assert path_of(href_of(path)) == path


@pytest.mark.parametrize(
    "name", ["a(b).html", "x y.html", "ü.html", "a'b,c;d=e@f.html", "p|q^r.html"]
)
def test_a_link_to_a_file_names_it_as_the_walk_does(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x")
    (walked,) = walk(seed(tmp_path))
    assert Resolver().page(seed(tmp_path) + "page.html").resolve(name) == walked


def test_what_a_person_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    href = f"file://{folder}/"
    for text in ("./site", "./site/", str(folder), f"file://{folder}", f"{folder}/sub/.."):
        assert local_seed(text) == href
    assert local_seed("./site/index.html") == f"{href}index.html"
    assert local_seed(".") == f"file://{folder.parent}/"
    assert local_seed("https://example.org/") == local_seed("example.org") == ""
    for missing in ("./nothing", "file:///nothing/at/all", "~/surely/nothing"):
        with pytest.raises(SettingsError, match="no such file or folder"):
            local_seed(missing)
    with pytest.raises(UrlError):
        local_seed("file://another-machine/share/")


# Walking


def test_all_files_of_a_folder(folder: Path) -> None:
    (folder / ".hidden.html").write_text("x")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    assert names(walk(seed(folder))) == [
        "index.html",
        "sub/a%20b(c).html",
        "sub/deep/notes.txt",
    ]
    assert names(walk(seed(folder / "index.html"))) == ["index.html"]


def test_links_are_walked_only_where_they_lie(folder: Path) -> None:
    (folder / "loop").symlink_to(folder)
    (folder / "again").symlink_to(folder / "sub")
    (folder / "same.html").symlink_to(folder / "index.html")
    (folder / "out.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "outside").symlink_to("/etc")
    (folder / "nowhere").symlink_to(folder / "missing")
    os.mkfifo(folder / "pipe")
    found = names(walk(seed(folder)))
    # Folders within the folder are walked where they lie; the others will be told by the visit.
    assert found == [
        *("index.html", "nowhere", "out.txt", "outside", "pipe", "same.html"),
        *("sub/a%20b(c).html", "sub/deep/notes.txt"),
    ]


def test_a_folder_that_cannot_be_entered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refuse(path: bytes) -> object:
        if path.endswith(b"/deep"):
            raise PermissionError
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert "sub/deep/" in names(walk(seed(folder)))


# Reading


def test_a_file_is_a_page(folder: Path) -> None:
    one = fetch(folder, f"{seed(folder)}sub/a%20b(c).html")
    assert (one.outcome, one.status, one.status_line) == (Outcome.OK, 200, "HTTP/1.1 200 OK")
    assert one.body == b"<title>A</title>"
    assert one.header("content-type") == "text/html"
    assert one.header("content-length") == "16"
    assert one.header("last-modified").endswith("GMT")
    assert one.fetched_at > 0
    assert one.address == ""


def test_media_types_come_from_names_that_tell(folder: Path) -> None:
    for name, media_type in (
        ("x.PDF", "application/pdf"),
        ("x.txt", "text/plain"),
        ("x.png", "image/png"),
        ("x.unheard", ""),
        ("html", "text/html"),
        ("x", ""),
    ):
        (folder / name).write_text("x")
        assert fetch(folder, seed(folder) + name).header("content-type") == media_type


def test_the_page_of_a_folder_is_its_index(folder: Path) -> None:
    assert fetch(folder, seed(folder)).body == b"<title>Home</title>"
    assert fetch(folder, f"{seed(folder)}?x=1").body == b"<title>Home</title>"
    assert fetch(folder, f"{seed(folder)}sub/").status == 404


@pytest.mark.parametrize("name", ["missing.html", "index.html/x", "%00", "x" * 300])
def test_what_is_not_there(folder: Path, name: str) -> None:
    one = fetch(folder, seed(folder) + name)
    assert (one.status, one.detail) == (404, "no such file") or one.detail == "File name too long"
    assert one.body == b""


def test_nothing_outside_is_read(folder: Path) -> None:
    (folder / "out.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "outside").symlink_to(folder.parent)
    (folder.parent / "index.html").write_text("secret")
    sibling = folder.parent / "site-2"
    sibling.mkdir()
    (sibling / "x.txt").write_text("secret")
    base = seed(folder)
    for href in (
        f"{base}out.txt",
        f"{base}outside/secret.txt",
        f"{base}outside/",
        f"file://{folder.parent}/secret.txt",
        f"file://{sibling}/x.txt",
        f"{base}%2e%2e/secret.txt",
        "file:///etc/passwd",
        "file:///proc/self/environ",
    ):
        one = fetch(folder, href)
        assert one.status in (403, 404), href
        assert one.body == b""
    assert fetch(folder, f"{base}out.txt").detail == "it leads out of the folders that are crawled"


def test_without_a_folder_nothing_is_read(folder: Path) -> None:
    client = FilesClient(CrawlSettings(seeds=("https://a.test/",)))
    one = asyncio.run(client.fetch(Request(f"{seed(folder)}index.html")))
    assert (one.status, one.body) == (403, b"")


def test_one_file_opens_no_folder(folder: Path) -> None:
    only = folder / "index.html"
    assert fetch(only, seed(only)).status == 200
    assert fetch(only, f"{seed(folder)}sub/a%20b(c).html").status == 403


def test_what_is_no_file(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(folder / "socket"))
        for name, kind in (("pipe", "a pipe"), ("socket", "a socket")):
            one = fetch(folder, seed(folder) + name)
            assert (one.status, one.detail) == (403, f"not a file, but {kind}")
    (folder / "null").symlink_to("/dev/null")
    assert fetch(folder, f"{seed(folder)}null").detail == "not a file, but a device"


def test_what_must_not_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "open", refuse)
    one = fetch(folder, f"{seed(folder)}index.html")
    assert (one.status, one.detail) == (403, "permission denied")


def test_a_disk_that_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "open", fail)
    one = fetch(folder, f"{seed(folder)}index.html")
    assert (one.outcome, one.status) == (Outcome.PROTOCOL_ERROR, 0)
    assert one.detail == "Input/output error"


def test_limits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_SMALL_BYTES", 100)
    monkeypatch.setattr(files, "_PIECE_BYTES", 64)
    path = folder / "large.txt"
    for size in (1, 100, 101, 1_000):
        path.write_bytes(b"x" * size)
        assert fetch(folder, f"{seed(folder)}large.txt", max_wire_bytes=1_000).body == b"x" * size
    path.write_bytes(b"x" * 1_001)
    large = fetch(folder, f"{seed(folder)}large.txt", max_wire_bytes=1_000)
    assert (large.outcome, large.status, large.body) == (Outcome.TOO_LARGE, 200, b"")
    assert fetch(folder, f"{seed(folder)}large.txt", 500).outcome is Outcome.TOO_LARGE


def test_a_file_that_tells_no_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As files of /proc, or one that grows."""
    real = Path("/proc/self/status")
    client = FilesClient(CrawlSettings(seeds=("file:///proc/",), max_wire_bytes=100))
    one = asyncio.run(client.fetch(Request("file:///proc/self/status")))
    assert real.stat().st_size == 0
    assert one.outcome is Outcome.TOO_LARGE


# Scope


def test_files_only_below_the_folders_and_only_from_files(folder: Path) -> None:
    base = seed(folder)
    scope = FileScope(CrawlSettings(seeds=(base, "https://a.test/")))
    page, web = parse(f"{base}index.html"), parse("https://a.test/")
    assert scope.objection(parse(f"{base}sub/x.html"), page, 1) is None
    assert scope.objection(parse("https://b.test/"), page, 1) is None
    assert scope.objection(web, web, 1) is None
    for href in ("file:///etc/passwd", base.rstrip("/") + "-2/x.html", f"{base}../secret.txt"):
        assert scope.objection(parse(href), page, 1) is Exclusion.SCOPE
    assert scope.objection(page, web, 1) is Exclusion.SCOPE


def test_a_page_of_the_web_never_links_to_a_file() -> None:
    web = Resolver().page("https://a.test/x/")
    for text in ("file:///etc/passwd", "FILE:///etc/passwd", "file:/etc", "file:x", "//etc/passwd"):
        found = web.resolve(text)
        assert found is None or found.href.startswith("https://")
    based = web.based_at("file:///etc/")
    assert based.resolve("passwd") == parse("https://a.test/x/passwd")


def test_links_of_files() -> None:
    page = Resolver().page("file:///a/b/c.html")
    resolved = {
        text: found.href if (found := page.resolve(text)) else None
        for text in ("d.html", "/e", "../../../x", "?q", "#f", "https://a.test/", "//host/share")
    }
    assert resolved == {
        "d.html": "file:///a/b/d.html",
        "/e": "file:///e",
        "../../../x": "file:///x",
        "?q": "file:///a/b/c.html?q",
        "#f": "file:///a/b/c.html",
        "https://a.test/": "https://a.test/",
        "//host/share": None,
    }
    assert page.based_at("http://a.test/").resolve("file:///a") is None


# Patterns


def test_patterns_leave_files_of_a_folder_out(folder: Path) -> None:
    root = seed(folder)
    urls = {url.href.removeprefix(root): url for url in walk(root)}

    def excluded(**settings: object) -> set[str]:
        patterns = FolderPatterns(CrawlSettings.model_validate({"seeds": (root,), **settings}))
        found = {name: patterns.exclusion(url) for name, url in urls.items()}
        assert set(found.values()) <= {None, Exclusion.PATTERN}
        return {name for name, exclusion in found.items() if exclusion}

    assert excluded() == set()
    assert excluded(exclude=("notes*",)) == {"sub/deep/notes.txt"}
    assert excluded(include=("*.txt",)) == {"index.html", "sub/a%20b(c).html"}
    assert excluded(include=("sub/*",), exclude=("deep",)) == {"index.html", "sub/deep/notes.txt"}


def test_patterns_leave_a_file_that_was_named_and_the_web_alone(folder: Path) -> None:
    named = seed(folder / "index.html")
    patterns = FolderPatterns(CrawlSettings(seeds=(named,), include=("*.txt",), exclude=("*",)))
    assert patterns.exclusion(parse(named)) is None
    assert patterns.exclusion(parse("http://a.example/")) is None


def test_an_excluded_file_is_not_read_under_another_name(folder: Path) -> None:
    (folder / "public.txt").symlink_to(folder / "sub" / "deep" / "notes.txt")
    answer = fetch(folder, f"{seed(folder)}public.txt", exclude=("notes*",))
    assert (answer.status, answer.body) == (403, b"")
    assert fetch(folder, seed(folder), exclude=("index.*",)).status == 403
    assert fetch(folder, f"{seed(folder)}public.txt").status == 200


def test_a_symbolic_link_has_to_pass_by_both_names(folder: Path) -> None:
    (folder / "pub").mkdir()
    (folder / "pub" / "link.txt").symlink_to(folder / "sub" / "deep" / "notes.txt")
    (folder / "pub" / "other.txt").symlink_to(folder / "pub" / "own.txt")
    (folder / "pub" / "own.txt").write_text("own")
    other_name = folder.parent / "linked"
    other_name.symlink_to(folder)
    for root in (folder, other_name):
        base = seed(root)
        settings = CrawlSettings(seeds=(base,), include=("pub/*",))
        patterns = FolderPatterns(settings)
        found = [patterns.exclusion(parse(f"{base}pub/{name}.txt")) for name in ("link", "other")]
        assert found == [Exclusion.PATTERN, None]
        assert fetch(root, f"{base}pub/link.txt", include=("pub/*",)).status == 403
        assert fetch(root, f"{base}pub/other.txt", include=("pub/*",)).body == b"own"
        hidden = fetch(root, f"{base}pub/link.txt", exclude=("sub/*",))
        assert (hidden.status, hidden.body) == (403, b"")
