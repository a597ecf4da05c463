"""An index of several languages: each document is found by the words of its own."""

from pathlib import Path

import pytest

from gossamer.search.contract import SearchRequest
from gossamer.search.languages import Form, Languages, forms_in
from gossamer.text import Analyser
from tests.searching import SmallIndex, SmallSet

FIELDS = {"title": "text", "text": "text", "lang": "keyword"}
ENGLISH = [
    "The new house stands on the hill, and an old man walks there every morning.",
    "All the news about the war was printed in the paper by its editors.",
    "A quick walk through the old town shows many new shops and small museums.",
]
OTHERS = {
    "fr": "Les enfants mangent des croissants au café et boivent avec leurs parents à New York.",
    "de": "Die Häuser der Stadt wurden nach dem Brand gebaut, die Straßen sind breiter geworden.",
    "es": "Los niños corren por las calles de la ciudad antigua mientras cantan canciones.",
    "it": "Le ragazze italiane cantavano nelle strade della città vecchia ogni mattina.",
    "nl": "De kinderen liepen door de smalle straten en zongen vrolijke liedjes.",
    "fi": "Suomalaiset järvet jäätyvät talvella, ja lapset luistelevat niiden jäällä.",
    "ru": "Рыбаки вышли в море на рассвете и вернулись с полными сетями рыбы.",
    "tr": "Balıkçılar şafakta açıldılar ve ağları balıklarla dolu olarak döndüler.",
    "": "Universitates magnae in urbibus antiquis stabant.",
}


def documents() -> list[dict[str, str]]:
    found = [
        {"id": f"en{number}", "text": ENGLISH[number % 3], "language": "en", "lang": "en"}
        for number in range(300)
    ]
    for language, text in OTHERS.items():
        document = {"id": language or "unknown", "text": text}
        if language:
            document |= {"language": language, "lang": language}
        found.append(document)
    return found


@pytest.mark.parametrize("shards", [1, 2])
def test_each_is_found_by_its_own_words(tmp_path: Path, shards: int) -> None:
    index = SmallIndex(tmp_path, FIELDS) if shards == 1 else SmallSet(tmp_path, shards, FIELDS)
    index.write(documents(), language="")
    searcher = index.searcher()
    try:
        for language, text in OTHERS.items():
            for word in text.replace(",", "").replace(".", "").split():
                if len(word) < 5:
                    continue
                for query in (word, f'"{word}"', f"+{word}"):
                    hits = searcher.search(SearchRequest(query)).hits
                    assert (language or "unknown") in [hit.id for hit in hits], query
        assert searcher.search(SearchRequest('"niños corren"')).total == 1
        assert searcher.search(SearchRequest("straße -häuser")).total == 0
    finally:
        searcher.close()


def test_a_stem_of_one_language_is_not_another_word_of_the_next(tmp_path: Path) -> None:
    assert Analyser().analyse("news", "fr").terms == ["new"]
    index = SmallIndex(tmp_path, FIELDS)
    index.write(documents(), language="")
    searcher = index.searcher()
    assert searcher.search(SearchRequest("news")).total == 100
    assert searcher.search(SearchRequest("new")).total == 201
    searcher.close()


@pytest.mark.parametrize("shards", [1, 2])
def test_a_word_of_one_language_finds_no_stop_word_of_another(tmp_path: Path, shards: int) -> None:
    assert Analyser().analyse("leer", "fr").terms == ["le"]
    index = SmallIndex(tmp_path, FIELDS) if shards == 1 else SmallSet(tmp_path, shards, FIELDS)
    texts = {"de": "Der Eimer war leer.", "fr": "Le phare est sur le cap.", "en": "The bucket."}
    index.write(
        {"id": language, "text": text, "language": language, "lang": language}
        for language, text in texts.items()
    )
    searcher = index.searcher()
    try:
        assert [hit.id for hit in searcher.search(SearchRequest("leer")).hits] == ["de"]
    finally:
        searcher.close()


def test_a_stem_counts_in_a_language_that_holds_the_typed_word(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, FIELDS)
    english = [{"id": f"en{n}", "text": "A house by the sea", "lang": "en"} for n in range(3)]
    german = {"id": "de", "text": "Breite Straßen", "language": "de", "lang": "de"}
    index.write([*english, german])
    searcher = index.searcher()
    assert Analyser().analyse("Straße", "de").terms == Analyser().analyse("Straßen", "de").terms
    assert [hit.id for hit in searcher.search(SearchRequest("Straßen")).hits] == ["de"]
    assert searcher.search(SearchRequest("Straße")).searched_instead == "strassen"
    index.write([*english, german, {**german, "id": "de2", "text": "Die Straße"}])
    searcher.look()
    assert {hit.id for hit in searcher.search(SearchRequest("Straße")).hits} == {"de", "de2"}


def test_scores_do_not_depend_on_shards(tmp_path: Path) -> None:
    one, two = SmallIndex(tmp_path / "1", FIELDS), SmallSet(tmp_path / "2", 2, FIELDS)
    (tmp_path / "1").mkdir()
    one.write(documents(), language="")
    two.write(documents(), language="")
    alone, together = one.searcher(weights={"cafés": 3.0}), two.searcher(weights={"cafés": 3.0})
    try:
        for query in ("news", "straßen calles", "café new", "kinderen war"):
            request = SearchRequest(query, limit=20)
            expected = [(hit.id, hit.score) for hit in alone.search(request).hits]
            assert [(hit.id, hit.score) for hit in together.search(request).hits] == expected
    finally:
        together.close()
        alone.close()


def test_stop_words_of_a_rare_language_are_words(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, FIELDS)
    index.write(documents(), language="")
    searcher = index.searcher()
    # 'war' and 'die' are German stop words; 'der' and 'die' make a query a German one.
    assert searcher.search(SearchRequest("war the")).total == 100
    assert searcher.search(SearchRequest("die der häuser")).total == 1
    assert searcher.search(SearchRequest("die")).total == 1
    searcher.close()


def test_what_counts_is_at_home_in_its_language() -> None:
    languages = Languages(Analyser(), {"en": 900, "fr": 60, "nb": 20, "nn": 10, "xx": 10})
    assert languages.first == "en"
    assert languages.others == ("fr", "nb", "nn", "")
    assert Form("new", "fr", ("news",)) in languages.forms(["news"])
    assert not languages.counts(Form("new", "fr"), 500, 60, True)
    assert not languages.counts(Form("new", "fr"), 200, 40, True)
    assert languages.counts(Form("caf", "fr"), 40, 10, True)
    assert not languages.counts(Form("caf", "fr"), 40, 10, False)
    assert not languages.counts(Form("caf", "fr"), 0, 0, True)
    assert not languages.counts(Form("le", "fr"), 40, 40, True)
    assert languages.counts(Form("cafes", ""), 900, 0, False)
    assert languages.terms("news", {}) == [["news"]]
    assert languages.terms("news", {"fr": ("new",)}) == [["news", "new"]]


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("北京大学", ["北京", "京大", "大学"]),
        ("iPhone手机壳", ["iphon", "手机", "机壳"]),
        ("京", ["京"]),
        ("e-mail", ["email"]),
        ("#OpenData", ["#opendata"]),
        ("getElementById", ["getelementbyid"]),
        ("moon/sun-dial", ["moon", "sun", "dial"]),
    ],
)
def test_what_a_typed_word_is_looked_for_as(word: str, forms: list[str]) -> None:
    assert forms_in(Analyser(), word, "en") == [[form] for form in forms]


def test_texts_without_spaces(tmp_path: Path) -> None:
    texts = {
        "peking": "北京大学是中国最著名的大学之一。",
        "north": "北方的冬天很冷，京剧在这里很少见。",
        "language": "我爱自然语言处理，也爱音乐。",
        "nature": "自己的房子在大自然中。",
        "sushi": "私は寿司を食べるのが好きです。",
        "tokyo": "東京都は日本の首都です。",
        "bangkok": "ประเทศไทยมีเมืองหลวงคือกรุงเทพมหานคร",
        "food": "อาหารไทยอร่อยมาก",
    }
    index = SmallIndex(tmp_path)
    index.write([{"id": name, "text": text} for name, text in texts.items()], language="")
    searcher = index.searcher()
    for query, name in [
        ("北京大学", "peking"),
        ("著名的大学", "peking"),
        ("自然语言处理", "language"),
        ("大自然", "nature"),
        ("京剧", "north"),
        ("寿司を食べる", "sushi"),
        ("日本の首都", "tokyo"),
        ("กรุงเทพมหานคร", "bangkok"),
        ("อาหารไทย", "food"),
    ]:
        hit = searcher.search(SearchRequest(query)).hits[0]
        assert hit.id == name, query
        assert query in [hit.snippet[mark.start : mark.end] for mark in hit.marks]
        assert [hit.id for hit in searcher.search(SearchRequest(f'"{query}"')).hits] == [name]
    assert searcher.search(SearchRequest("北京大学")).total == 1, "not every text with a 北"
    searcher.close()
