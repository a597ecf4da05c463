"""`gossamer index put`, `patch`, `remove`, `changes` and `drop-changes`, as people type them."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import call


@pytest.fixture
def home(tmp_path: Path) -> Path:
    file = tmp_path / "stones.jsonl"
    lines = [{"id": number, "text": "amber", "price": number} for number in range(3)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ended = call("index", "build", "stones", "--documents", str(file), home=tmp_path)
    assert ended.code == 0, ended.err
    return tmp_path


def _found(home: Path, query: str) -> list[str]:
    found = call("search", "stones", query, "--json", home=home).object
    return sorted(hit["id"] for hit in found["hits"])


def test_put_patch_and_remove(home: Path) -> None:
    file = home / "more.json"
    file.write_text('[{"id": "a", "text": "basalt"},\n {"id": 1, "text": "flint", "price": 7}]')
    put = call("index", "put", "stones", str(file), "--json", home=home)
    assert (put.code, put.object["added"], put.object["changed"]) == (0, 1, 1)
    file.write_text('{"id": "a", "price": 70}\n\n{"id": "b", "price": 1}\n{"price": 1}\n')
    patched = call("index", "patch", "stones", str(file), home=home)
    assert patched.code == 1
    assert "Index stones: 1 changed, 1 missing, 1 refused." in patched.out
    assert "Document 3 (b) missing" in patched.err
    assert "Document 4 refused: The document has neither 'id' nor 'url'." in patched.err
    removed = call("index", "remove", "stones", "0", home=home)
    assert (removed.code, removed.out) == (0, "Index stones: 1 removed.\n")
    assert [_found(home, query) for query in ("basalt", "price:70", "amber")] == [
        *(["a"], ["a"], ["2"])
    ]
    updated = call("index", "update", "stones", home=home)
    assert "3 stored changes applied after the files" in updated.out
    assert "1 put, 0 patched" not in call("index", "show", "stones", home=home).out
    assert "2 put, 0 patched, 1 removed" in call("index", "show", "stones", home=home).out
    listed = call("index", "changes", "stones", "--json", home=home).object
    assert [(one["id"], one["kind"]) for one in listed["changes"]] == [
        *(("1", "put"), ("a", "put"), ("0", "remove"))
    ]
    dropped = call("index", "drop-changes", "stones", "--yes", "--json", home=home).object
    assert (dropped["dropped"], dropped["deleted"]) == (3, 1)
    assert "no stored changes" in call("index", "changes", "stones", home=home).out
    assert _found(home, "amber") == ["0", "1", "2"]


def test_files_of_other_formats(home: Path) -> None:
    file = home / "more.csv"
    file.write_text("id;text;price\na;basalt;7\n;flint;1\n0;slate;70\n")
    put = call("index", "put", "stones", str(file), "--json", home=home)
    assert (put.code, put.object["added"], put.object["changed"]) == (1, 1, 1)
    assert put.object["refused"] == 1
    (detail,) = put.object["details"]
    assert (detail["line"], detail["message"]) == (3, "The document has neither 'id' nor 'url'.")
    assert (_found(home, "basalt"), _found(home, "price:70")) == (["a"], ["0"])
    packed = home / "patches.jsonl.gz"
    packed.write_bytes(gzip.compress(b'{"id": "a", "price": 9}\n'))
    assert call("index", "patch", "stones", str(packed), home=home).code == 0
    assert _found(home, "price:9") == ["a"]
    file.write_bytes(b"%PDF-1.4 ...")
    assert "PDF" in call("index", "put", "stones", str(file), home=home).err


def test_a_build_names_types_that_it_keeps(home: Path) -> None:
    file = home / "stones.jsonl"
    lines = [{"id": number, "text": "amber", "price": "call us"} for number in range(3)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = ["index", "build", "stones", "--documents", str(file)]
    assert "'price' keeps its type number" in call(*arguments, home=home).err
    told = call(*arguments, "--json", home=home).object
    assert told["overruled_types"]["price"] == "keyword"
    assert told["field_types"]["price"] == "number"
    told = call(*arguments, "--reset", "--json", home=home).object
    assert (told["overruled_types"], told["field_types"]["price"]) == ({}, "keyword")


def test_standard_input(home: Path) -> None:
    def piped(text: str, *arguments: str) -> str:
        command = [sys.executable, "-m", "gossamer.cli", "--home", str(home), *arguments, "--json"]
        data = text.encode("latin-1")
        ended = subprocess.run(command, input=data, capture_output=True, check=True)
        return ended.stdout.decode()

    assert '"added": 2' in piped('{"id":"a","text":"x"}\n{"id":"b"}', "index", "put", "stones")
    assert '"changed": 1' in piped('{"id":"a","price":5}', "index", "patch", "stones", "-")
    assert '"removed": 2' in piped("a\nb\n", "index", "remove", "stones", "--from-file", "-")
    table = "id;text;price\nc;basalt;7\n"
    assert '"added": 1' in piped(table, "index", "put", "stones", "-")
    packed = gzip.compress(b'{"id":"d","text":"basalt"}\n')
    assert '"added": 1' in piped(packed.decode("latin-1"), "index", "put", "stones", "-")


def test_an_id_that_is_no_text(home: Path) -> None:
    ended = call("index", "remove", "stones", "\udcff", home=home)
    assert (ended.code, ended.out) == (1, "Index stones: 1 refused.\n")
    assert "The id is not valid Unicode." in ended.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("index", "put", "stones", "none.jsonl"), "none.jsonl cannot be read"),
        (("index", "put", "nothing", "FILE"), "There is no index 'nothing'"),
        (("index", "remove", "stones"), "--from-file"),
        (("index", "drop-changes", "stones", "--json"), "Add --yes"),
        (("index", "delete", "stones", "--json"), "Add --yes"),
        (("index", "build", "stones", "--from", "none-1"), "no run 'none-1'"),
    ],
)
def test_wrong_usage(home: Path, arguments: tuple[str, ...], message: str) -> None:
    file = home / "more.jsonl"
    file.write_text('{"id": "a"}\n')
    given = [str(file) if word == "FILE" else word for word in arguments]
    ended = call(*given, home=home)
    assert ended.code in (1, 2)
    assert message in ended.err
    assert call("index", "list", "--json", home=home).object["indexes"]


def test_a_build_says_which_settings_it_used(home: Path) -> None:
    call("index", "tune", "stones", "--k", "2", "--weight", "amber=3", home=home)
    config = home / "index.toml"
    config.write_text("k = 1.5\n")
    arguments = ["index", "build", "stones", "--documents", str(home / "stones.jsonl")]
    built = call(*arguments, "--config", str(config), home=home)
    assert "Settings kept from before: weights={'amber': 3.0}. --reset" in built.out
    assert "Settings given: k=1.5." in built.out
    told = call(*arguments, "--json", home=home).object
    assert set(told["kept_settings"]) == {"k", "weights"}
    assert told["settings"] == {"k": 1.5, "weights": {"amber": 3.0}}
    reset = call(*arguments, "--reset", "--json", home=home).object
    assert (reset["settings"], reset["kept_settings"]) == ({}, [])
