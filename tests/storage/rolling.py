"""Attempts to roll, and what a store has to hold afterwards."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from gossamer.records import CommittedAttempt
from gossamer.storage.manifest import Manifest
from gossamer.storage.objects import ObjectFile, ObjectStore
from gossamer.storage.segments import Roller
from gossamer.storage.staging import AttemptWriter
from gossamer.storage.warc import read_response

from .rows import exchange, found_link, page_row


def stage(
    objects: ObjectStore,
    number: int,
    pages: int,
    *,
    server: int = 0,
    links: int = 1,
    duplicates: dict[str, str] | None = None,
    body: bytes = b"",
) -> CommittedAttempt:
    name = f"{server:03d}-{number:010d}"
    writer = AttemptWriter(objects, name, keep_raw=True)
    for place in range(pages):
        url = f"https://example.org/{server}/{number}/{place}"
        found = [found_link(f"{url}/link-{link}") for link in range(links)]
        writer.add(page_row(url), found, exchange(url, body=body or url.encode()))
    stored = writer.finish()
    return CommittedAttempt(server, number, name if stored else "", duplicates or {})


def urls_of(attempts: Sequence[CommittedAttempt], pages: Sequence[int]) -> list[str]:
    return [
        f"https://example.org/{attempt.server}/{attempt.number}/{place}"
        for attempt, count in zip(attempts, pages, strict=True)
        for place in range(count)
    ]


def roller(objects: ObjectStore, scratch: Path, segment_pages: int = 1000, **more: Any) -> Roller:
    return Roller(
        objects,
        scratch,
        run_name="example.org-1",
        segment_pages=segment_pages,
        keep_raw=more.get("keep_raw", True),
    )


def table(objects: ObjectStore, name: str) -> Any:
    data = objects.get(name)
    assert data is not None
    return pq.read_table(ObjectFile(objects, name, len(data)))


def page_rows(objects: ObjectStore) -> list[dict[str, Any]]:
    files = [segment.pages_file for segment in Manifest.load(objects).segments]
    return [row for file in files if file for row in table(objects, file.name).to_pylist()]


def link_rows(objects: ObjectStore) -> list[dict[str, Any]]:
    files = [segment.links_file for segment in Manifest.load(objects).segments]
    return [row for file in files if file for row in table(objects, file.name).to_pylist()]


def check_store(objects: ObjectStore, urls: list[str]) -> None:
    """The store holds these pages, each once and in this order, and nothing else."""
    rows = page_rows(objects)
    assert [row["url"] for row in rows] == urls
    assert [row["source"] for row in link_rows(objects)] == urls
    for row in rows:
        member = objects.get_range(row["warc_file"], row["warc_offset"], row["warc_length"])
        assert member is not None
        assert read_response(member, "raw").body == row["url"].encode()
    manifest = Manifest.load(objects)
    files = [file for segment in manifest.segments for file in segment.files]
    assert objects.list("segments/") == sorted(file.name for file in files)
    for file in files:
        assert len(objects.get(file.name) or b"") == file.bytes
    assert manifest.pages == sum(segment.pages for segment in manifest.segments) == len(urls)
    assert manifest.links == sum(segment.links for segment in manifest.segments) == len(urls)
