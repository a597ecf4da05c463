"""Whole imports within this process."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Home, takedowns
from gossamer.config import CrawlSettings
from gossamer.errors import RunError, SettingsError, UsageError
from gossamer.importing import order, survey
from gossamer.importing.ledger import Ledger
from gossamer.importing.sittings import Imported, import_files, is_import, name_of, resume
from gossamer.lib.locks import FileLock
from tests.documents import pdf

from .warcs import (
    HTML,
    answer,
    chunked,
    in_frames,
    in_members,
    page_html,
    record,
    response,
    warcinfo,
    written,
)

CHUNKED = "Transfer-Encoding: chunked\r\n"


def imported(home: Path, *files: Path, new: bool = False, **settings: Any) -> Imported:
    values = {"processes": False, "fetchers": 2, **settings}
    return import_files(
        Home(home), files, CrawlSettings(**values), new=new, on_progress=lambda _: None
    )


def rows_of(home: Path, done: Imported) -> dict[str, dict[str, Any]]:
    rows = list(Home(home).pages(done.report.run))
    by_url = {row["url"]: row for row in rows}
    assert len(by_url) == len(rows)
    return by_url


def assert_import_adds_up(numbers: dict[str, float]) -> None:
    def total(prefix: str) -> float:
        return sum(value for name, value in numbers.items() if name.startswith(prefix))

    def value(name: str) -> float:
        return numbers.get(name, 0)

    assert value("found") == value("queued") + total("done.") + total("excluded.")
    assert value("found") == total("found.")
    assert value("records") == sum(
        value(f"records.{kind}") for kind in ("pages", "revisit", "other", "unaddressed")
    )
    assert value("links.found") == sum(
        value(f"links.{kind}") for kind in ("unfollowed", "nofollow", "other")
    )
    assert value("stored.pages") == total("done.")


# What becomes of records


def test_every_kind_of_record(tmp_path: Path) -> None:
    words = b"a text of " + b"words " * 20
    image = "Content-Type: image/png\r\n"
    data = [
        warcinfo(),
        response("http://a.test/", page_html("home", "/two", "http://b.test/", "mailto:x@y")),
        record("request", "http://a.test/", b"GET / HTTP/1.1\r\n\r\n"),
        record("metadata", "http://a.test/", b"x: y", content_type="application/warc-fields"),
        response("http://a.test/two", chunked(page_html("two")), http=HTML + CHUNKED),
        response(
            "http://a.test/packed",
            gzip.compress(page_html("packed")),
            http=HTML + "Content-Encoding: gzip\r\n",
        ),
        response("http://a.test/gone", b"no", status="404 Not Found"),
        response("http://a.test/moved", b"", status="301 Moved", http="Location: /two\r\n"),
        response("http://a.test/image", b"\x89PNG\r\n\x1a\n\0\0", http=image),
        response("http://a.test/copy", page_html("two")),
        record("response", "dns:a.test", b"a.test. 1 IN A 192.0.2.1", content_type="text/dns"),
        record("resource", "urn:view:http://a.test/", b"\x89PNG", content_type="image/png"),
        record("resource", "file:///etc/passwd", b"root:x", content_type="text/plain"),
        record("resource", "http://a.test/plain", b"only " + words, content_type="text/plain"),
        record("conversion", "http://a.test/wet", words, content_type="text/plain"),
        record("conversion", "http://a.test/two", b"not this one", content_type="text/plain"),
        record("revisit", "http://a.test/two", answer(b""), date="2025-01-01T00:00:00Z"),
        record("revisit", "http://a.test/same", answer(b"")),
        record("response", "http://a.test/broken", b"not HTTP"),
    ]
    done = imported(tmp_path, written(tmp_path / "mixed.warc.gz", in_members(data)))
    rows = rows_of(tmp_path, done)
    outcomes = {url.rpartition("/")[2]: row["outcome"] for url, row in rows.items()}
    assert outcomes == {
        "": "ok",
        "two": "ok",
        "packed": "ok",
        "gone": "http_error",
        "moved": "redirect",
        "image": "unsupported",
        "copy": "ok",
        "plain": "ok",
        "wet": "ok",
        "same": "not_modified",
        "broken": "protocol_error",
    }
    assert rows["http://a.test/packed"]["title"] == "packed"
    assert rows["http://a.test/two"]["title"] == "two"
    assert rows["http://a.test/moved"]["location"] == "http://a.test/two"
    assert rows["http://a.test/copy"]["duplicate_of"] == "http://a.test/two"
    assert rows["http://a.test/"]["fetched_at"].isoformat() == "2024-05-01T12:00:00+00:00"
    numbers = done.report.statistics
    assert (done.report.state, done.broken) == ("finished", [])
    assert_import_adds_up(numbers)
    assert numbers["records"] == len(data)
    assert (numbers["records.other"], numbers["records.unaddressed"]) == (3, 3)
    assert (numbers["records.revisit"], numbers["records.older"]) == (2, 1)
    assert (numbers["links.unfollowed"], numbers["links.other"]) == (2, 1)
    assert numbers["duplicates"] == 1


EARLIER, LATER = "2024-01-01T00:00:00Z", "2024-06-01T00:00:00Z"
DIGEST = ("WARC-Payload-Digest", "sha1:AAAA")
BY_MOMENT = (("WARC-Refers-To-Target-URI", "http://b.test/x"), ("WARC-Refers-To-Date", EARLIER))
RECORD_ID = "<urn:uuid:1>"


@pytest.mark.parametrize(
    ("own", "refers"),
    [
        ((DIGEST,), (("WARC-Payload-Digest", "SHA1:aaaa"),)),
        ((), BY_MOMENT),
        ((("WARC-Record-ID", RECORD_ID),), (("WARC-Refers-To", RECORD_ID),)),
    ],
)
@pytest.mark.parametrize("packed", [in_members, lambda records: gzip.compress(b"".join(records))])
def test_a_revisit_of_a_record_in_another_file(
    tmp_path: Path, own: Any, refers: Any, packed: Any
) -> None:
    """By its digest, by address and time, or by the id of the record."""
    original = response("http://b.test/x", page_html("original"), date=EARLIER, headers=own)
    newer = response("http://b.test/x", page_html("newer"), date=LATER)
    revisit = record("revisit", "http://a.test/y", answer(b""), date=LATER, headers=refers)
    done = imported(
        tmp_path,
        written(tmp_path / "first.warc.gz", packed([revisit, warcinfo()])),
        written(tmp_path / "second.warc.gz", packed([original, newer])),
    )
    rows = rows_of(tmp_path, done)
    titles = {url: (row["outcome"], row["title"]) for url, row in rows.items()}
    assert titles == {
        "http://a.test/y": ("ok", "original"),
        "http://b.test/x": ("ok", "newer"),
    }
    assert rows["http://a.test/y"]["fetched_at"].isoformat() == "2024-06-01T00:00:00+00:00"
    numbers = done.report.statistics
    assert_import_adds_up(numbers)
    assert (numbers["records.revisit"], numbers["records.resolved"]) == (1, 1)
    assert numbers["records.older"] == 1


def test_the_newest_record_may_be_a_revisit(tmp_path: Path) -> None:
    """The page went back to what it was at first."""
    url = "http://a.test/"
    data = [
        response(url, page_html("first"), date=EARLIER, headers=[DIGEST]),
        response(url, page_html("second"), date="2024-03-01T00:00:00Z"),
        record("revisit", url, b"", date=LATER, headers=[DIGEST]),
        record("revisit", url, b"", date="2024-02-01T00:00:00Z", headers=[DIGEST]),
    ]
    done = imported(tmp_path, written(tmp_path / "a.warc.gz", in_members(data)))
    assert rows_of(tmp_path, done)[url]["title"] == "first"
    assert done.report.statistics["records.resolved"] == 2
    assert_import_adds_up(done.report.statistics)


def test_revisits_that_stand_for_themselves(tmp_path: Path) -> None:
    moved = answer(b"", status="301 Moved", headers="Location: /x\r\n")
    gone = ("WARC-Payload-Digest", "sha1:NOWHERE")
    data = [
        response("http://a.test/x", page_html("x"), headers=[DIGEST]),
        response("http://a.test/old", b"", status="302 Found", http="Location: /x\r\n"),
        record("revisit", "http://a.test/moved", moved, headers=[DIGEST]),
        record("revisit", "http://a.test/lost", answer(b""), headers=[gone]),
        record("revisit", "http://a.test/bare", answer(b"")),
    ]
    done = imported(tmp_path, written(tmp_path / "a.warc.gz", in_members(data)))
    rows = rows_of(tmp_path, done)
    outcomes = {url.rpartition("/")[2]: row["outcome"] for url, row in rows.items()}
    assert outcomes == {
        "x": "ok",
        "old": "redirect",
        "moved": "redirect",
        "lost": "not_modified",
        "bare": "not_modified",
    }
    assert "records.resolved" not in done.report.statistics or (
        done.report.statistics["records.resolved"] == 0
    )


def test_many_revisits_of_one_record(tmp_path: Path) -> None:
    """More than one batch has room for."""
    data = [response("http://b.test/x", page_html("original"), headers=[DIGEST])]
    data += [
        record("revisit", f"http://a.test/{number}", answer(b""), headers=[DIGEST])
        for number in range(450)
    ]
    done = imported(tmp_path, written(tmp_path / "a.warc.gz", in_members(data)))
    rows = rows_of(tmp_path, done)
    assert len(rows) == 451
    assert {row["title"] for row in rows.values()} == {"original"}
    assert_import_adds_up(done.report.statistics)


def test_what_can_be_done_with_a_run_can_be_done_with_an_import(tmp_path: Path) -> None:
    body = page_html("home", "/two")
    packed = response(
        "http://a.test/", gzip.compress(body), http=HTML + "Content-Encoding: gzip\r\n"
    )
    moved = response("http://a.test/old", b"", status="302 Found", http="Location: /\r\n")
    path = written(tmp_path / "a.warc", packed + moved)
    done = imported(tmp_path, path, name="mine")
    home = Home(tmp_path)
    (run,) = home.runs()
    assert (run.name, run.state, run.seeds) == ("mine-1", "finished", (str(path),))
    assert home.page("mine-1", "http://a.test/")["aliases"] == ["http://a.test/old"]
    (link,) = home.page_links("mine-1", "http://a.test/")
    assert link["target"] == "http://a.test/two"
    assert home.page_html("mine-1", "http://a.test/") == body.decode()
    assert is_import(home, "mine-1")
    assert done.report.run == "mine-1"


def test_the_newest_record_of_a_url_counts(tmp_path: Path) -> None:
    def version(number: int, date: str) -> bytes:
        return response("http://a.test/", page_html(f"version{number}"), date=date)

    files = [
        written(tmp_path / "1.warc", version(1, "2020-01-01T00:00:00Z")),
        written(
            tmp_path / "2.warc.gz",
            in_members([version(2, "2023-01-01T00:00:00Z"), version(3, "2022-01-01T00:00:00Z")]),
        ),
        written(tmp_path / "3.warc", version(4, "2021-01-01T00:00:00Z")),
    ]
    done = imported(tmp_path, *files)
    (row,) = rows_of(tmp_path, done).values()
    assert row["title"] == "version2"
    assert done.report.statistics["records.older"] == 3
    assert_import_adds_up(done.report.statistics)


def test_a_whole_record_goes_before_a_newer_one_that_is_cut_short(tmp_path: Path) -> None:
    whole = response("http://a.test/", page_html("whole"), date="2020-01-01T00:00:00Z")
    cut = response("http://a.test/", page_html("cut"), date="2024-01-01T00:00:00Z")[:-50]
    only = response("http://a.test/only", page_html("only"))[:-50]
    files = [written(tmp_path / "1.warc", whole + cut), written(tmp_path / "2.warc", only)]
    done = imported(tmp_path, *files)
    rows = rows_of(tmp_path, done)
    assert rows["http://a.test/"]["title"] == "whole"
    assert rows["http://a.test/only"]["outcome"] == "protocol_error"
    assert [(Path(one.path).name, one.place) for one in done.broken] == [
        ("1.warc", len(whole)),
        ("2.warc", 0),
    ]
    assert done.report.statistics["records.broken"] == 2


def test_pages_that_their_writer_cut_are_taken(tmp_path: Path) -> None:
    data = response("http://a.test/", page_html("long"), headers=[("WARC-Truncated", "length")])
    (row,) = rows_of(tmp_path, imported(tmp_path, written(tmp_path / "a.warc", data))).values()
    assert (row["outcome"], row["title"], row["truncated"]) == ("ok", "long", True)


def test_directives_are_obeyed(tmp_path: Path) -> None:
    http = HTML + "X-Robots-Tag: noindex\r\n"
    path = written(tmp_path / "a.warc", response("http://a.test/", page_html("no"), http=http))
    assert imported(tmp_path, path, name="a").report.statistics.get("documents", 0) == 0
    done = imported(tmp_path, path, name="b", obey_robots=False)
    assert done.report.statistics["documents"] == 1


# Packings, parts and processes


def many(host: str, count: int) -> list[bytes]:
    return [response(f"http://{host}/{number}", page_html(f"n{number}")) for number in range(count)]


@pytest.mark.parametrize("packing", ["plain", "members", "solid", "zstd", "mixed"])
def test_packings(tmp_path: Path, packing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "MOST_RECORDS", 7)  # several answers a file
    monkeypatch.setattr("gossamer.importing.ledger._BATCH_RECORDS", 10)
    records = many("a.test", 55)
    path = tmp_path / "a.warc"
    if packing == "zstd":
        in_frames(records, path)
    else:
        pack: dict[str, Callable[[list[bytes]], bytes]] = {
            "plain": b"".join,
            "members": in_members,
            "solid": lambda all_: gzip.compress(b"".join(all_)),
            # It looks as if it could be entered, until the records share a place.
            "mixed": lambda all_: in_members(all_[:20]) + gzip.compress(b"".join(all_[20:])),
        }
        written(path, pack[packing](records))
    done = imported(tmp_path, path)
    rows = rows_of(tmp_path, done)
    assert {row["title"] for row in rows.values()} == {f"n{number}" for number in range(55)}
    assert_import_adds_up(done.report.statistics)
    assert done.report.statistics["records"] == 55
    assert done.broken == []


def test_a_large_file_is_surveyed_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "PART_BYTES", 3_000)
    records = many("a.test", 120)
    # A member within a member looks like the beginning of a record; it is the content of one.
    inner = in_members(many("inner.test", 60))
    archive = response("http://a.test/inner.warc.gz", inner, http="Content-Type: x/y\r\n")
    stored = gzip.compress(archive, compresslevel=0)
    data = in_members(records[:60]) + stored + in_members(records[60:])
    done = imported(tmp_path, written(tmp_path / "a.warc.gz", data))
    rows = rows_of(tmp_path, done)
    assert len(rows) == 121
    assert not any("inner.test" in url for url in rows)
    assert done.report.statistics["records"] == 121
    assert done.broken == []


def test_broken_places_are_told_with_file_and_offset(tmp_path: Path) -> None:
    members = [gzip.compress(one) for one in many("a.test", 5)]
    members[2] = members[2][:60] + b"\xff\xff\xff\xff" + members[2][64:]
    path = written(tmp_path / "a.warc.gz", b"".join(members))
    solid = gzip.compress(b"".join(many("b.test", 5)))[:-100]
    other = written(tmp_path / "b.warc.gz", solid)
    done = imported(tmp_path, path, other)
    assert {url for url in rows_of(tmp_path, done) if "a.test" in url} == {
        f"http://a.test/{number}" for number in (0, 1, 3, 4)
    }
    first, second = done.broken
    assert (first.path, first.place) == (str(path), len(members[0]) + len(members[1]))
    assert (second.path, second.by_number) == (str(other), True)
    assert done.report.state == "finished"
    assert_import_adds_up(done.report.statistics)


# Which run


def test_the_same_files_again(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc", b"".join(many("a.test", 3)))
    first = imported(tmp_path, path)
    again = imported(tmp_path, path)
    assert again.report.run == first.report.run
    assert "--new" in again.report.reason
    assert again.report.statistics == first.report.statistics
    other = imported(tmp_path, path, new=True)
    assert other.report.run == "a-2"
    assert len(rows_of(tmp_path, other)) == 3


def test_other_files_under_the_same_name(tmp_path: Path) -> None:
    imported(tmp_path, written(tmp_path / "a.warc", b"".join(many("a.test", 3))), name="x")
    with pytest.raises(RunError, match="made from other files"):
        imported(tmp_path, written(tmp_path / "b.warc", b"".join(many("b.test", 3))), name="x")


def test_a_crawl_of_the_same_name(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.make()
    run = home.catalogue.create_run("x", ["http://a.test/"], {})
    home.catalogue.update(run.id, started_at=1.0)
    path = written(tmp_path / "a.warc", b"".join(many("a.test", 3)))
    with pytest.raises(RunError, match="is not an import"):
        imported(tmp_path, path, name="x")


def test_every_file_is_looked_at_before_anything_is_done(tmp_path: Path) -> None:
    good = written(tmp_path / "a.warc", b"".join(many("a.test", 3)))
    bad = [written(tmp_path / "b.warc", b"<html>"), tmp_path / "missing.warc"]
    with pytest.raises(UsageError, match=r"b\.warc' is no WARC file(.|\n)*does not exist"):
        imported(tmp_path, good, *bad)
    assert Home(tmp_path).runs() == []


def test_files_without_a_page(tmp_path: Path) -> None:
    done = imported(tmp_path, written(tmp_path / "a.warc", warcinfo()))
    assert (done.report.state, done.report.reason) == ("finished", "the files contain no pages")
    assert done.report.statistics["stored.pages"] == 0


def test_a_file_given_twice_is_one(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc", b"".join(many("a.test", 3)))
    done = imported(tmp_path, path, tmp_path / "." / "a.warc")
    assert done.report.statistics["records"] == 3


# Stopping and going on


def stopped_after(home: Path, path: Path, pages: int, **settings: Any) -> Imported:
    """An import that was asked to stop when it had made so many pages."""

    def watch(progress: Any) -> None:
        if not progress.is_survey and progress.done >= pages:
            (run,) = Home(home).runs()
            Home(home).folder(run.name).control.write_text("stop\n")

    values = {"processes": False, "fetchers": 1, "segment_pages": 20, **settings}
    return import_files(Home(home), [path], CrawlSettings(**values), on_progress=watch)


def test_stopping_and_going_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.importing.ledger._BATCH_RECORDS", 10)
    monkeypatch.setattr("gossamer.importing.conductor._TICK_SECONDS", 0.0)
    path = written(tmp_path / "a.warc.gz", in_members(many("a.test", 200)))
    first = stopped_after(tmp_path, path, 30)
    assert (first.report.state, first.report.reason) == ("stopped", "stopped by the user")
    assert 30 <= len(rows_of(tmp_path, first)) < 200
    assert_import_adds_up(first.report.statistics)
    rest = resume(Home(tmp_path), first.report.run, lambda _: None)
    assert rest.report.state == "finished"
    assert len(rows_of(tmp_path, rest)) == 200
    assert_import_adds_up(rest.report.statistics)


def test_a_file_that_has_changed_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.importing.ledger._BATCH_RECORDS", 10)
    monkeypatch.setattr("gossamer.importing.conductor._TICK_SECONDS", 0.0)
    path = written(tmp_path / "a.warc.gz", in_members(many("a.test", 200)))
    first = stopped_after(tmp_path, path, 30)
    written(path, in_members(many("a.test", 190)))
    with pytest.raises(RunError, match="has changed since the import began"):
        imported(tmp_path, path)
    path.unlink()
    with pytest.raises(RunError, match="cannot be read any more"):
        resume(Home(tmp_path), first.report.run, lambda _: None)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc", b"".join(many("a.test", 3)))
    done = imported(tmp_path, path)
    lock = FileLock(Home(tmp_path).folder(done.report.run).lock)
    assert lock.acquire()
    try:
        with pytest.raises(RunError, match="is working on"):
            imported(tmp_path, path)
    finally:
        lock.release()


def test_killed_before_its_files_were_noted(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc", b"".join(many("a.test", 3)))
    home = Home(tmp_path)
    home.make()
    run = home.catalogue.create_run("a", [str(path)], CrawlSettings().model_dump(mode="json"))
    done = imported(tmp_path, path)
    assert done.report.run == run.name
    home.delete(run.name)
    run = home.catalogue.create_run("a", [str(path)], CrawlSettings().model_dump(mode="json"))
    folder = home.folder(run.name).path
    folder.mkdir(parents=True)
    Ledger(folder / "import.db").close()
    assert len(rows_of(tmp_path, imported(tmp_path, path))) == 3


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("CC-MAIN-2024-00001.warc.gz", "CC-MAIN-2024-00001"),
        ("x.warc.wet.gz", "x"),
        ("rec-2024 (copy).warc", "rec-2024-copy"),
        ("ä.warc.zst", "import"),
        ("a" * 200 + ".warc", "a" * 100),
        ("warc", "warc"),
    ],
)
def test_names(file: str, name: str) -> None:
    assert name_of(Path(file)) == name
    CrawlSettings(name=name)


def test_what_was_forgotten_is_not_imported_again(tmp_path: Path) -> None:
    home = Home(tmp_path)
    path = written(tmp_path / "a.warc", b"".join(many("a.test", 3) + many("b.test", 2)))
    first = imported(tmp_path, path, name="x").report.run
    wanted = takedowns.read(home, first, ["http://a.test/1"], ["b.test"])
    gone = takedowns.forget(home, first, wanted)
    assert gone.pages == 3
    (run,) = home.runs()
    assert run.statistics["stored.pages"] == 2
    assert_import_adds_up(run.statistics)
    again = imported(tmp_path, path, name="x", new=True)
    assert set(rows_of(tmp_path, again)) == {"http://a.test/0", "http://a.test/2"}
    assert again.report.statistics["excluded.forgotten"] == 3
    assert_import_adds_up(again.report.statistics)


# Settings that an import heeds


def test_addresses_that_are_the_same_page(tmp_path: Path) -> None:
    """The rules of keys hold: and a redirect from one spelling to another is not the page."""
    tagged = "http://a.test/x?utm_source=mail"
    data = [
        response("http://a.test/x", page_html("page"), date="2024-01-01T00:00:00Z"),
        response(tagged, b"", status="302 Found", http="Location: /x\r\n"),
        response("http://a.test/old", page_html("before"), date="2020-01-01T00:00:00Z"),
        response("http://a.test/old", b"", status="301 Moved", http="Location: /new\r\n"),
        response("http://a.test/y?utm_source=a", b"", status="302 Found", http="Location: /y\r\n"),
    ]
    path = written(tmp_path / "a.warc", b"".join(data))
    done = imported(tmp_path, path)
    rows = rows_of(tmp_path, done)
    assert {url: row["outcome"] for url, row in rows.items()} == {
        "http://a.test/x": "ok",
        "http://a.test/old": "redirect",
        "http://a.test/y?utm_source=a": "redirect",
    }
    assert done.report.statistics["records.older"] == 2
    apart = imported(tmp_path, path, name="apart", drop_parameters=())
    assert rows_of(tmp_path, apart)[tagged]["outcome"] == "redirect"
    assert Home(tmp_path).page(done.report.run, tagged)["title"] == "page"


def test_what_is_left_out(tmp_path: Path) -> None:
    blocked = written(tmp_path / "blocked.txt", b"bad.test\n")
    urls = [
        "http://a.test/keep/1",
        "http://a.test/drop/1",
        "http://www.bad.test/",
        "http://b.test/",
    ]
    deep = "http://a.test/keep/" + "a/b/" * 15  # of no interest to a crawl, but here it is
    path = written(tmp_path / "a.warc", b"".join(response(url) for url in [*urls, deep]))
    done = imported(
        tmp_path, path, include=("*/keep/*",), exclude=("*/drop/*",), block_lists=(str(blocked),)
    )
    assert set(rows_of(tmp_path, done)) == {urls[0], deep}
    numbers = done.report.statistics
    assert numbers["excluded.pattern"] + numbers.get("excluded.blocked", 0) == 3
    assert_import_adds_up(numbers)
    with pytest.raises(SettingsError):
        imported(tmp_path, path, name="x", block_lists=(str(tmp_path / "missing"),))


def test_languages(tmp_path: Path) -> None:
    german = (
        "Dies ist ein deutscher Text, der von niemandem für einen englischen gehalten wird. " * 3
    )
    english = "This is an English text, and nobody would take it for one in German, I suppose. " * 3
    data = b"".join(
        response(f"http://a.test/{name}", f"<title>{name}</title><p>{text}</p>".encode())
        for name, text in (("de", german), ("en", english))
    )
    done = imported(tmp_path, written(tmp_path / "a.warc", data), languages=("de",))
    rows = rows_of(tmp_path, done)
    assert {url[-2:]: row["outcome"] for url, row in rows.items()} == {"de": "ok", "en": "language"}
    assert rows["http://a.test/en"]["text"] == ""


def test_plugins(tmp_path: Path) -> None:
    plugin = written(
        tmp_path / "mine.py",
        b"def keep_url(url, page):\n    return 'no' not in url\n"
        b"def on_page(page):\n    return {'words': len(page.text.split())}\n",
    )
    path = written(
        tmp_path / "a.warc", response("http://a.test/no") + response("http://a.test/yes")
    )
    done = imported(tmp_path, path, plugins=(str(plugin),))
    (row,) = rows_of(tmp_path, done).values()
    assert row["url"] == "http://a.test/yes"
    assert done.report.statistics["excluded.filter"] == 1


def test_listings_and_documents_of_other_formats(tmp_path: Path) -> None:
    sitemap = b"<?xml version='1.0'?><urlset><url><loc>http://a.test/x</loc></url></urlset>"
    data = [
        response("http://a.test/sitemap.xml", sitemap, http="Content-Type: text/xml\r\n"),
        response(
            "http://a.test/paper", pdf(["The text of a paper."]), http="Content-Type: x/y\r\n"
        ),
    ]
    done = imported(tmp_path, written(tmp_path / "a.warc.gz", in_members(data)))
    rows = rows_of(tmp_path, done)
    assert rows["http://a.test/sitemap.xml"]["outcome"] == "listing"
    assert "The text of a paper" in rows["http://a.test/paper"]["text"]
    assert (done.report.statistics["pages"], done.report.statistics["documents"]) == (1, 1)
    assert_import_adds_up(done.report.statistics)
