"""`gossamer index`, `search`, `suggest` and `eval`, as people type them."""

import json
from pathlib import Path

import pytest

from gossamer.config.index import AT_QUERY_TIME, IndexSettings
from tests.cli.commands import call
from tests.cli.conftest import Crawled

EVALUATION = Path(__file__).parents[2] / "evaluation"


@pytest.fixture(scope="module")
def indexed(crawled: Crawled) -> Crawled:
    ended = crawled.call("index", "build", "sky", "--from", crawled.run)
    assert ended.code == 0
    assert "Index sky:" in ended.out
    return crawled


def test_search_finds_a_page_of_the_run(indexed: Crawled) -> None:
    found = indexed.call("search", "sky", "moon", "--json").object
    assert found["query"] == "moon"
    assert found["total"] >= 1
    assert found["is_exact"] is True
    hit = found["hits"][0]
    assert hit["url"].startswith(indexed.address)
    assert {"url", "title", "snippet", "score", "fields", "explain"} <= hit.keys()
    people = indexed.call("search", "sky", "moon", "--explain")
    assert hit["title"] in people.out
    assert "score" in people.out


def test_an_index_is_listed_shown_tuned_and_updated(indexed: Crawled) -> None:
    listed = indexed.call("index", "list", "--json").object["indexes"]
    assert [info["name"] for info in listed] == ["sky"]
    assert "sky" in indexed.call("index", "list").out
    tuned = indexed.call(
        "index", "tune", "sky", "--b", "0.4", "--k", "0.9", "--weight", "moon=5", "--json"
    ).object
    assert tuned["settings"] == {"b": 0.4, "k": 0.9, "weights": {"moon": 5.0}}
    shown = indexed.call("index", "show", "sky", "--json").object
    assert shown["settings"] == tuned["settings"]
    assert "Languages" in indexed.call("index", "show", "sky").out
    untuned = indexed.call("index", "tune", "sky", "--weight", "moon=0", "--json").object
    assert "weights" not in untuned["settings"]
    mute = indexed.call("index", "tune", "sky", "--field-weight", "title=0", "--json").object
    assert mute["settings"]["field_weights"] == {"title": 0.0}
    indexed.call("index", "tune", "sky", "--field-weight", "title=3")
    none = indexed.call("index", "tune", "sky", "--no-stop-words", "--json").object
    assert none["settings"]["stop_words"] == []
    again = indexed.call("index", "tune", "sky", "--stop-words", "--json").object
    assert "stop_words" not in again["settings"]
    updated = indexed.call("index", "update", "sky", "--json").object
    assert (updated["added"], updated["deleted"]) == (0, 0)
    assert updated["unchanged"] == updated["documents"]


def test_every_setting_of_queries_can_be_tuned(tmp_path: Path) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text('{"id": 1, "text": "amber"}\n')
    (tmp_path / "same.txt").write_text("amber, succinite\n")
    call("index", "build", "stones", "--documents", str(documents), home=tmp_path)
    given = {
        "profile": "bm25",
        "k": 1.5,
        "b": 0.5,
        "boost": "1",
        "weights": "amber=5",
        "field_weights": "text=2",
        "stop_words": "the",
        "small_words": 1,
        "all_words": None,
        "synonyms": str(tmp_path / "same.txt"),
        "per_site": 3,
        "safe": None,
    }
    options = []
    for name, value in given.items():
        option = {"weights": "weight", "field_weights": "field-weight", "stop_words": "stop-word"}
        options.append(f"--{option.get(name, name.replace('_', '-'))}")
        options += [] if value is None else [str(value)]
    tuned = call("index", "tune", "stones", *options, "--json", home=tmp_path).object["settings"]
    fields = IndexSettings.model_fields.items()
    wanted = {
        name
        for name, field in fields
        if isinstance(field.json_schema_extra, dict)
        and field.json_schema_extra["group"] == AT_QUERY_TIME
    }
    assert tuned.keys() == given.keys() == wanted
    assert call("search", "stones", "succinite", "--json", home=tmp_path).object["total"] == 1


def test_a_damaged_index_hides_no_other(tmp_path: Path) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text('{"id": 1, "text": "amber"}\n')
    for name in ("broken", "whole"):
        call("index", "build", name, "--documents", str(documents), home=tmp_path)
    (tmp_path / "indexes" / "broken" / "settings.json").write_text("{")
    listed = call("index", "list", "--json", home=tmp_path)
    assert [info["name"] for info in listed.object["indexes"]] == ["whole"]
    assert "The index broken is left out" in listed.err
    assert call("index", "delete", "broken", "--yes", home=tmp_path).code == 0


def test_suggestions(indexed: Crawled) -> None:
    found = indexed.call("suggest", "sky", "mo", "--json").object["suggestions"]
    assert any("moon" in text.lower() for text in found)
    assert indexed.call("suggest", "sky", "mo").out.splitlines() == found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("search", "nowhere", "moon"), "There is no index 'nowhere'"),
        (("search", "sky", "moon", "--profile", "bm26"), "no profile 'bm26'"),
        (("search", "sky", "moon", "--sort", "price"), "cannot be sorted by"),
        (("search", "sky", "moon", "--filter", "x"), "must be FIELD=VALUE"),
        (("index", "build", "a/b", "--from", "sample-1"), "cannot be the name"),
        (("index", "build", "new"), "--from"),
        (("index", "build", "new", "--from", "nobody-1"), "no run 'nobody-1'"),
        (("index", "build", "new", "--documents", "none.jsonl"), "none.jsonl cannot be read"),
        (("index", "tune", "sky", "--boost", "log("), "log("),
        (("index", "tune", "sky", "--boost", "votes"), "votes"),
        (("index", "tune", "sky", "--weight", "moon"), "WORD=NUMBER"),
        (("index", "tune", "sky", "--stop-word", "a", "--stop-words"), "leave out"),
        (("index", "tune", "sky", "--weight", "moon=nan"), "numbers"),
        (("index", "tune", "sky", "--field-weight", "titel=3"), "no text field 'titel'"),
        (("eval", "--dataset", "nowhere"), "nowhere"),
    ],
)
def test_faults_say_what_to_do(indexed: Crawled, words: tuple[str, ...], message: str) -> None:
    ended = indexed.call(*words)
    assert ended.code in (1, 2)
    assert message in ended.err
    assert "Traceback" not in ended.err


def test_documents_with_fields(tmp_path: Path) -> None:
    products = [
        {"id": "1", "title": "Brass lantern", "text": "Burns long.", "price": 39.5, "kind": "lamp"},
        {"id": "2", "title": "Tin lantern", "text": "Burns short.", "price": 9.0, "kind": "lamp"},
        {"id": "3", "title": "Oak table", "text": "Stands.", "price": 190, "kind": "table"},
    ]
    path = tmp_path / "products.jsonl"
    path.write_text("".join(json.dumps(product) + "\n" for product in products))
    config = tmp_path / "shop.toml"
    config.write_text(
        'boost = "price / 1000"\n[fields]\ntitle = "text"\ntext = "text"\n'
        'price = "number"\nkind = "keyword"\n'
    )
    built = call(
        *("index", "build", "shop", "--documents", str(path), "--config", str(config), "--json"),
        home=tmp_path,
    )
    assert built.object["documents"] == 3
    found = call("search", "shop", "lantern price:10..50", "--json", home=tmp_path).object
    assert [hit["id"] for hit in found["hits"]] == ["1"]
    assert found["hits"][0]["fields"]["price"] == 39.5
    ordered = call("search", "shop", "lantern", "--sort", "price", "--json", home=tmp_path).object
    assert [hit["id"] for hit in ordered["hits"]] == ["2", "1"]
    counted = call("search", "shop", "burns", "--facet", "kind", "--json", home=tmp_path).object
    assert counted["facets"] == {"kind": {"lamp": 2}}
    assert call("index", "delete", "shop", "--yes", home=tmp_path).code == 0
    assert call("index", "list", "--json", home=tmp_path).object == {"indexes": []}


def test_one_query_is_ranked_otherwise_than_the_index_is_set(tmp_path: Path) -> None:
    documents = tmp_path / "stones.jsonl"
    lines = [
        {"id": "1", "title": "amber", "text": "a stone", "votes": 3},
        {"id": "2", "title": "a stone", "text": "amber amber amber", "votes": 0},
    ]
    documents.write_text("".join(json.dumps(line) + "\n" for line in lines))
    home = tmp_path / "home"
    call("index", "build", "stones", "--documents", str(documents), home=home)

    def scores(*options: str) -> dict[str, float]:
        words = ("search", "stones", "amber", "--profile", "bm25f", *options, "--json")
        return {hit["id"]: hit["score"] for hit in call(*words, home=home).object["hits"]}

    plain = scores()
    assert scores("--boost", "10 * votes")["1"] == pytest.approx(plain["1"] + 30)
    assert scores("--weight", "stone=7")["2"] == pytest.approx(plain["2"] + 7)
    assert scores("--field-weight", "title=0")["1"] == 0
    assert scores("--k", "0", "--b", "0")["1"] == scores("--k", "0", "--b", "1")["2"]
    assert scores() == plain
    assert "must be WORD=NUMBER" in call("search", "stones", "x", "--weight", "x", home=home).err
    wrong = call("search", "stones", "x", "--boost", "2 * vots", home=home)
    assert wrong.code == 2
    assert "2 * vots\n        ^" in wrong.err


def test_a_wrong_line_of_documents_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": 1, "text": "fine"}\n{"id": 2, "text": \n')
    build = ("index", "build", "bad", "--documents", str(path))
    ended = call(*build, home=tmp_path)
    assert ended.code == 0
    assert "1 line could not be read and is left out:" in ended.err
    assert "bad.jsonl, line 2: this is not JSON" in ended.err
    found = call(*build, "--json", home=tmp_path).object
    assert (found["documents"], found["bad_lines"]) == (1, 1)
    assert found["first_bad_lines"][0]["where"].endswith("bad.jsonl, line 2")
    config = tmp_path / "strict.toml"
    config.write_text("stop_at_bad_lines = true\n")
    ended = call(*build, "--config", str(config), home=tmp_path)
    assert ended.code == 2
    assert "bad.jsonl, line 2" in ended.err


def test_a_build_reports_what_it_leaves_out(tmp_path: Path) -> None:
    path, more = tmp_path / "goods.jsonl", tmp_path / "more.csv"
    goods = [{"id": n, "text": "lamp", "price": n} for n in range(1_000)]
    goods[16]["price"] = "call us"
    path.write_text("".join(json.dumps(good) + "\n" for good in goods))
    more.write_text("id,text,price\n3,lantern,3.5\n")
    config = tmp_path / "goods.toml"
    config.write_text('language = "en"\n[fields]\ncolour = "keyword"\ndims.w = "number"\n')
    build = ("index", "build", "goods", "--documents", str(path))
    told = call(*build, "--config", str(config), home=tmp_path).err.splitlines()
    assert told == [
        '`price`: 999 numbers, 1 text ("call us", line 17) left out.',
        "Declared, but in no document: 'colour', 'dims.w'.",
    ]
    assert told[0] in call("index", "show", "goods", home=tmp_path).out
    both = (*build, "--documents", str(more))
    ended = call(*both, home=tmp_path)
    assert "Index goods: 1,000 documents" in ended.out
    assert "1 document left out, as the same id occurs again later" in ended.err
    assert f'("call us", {path}, line 17)' in ended.err
    found = call(*both, "--json", home=tmp_path).object
    assert found["duplicates"] == 1
    price = next(field for field in found["fields"] if field["name"] == "price")
    assert (price["type"], price["values"], price["left_out"]) == ("number", 1000, 1)
    assert (price["example"], price["where"]) == ("call us", f"{path}, line 17")
    path.write_text("")
    emptied = call("index", "update", "goods", home=tmp_path)
    assert emptied.code == 1
    assert "Nothing was changed" in emptied.err
    left = call("index", "update", "goods", "--allow-empty", "--json", home=tmp_path).object
    assert (left["documents"], left["deleted"]) == (1, 999)


def test_a_file_of_another_kind_is_named(tmp_path: Path) -> None:
    path = tmp_path / "products.jsonl"
    path.write_text("name,price\nlamp,3\n")
    ended = call("index", "build", "shop", "--documents", str(path), home=tmp_path)
    assert ended.code == 2
    assert "products.jsonl: this is CSV: it needs a column 'id' or 'url'" in ended.err


def test_eval_of_two_configurations_with_the_same_name(tmp_path: Path) -> None:
    files = [tmp_path / name / "index.toml" for name in ("en", "de")]
    for file in files:
        file.parent.mkdir()
        file.write_text(f'language = "{file.parent.name}"\n')
    configs = [part for file in files for part in ("--config", str(file))]
    command = ("eval", "--dataset", str(EVALUATION), "--profile", "bm25", "--json")
    ended = call(*command, *configs, home=tmp_path)
    assert set(ended.object["profiles"]) == {f"{file} bm25" for file in files}


def test_eval_compares_profiles(tmp_path: Path) -> None:
    ended = call(
        *("eval", "--dataset", str(EVALUATION), "--profile", "bm25", "--profile", "default"),
        "--json",
        home=tmp_path,
    )
    means = ended.object["profiles"]
    assert set(means) == {"bm25", "default"}
    assert 0 < means["bm25"]["map"] <= 1
    assert {"p@5", "p@10", "p@r", "map", "ndcg@10", "mrr", "recall@1000"} <= means["default"].keys()


def _words(tmp_path: Path, *texts: str) -> Path:
    path = tmp_path / "documents.jsonl"
    path.write_text(
        "".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(texts))
    )
    return path


@pytest.mark.parametrize("shards", ["1", "2"])
def test_a_dictionary_is_suggested_and_right(tmp_path: Path, shards: str) -> None:
    documents = _words(tmp_path, "The lighthouse is white.", "A keeper lives there.")
    (tmp_path / "words.txt").write_text("Lighthouse keeper, 120\n")
    config = tmp_path / "index.toml"
    config.write_text(f'dictionary = "{tmp_path / "words.txt"}"\nlanguage = "en"\n')
    build = ("index", "build", "coast", "--documents", str(documents), "--shards", shards)
    call(*build, home=tmp_path)
    assert call("suggest", "coast", "light", home=tmp_path).out == ""
    built = call(*build, "--config", str(config), "--json", home=tmp_path).object
    assert built["added"] == 0
    assert call("suggest", "coast", "light", home=tmp_path).out == "Lighthouse keeper\n"
    (tmp_path / "words.txt").write_text("Great auk\n")
    call("index", "update", "coast", home=tmp_path)
    assert call("suggest", "coast", "gre", home=tmp_path).out == "Great auk\n"
    meant = call("search", "coast", "graet", "--json", home=tmp_path).object
    assert meant["did_you_mean"] == "great"
    (tmp_path / "words.txt").write_bytes(b"auk\n\xff\n")
    assert "words.txt, line 2" in call("index", "update", "coast", home=tmp_path).err


def test_another_language_reads_all_documents_anew(tmp_path: Path) -> None:
    documents = _words(tmp_path, "Die Häuser stehen am Meer, und die Häuser sind weiß.")
    config = tmp_path / "index.toml"
    for language in ("en", "de"):
        config.write_text(f'language = "{language}"\n')
        call(
            *("index", "build", "sea", "--documents", str(documents), "--config", str(config)),
            home=tmp_path,
        )
        assert call("index", "show", "sea", "--json", home=tmp_path).object["languages"] == {
            language: 1
        }


def test_shards(tmp_path: Path) -> None:
    documents = _words(tmp_path, *(f"Stone number {number}." for number in range(20)))
    build = ("index", "build", "stones", "--documents", str(documents), "--shards")
    assert call(*build, "2", "--json", home=tmp_path).object["documents"] == 20
    assert call("index", "show", "stones", "--json", home=tmp_path).object["shards"] == 2
    search = ("search", "stones", "stone 7", "--json")
    two = call(*search, home=tmp_path).object
    assert two["partial"] == ""
    assert call("index", "update", "stones", "--json", home=tmp_path).object["unchanged"] == 20
    call(*build, "1", home=tmp_path)
    one = call(*search, home=tmp_path).object
    assert [hit["id"] for hit in two["hits"]] == [hit["id"] for hit in one["hits"]]
    assert "up to 64" in call(*build, "65", home=tmp_path).err
    assert call("index", "delete", "stones", "--yes", home=tmp_path).code == 0


def test_fields_that_are_left_out_are_told(tmp_path: Path) -> None:
    documents, config = tmp_path / "stones.jsonl", tmp_path / "stones.toml"
    stone = {"id": "1", "text": "basalt", "价格": "grey", "Unit price": 5, "all": "of it"}
    documents.write_text(json.dumps(stone) + "\n")
    build = ("index", "build", "stones", "--documents", str(documents))
    lines = call(*build, home=tmp_path).err.splitlines()
    assert lines[0].startswith("1 field left out: '价格' (a name has")
    assert lines[1].startswith("1 field left out: 'all' (every index has")
    assert lines[2] == "Names of fields: 'Unit price' is unit_price."
    assert call(*build, "--json", home=tmp_path).object["left_out_fields"].keys() == {
        "价格",
        "all",
    }
    config.write_text('fields_complete = true\n[fields]\ntext = "text"\n')
    chosen = call(*build, "--config", str(config), "--json", home=tmp_path).object
    assert chosen["left_out_fields"] == {}


@pytest.mark.parametrize(
    "query", ["-basalt stone", "-moon -basalt stone", '-"grey basalt" stone', "-b=1 -basalt stone"]
)
def test_a_query_may_begin_with_what_must_not_be_there(tmp_path: Path, query: str) -> None:
    documents = tmp_path / "stones.jsonl"
    texts = {"1": "a stone of grey basalt", "2": "a stone of amber"}
    lines = [json.dumps({"id": key, "text": text}) for key, text in texts.items()]
    documents.write_text("\n".join(lines))
    call("index", "build", "stones", "--documents", str(documents), home=tmp_path)
    for arguments in ((query, "--json"), ("--limit", "5", query, "--json")):
        found = call("search", "stones", *arguments, home=tmp_path).object
        assert [hit["id"] for hit in found["hits"]] == ["2"]
    wrong = call("search", "stones", query, "--expalin", home=tmp_path)
    assert wrong.code == 2
    assert "--expalin" in wrong.err
