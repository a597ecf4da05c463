"""Indexes by their names."""

import json
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.app.home import Home
from gossamer.app.indexes import Indexes
from gossamer.config import IndexSettings
from gossamer.errors import IndexHeld, StorageError
from gossamer.storage.query_log import AskedQuery, QueryLog


@pytest.mark.parametrize("shards", [1, 2])
def test_the_stamp_is_another_one_after_an_update_and_after_tuning(
    tmp_path: Path, shards: int
) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text(json.dumps({"id": "1", "text": "amber"}) + "\n")
    indexes = gossamer.open(tmp_path / "home")
    indexes.build("stones", (), documents, IndexSettings(language="en", shards=shards))
    stamps = [indexes.stamp("stones")]
    documents.write_text(json.dumps({"id": "1", "text": "basalt"}) + "\n")
    indexes.update("stones")
    stamps.append(indexes.stamp("stones"))
    indexes.update("stones")
    assert indexes.stamp("stones") == stamps[-1]
    indexes.tune("stones", {"b": 0.5})
    stamps.append(indexes.stamp("stones"))
    assert len(set(stamps)) == 3
    indexes.close()


def test_a_profile_of_ones_own_is_found_from_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text(json.dumps({"id": "1", "text": "amber"}) + "\n")
    (tmp_path / "own.toml").write_text('score = "7"\n')
    monkeypatch.chdir(tmp_path)
    indexes = gossamer.open(tmp_path / "home")
    indexes.build("stones", (), documents, IndexSettings())
    indexes.tune("stones", {"profile": "own.toml"})
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert indexes.search("stones", "amber").hits[0].score == 7.0
    indexes.close()


@pytest.mark.parametrize("shards", [1, 2])
def test_who_updates_an_index_finds_it_so_at_once(tmp_path: Path, shards: int) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text(json.dumps({"id": "1", "text": "amber"}) + "\n")
    indexes = gossamer.open(tmp_path / "home")
    settings = IndexSettings(language="en", shards=shards)
    indexes.build("stones", (), documents, settings)
    for word in ("basalt", "flint"):
        documents.write_text(json.dumps({"id": "1", "text": word}) + "\n")
        assert indexes.search("stones", word).total == 0
        if word == "flint":
            indexes.build("stones", (), documents, settings)
        else:
            indexes.update("stones")
        assert indexes.search("stones", word).total == 1
    indexes.close()


@pytest.mark.parametrize("shards", [1, 2])
@pytest.mark.parametrize("kind", ["*.json", "**/meta.json", "**/*.term", "**/*.npy"])
def test_a_damaged_index_can_be_built_anew_or_deleted(
    tmp_path: Path, shards: int, kind: str
) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text(json.dumps({"id": "1", "text": "amber"}) + "\n")
    settings = IndexSettings(language="en", shards=shards)
    for path in [tmp_path / "first", tmp_path / "second"]:
        indexes = gossamer.open(path)
        indexes.build("stones", (), documents, settings)
        for file in (path / "indexes" / "stones").glob(kind):
            file.write_bytes(file.read_bytes()[:3])
        with pytest.raises(StorageError):
            gossamer.open(path).search("stones", "ambr")
    indexes.delete("stones")
    assert indexes.names() == []
    with gossamer.open(tmp_path / "first") as indexes:
        indexes.build("stones", (), documents, settings)
        assert indexes.search("stones", "ambr").total == 1


def test_two_who_tune_at_once_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text(json.dumps({"id": "1", "text": "amber"}) + "\n")
    indexes = gossamer.open(tmp_path / "home")
    indexes.build("stones", (), documents, IndexSettings())
    check = Indexes._check

    def interrupted(self: Indexes, *given: Any) -> None:
        monkeypatch.setattr(Indexes, "_check", check)
        with pytest.raises(IndexHeld):
            gossamer.open(tmp_path / "home").tune("stones", {"b": 0.5})
        check(self, *given)

    monkeypatch.setattr(Indexes, "_check", interrupted)
    indexes.tune("stones", {"k": 2.0})
    assert indexes.settings("stones").k == 2.0


def test_what_several_have_asked_is_suggested(tmp_path: Path) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text(json.dumps({"id": "1", "text": "amber"}) + "\n")
    home = tmp_path / "home"
    indexes = gossamer.open(home)
    indexes.build("stones", (), documents, IndexSettings(language="en"))
    asked = ["amber room"] * 3 + ["amber secret"]
    QueryLog(Home(home).catalogue.database).add(
        [
            AskedQuery(number, 1.0, "stones", text, 1, 1.0, None)
            for number, text in enumerate(asked, 1)
        ]
    )
    assert indexes.searcher("stones").suggest("amb") == []
    indexes.update("stones")
    indexes.close()
    assert indexes.searcher("stones").suggest("amb") == ["amber room"]
    indexes.close()


def test_documents_are_filtered_by_what_is_known_of_them(tmp_path: Path) -> None:
    english = "The amber lay on the beach, and the children took it home in a box with them."
    german = "Der Bernstein lag am Strand, und die Kinder nahmen ihn in einer Kiste mit heim."
    lines = [
        {"id": 1, "url": "https://en.stones.example/1", "text": english},
        {"id": 2, "url": "https://Stones.example/2", "text": german},
        {"id": 3, "url": "http://other.example/", "text": english, "sold": True},
    ]
    documents = tmp_path / "documents.jsonl"
    documents.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with gossamer.open(tmp_path / "home") as indexes:
        indexes.build("stones", (), documents, IndexSettings())

        def found(query: str, **filters: str) -> list[str]:
            answer = indexes.search("stones", query, filters=filters, group=False)
            return sorted(hit.id for hit in answer.hits)

        assert found("lang:de") == ["2"]
        assert found("amber -lang:de") == ["1", "3"]
        assert found("site:stones.example") == ["1", "2"]
        assert found("site:en.stones.example") == ["1"]
        assert found("amber", lang="en", site="other.example") == ["3"]
        assert found("sold:yes") == ["3"]
        answer = indexes.search("stones", "amber filetype:pdf url:beach")
        assert answer.total == 2
        assert [note.partition(":")[0] for note in answer.notes] == [
            "'filetype' is no field here",
            "'url' is no field here",
        ]


def test_a_language_of_ones_own_stays(tmp_path: Path) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text(json.dumps({"id": 1, "text": "amber", "lang": "Latin"}) + "\n")
    settings = IndexSettings(fields={"text": "text", "lang": "keyword"})
    with gossamer.open(tmp_path / "home") as indexes:
        indexes.build("stones", (), documents, settings)
        assert indexes.search("stones", "lang:latin").total == 1


@pytest.mark.parametrize("fields", [{}, {"text": "text"}, {"text": "text", "url": "text"}])
def test_addresses_of_documents_are_known_whatever_is_declared(
    tmp_path: Path, fields: dict[str, str]
) -> None:
    documents = tmp_path / "documents.jsonl"
    one = {"id": "1", "url": "https://heron.example/quay", "text": "amber on the quay"}
    documents.write_text(json.dumps(one) + "\n")
    indexes = gossamer.open(tmp_path / "home")
    indexes.build("stones", (), documents, IndexSettings(fields=fields))
    for query in ("amber site:heron.example", "https://heron.example/quay", "heron.example"):
        (hit,) = indexes.search("stones", query).hits
        assert (hit.id, hit.site) == ("1", "heron.example")
    indexes.close()
