import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.language import SAMPLE_CHARACTERS, detect, detect_with_hint, sample_of

SENTENCES = {
    "en": "All human beings are born free and equal in dignity and rights.",
    "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
    "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
    "es": "Todos los seres humanos nacen libres e iguales en dignidad y derechos.",
    "it": "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti.",
    "pt": "Todos os seres humanos nascem livres e iguais em dignidade e em direitos.",
    "nl": "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren.",
    "pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i praw.",
    "sv": "Alla människor är födda fria och lika i värde och rättigheter.",
    "fi": "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan.",
    "tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.",
    "ru": "Все люди рождаются свободными и равными в своём достоинстве и правах.",
    "uk": "Всі люди народжуються вільними і рівними у своїй гідності та правах.",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια.",
    "he": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
    "ar": "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق.",
    "fa": "تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند.",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है।",
    "zh": "人人生而自由，在尊严和权利上一律平等。",
    "ja": "すべての人間は、生まれながらにして自由であり、尊厳と権利とについて平等である。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "vi": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền.",
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_sentences(language: str) -> None:
    assert detect(SENTENCES[language]) == language


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "nl", "sv", "ru"])
def test_capitals_make_no_difference(language: str) -> None:
    assert detect(SENTENCES[language].upper()) == language


@pytest.mark.parametrize(
    "text", ["", "  \n", "12 345 678 90 11 12 13 14 15 16 17 18", "OK", "→ ★ ☆"]
)
def test_too_little_to_tell(text: str) -> None:
    assert detect(text) == ""


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("pt_BR", "pt"),
        ("", ""),
        ("x", ""),
        ("deutsch", ""),
        ("ceb", ""),
    ],
)
def test_a_declaration_helps_where_text_is_short(declared: str, expected: str) -> None:
    assert detect_with_hint("Menu", declared) == expected


def test_a_long_text_is_believed_more_than_its_declaration() -> None:
    assert detect_with_hint(SENTENCES["fr"] * 3, "en") == "fr"


def test_a_sample_is_bounded() -> None:
    assert sample_of(["one", "two"]) == "one two"
    assert len(sample_of(iter(["x" * 90] * 1000))) == SAMPLE_CHARACTERS
    assert sample_of([]) == ""


@given(st.text())
def test_any_text_has_a_code_or_none(text: str) -> None:
    assert len(detect(text)) in (0, 2)
