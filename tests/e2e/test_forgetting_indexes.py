"""What a run has to forget, the indexes that are made of it forget as well: words and bytes."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Home
from gossamer.app import crawl as conduct
from gossamer.app.indexes import Indexes
from gossamer.app.takedowns import forget, read
from gossamer.config import CrawlSettings, IndexSettings
from gossamer.index.writer import IndexWriter
from gossamer.lib.locks import FileLock
from tests.cli.commands import call
from tests.small_web import SmallWeb, linking
from tests.storage.traces import traces_in_files

SECRET = "rumpelstilzchen"
HOST = {
    "/": linking("/secret|Read this", "/other", text="Where everything begins, in a few words."),
    "/secret": linking(title=f"On {SECRET}", text=f"The queen says that it is {SECRET} who spins."),
    "/other": linking(text="Another story, of a frog and of a well in the garden."),
}

shards = pytest.mark.parametrize("shards", [1, 2])


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb({"a.test": dict(HOST)}) as running:
        yield running


@pytest.fixture
def home(tmp_path: Path, web: SmallWeb) -> Home:
    home = Home(tmp_path / "home")
    settings: dict[str, Any] = {"delay_seconds": 0, "processes": False, "fetchers": 1}
    conduct(
        home,
        CrawlSettings(
            name="tales",
            seeds=(web.url("a.test"),),
            allow_private=True,
            resolve=web.resolve,
            **settings,
        ),
        mode="new",
        on_progress=lambda _: None,
    )
    return home


def build(home: Home, shards: int) -> Indexes:
    indexes = Indexes(home)
    indexes.build("tales", ("tales-1",), None, IndexSettings(shards=shards))
    return indexes


def found(home: Home) -> list[str]:
    """Read by a process of its own, as it were: nothing is kept open."""
    indexes = Indexes(home)
    try:
        answer = indexes.search("tales", SECRET)
        return [hit.url for hit in answer.hits] + list(
            indexes.searcher("tales").suggest(SECRET[:5])
        )
    finally:
        indexes.close()


def data_files(home: Home) -> list[Path]:
    folder = home.path / "indexes" / "tales"
    inner = ("parts", "generations", "shards", "sets")
    return [path for path in folder.rglob("*") if path.is_file() and set(inner) & set(path.parts)]


@shards
def test_no_answer_and_no_file_holds_it(
    home: Home, web: SmallWeb, tmp_path: Path, shards: int
) -> None:
    build(home, shards).close()
    url = web.url("a.test", "/secret")
    assert url in found(home)
    # Kept under other names, so that no new file gets the number of an old one.
    kept = tmp_path / "kept"
    kept.mkdir()
    for number, path in enumerate(data_files(home)):
        os.link(path, kept / str(number))
    old = {path.stat().st_ino for path in kept.iterdir()}
    ended = call("forget", "tales-1", "--url", url, "--yes", home=home.path)
    assert ended.code == 0, ended.err
    assert "Also removed from the index: tales." in ended.out
    assert found(home) == []
    assert traces_in_files(home.path / "indexes", SECRET) == []
    left = [path for path in data_files(home) if path.stat().st_ino in old and path.stat().st_size]
    assert left == []
    assert Indexes(home).info("tales").documents == 2


@shards
def test_an_interrupted_one_is_finished(
    home: Home, web: SmallWeb, monkeypatch: pytest.MonkeyPatch, shards: int
) -> None:
    build(home, shards).close()
    write = IndexWriter.write

    def dies_when_it_rebuilds(*arguments: Any, **named: Any) -> Any:
        if named.get("rebuild"):
            raise KeyboardInterrupt
        return write(*arguments, **named)

    wanted = read(home, "tales-1", [web.url("a.test", "/secret")], [])
    with monkeypatch.context() as patched:
        patched.setattr(IndexWriter, "write", dies_when_it_rebuilds)
        with pytest.raises(KeyboardInterrupt):
            forget(home, "tales-1", wanted)
    assert found(home)[:1] != [web.url("a.test", "/secret")]  # it is not answered any more
    assert not Indexes(home).is_clean("tales")
    ended = call("run", "tidy", "tales-1", home=home.path)
    assert ended.code == 0, ended.err
    assert Indexes(home).is_clean("tales")
    assert found(home) == []
    assert traces_in_files(home.path / "indexes", SECRET) == []


def test_an_index_that_somebody_writes_to_is_named(home: Home, web: SmallWeb) -> None:
    build(home, 1).close()
    lock = FileLock(home.path / "indexes" / "tales" / "writer.lock")
    assert lock.acquire()
    arguments = ("forget", "tales-1", "--url", web.url("a.test", "/secret"), "--yes")
    ended = call(*arguments, home=home.path)
    assert ended.code == 1
    assert "The index 'tales' may still contain it" in ended.err
    assert f"Process {os.getpid()}" in ended.err
    assert "gossamer index update tales" in ended.err
    lock.release()
    assert call(*arguments, home=home.path).code == 0
    assert found(home) == []


def test_an_index_built_later_has_nothing_to_forget(home: Home, web: SmallWeb) -> None:
    wanted = read(home, "tales-1", [web.url("a.test", "/secret")], [])
    assert forget(home, "tales-1", wanted).indexes == ()
    indexes = build(home, 1)
    assert indexes.is_clean("tales")
    generation = indexes.info("tales").generation
    indexes.update("tales")
    assert indexes.info("tales").generation == generation == 1
    indexes.close()


def test_of_other_runs_nothing_is_written(home: Home, web: SmallWeb) -> None:
    documents = home.path / "documents.jsonl"
    documents.write_text('{"id": "1", "text": "amber"}\n')
    indexes = Indexes(home)
    indexes.build("stones", (), documents, IndexSettings(language="en"))
    stamp = indexes.stamp("stones")
    wanted = read(home, "tales-1", [web.url("a.test", "/secret")], [])
    assert forget(home, "tales-1", wanted).indexes == ()
    assert indexes.stamp("stones") == stamp
    indexes.close()
