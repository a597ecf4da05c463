import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.charsets import CODECS, charset_of
from gossamer.extract.decode import decode, meta_charset

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 4
JAPANESE = "日本語の文章です。東京は日本の首都であり、世界最大の都市の一つです。" * 4
CHINESE = "中文是世界上使用人数最多的语言之一，北京是中国的首都。" * 4
KOREAN = "한국어는 한국에서 사용하는 언어이다. 서울은 대한민국의 수도이다. " * 4
GREEK = "Η ελληνική γλώσσα είναι μία από τις ινδοευρωπαϊκές γλώσσες. " * 4
FRENCH = "Voilà l’été : déjà des œufs à 3 €. "


@pytest.mark.parametrize(
    ("text", "codec", "header", "charset"),
    [
        (FRENCH, "utf-8", "utf-8", "utf-8"),
        (FRENCH, "utf-8", "UTF8", "utf-8"),
        (FRENCH, "utf-8", ' "utf-8" ', "utf-8"),
        (FRENCH, "cp1252", "iso-8859-1", "windows-1252"),
        (FRENCH, "cp1252", "latin1", "windows-1252"),
        (FRENCH, "cp1252", "us-ascii", "windows-1252"),
        (FRENCH, "cp1252", "x-user-defined", "windows-1252"),
        ("şğıİ", "cp1254", "iso-8859-9", "windows-1254"),
        ("ภาษาไทย", "cp874", "tis-620", "windows-874"),
        (RUSSIAN, "koi8-r", "KOI8-R", "koi8-r"),
        (RUSSIAN, "cp1251", "windows-1251", "windows-1251"),
        (CHINESE, "gbk", "gb2312", "gb18030"),
        ("㐂 rare", "gb18030", "gbk", "gb18030"),
        ("香港嘅", "big5hkscs", "big5", "big5"),
        (JAPANESE, "cp932", "shift_jis", "shift_jis"),
        ("①㈱", "cp932", "x-sjis", "shift_jis"),
        (JAPANESE, "euc_jp", "EUC-JP", "euc-jp"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp", "iso-2022-jp"),
        (KOREAN, "cp949", "ks_c_5601-1987", "euc-kr"),
        (GREEK, "iso8859-7", "greek", "iso-8859-7"),
        (RUSSIAN, "utf-16-le", "utf-16", "utf-16le"),
        (RUSSIAN, "utf-16-be", "utf-16be", "utf-16be"),
    ],
)
def test_the_header_decides(text: str, codec: str, header: str, charset: str) -> None:
    assert decode(text.encode(codec), header) == (text, charset)


@pytest.mark.parametrize(
    ("mark", "codec", "charset"),
    [
        (codecs.BOM_UTF8, "utf-8", "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16le"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16be"),
    ],
)
def test_a_byte_order_mark_wins_over_the_header(mark: bytes, codec: str, charset: str) -> None:
    assert decode(mark + RUSSIAN.encode(codec), "koi8-r") == (RUSSIAN, charset)


@pytest.mark.parametrize(
    ("meta", "charset"),
    [
        ('<meta charset="windows-1251">', "windows-1251"),
        ("<META CHARSET=windows-1251>", "windows-1251"),
        ("<meta charset = 'cp1251' />", "windows-1251"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
            "windows-1251",
        ),
        (
            "<meta content='text/html;charset=windows-1251' http-equiv=content-type>",
            "windows-1251",
        ),
        ('<meta name="viewport" content="w"><meta charset=koi8-r>', "koi8-r"),
        ("<!-- <meta charset=koi8-r> --><meta charset=windows-1251>", "windows-1251"),
        ("<meta charset=no-such-charset><meta charset=koi8-r>", "koi8-r"),
        ("<meta charset=utf-16>", "utf-8"),
        ("<meta charset=rot13>", ""),
        ("<p>charset=koi8-r", ""),
        ("", ""),
    ],
)
def test_meta_charset(meta: str, charset: str) -> None:
    assert meta_charset(f"<html><head>{meta}</head>".encode()) == charset


def test_meta_decides_where_the_header_is_silent_or_unknown() -> None:
    body = b"<meta charset=windows-1251>" + RUSSIAN.encode("cp1251")
    for header in ("", "no-such-charset"):
        text, charset = decode(body, header)
        assert charset == "windows-1251"
        assert text.endswith(RUSSIAN)


def test_the_header_wins_over_meta() -> None:
    body = b"<meta charset=windows-1251>" + RUSSIAN.encode("koi8-r")
    text, charset = decode(body, "koi8-r")
    assert charset == "koi8-r"
    assert text.endswith(RUSSIAN)


@pytest.mark.parametrize("wrong", ["shift_jis", "euc-kr", "gb2312", "utf-16", "us-ascii"])
def test_utf8_wins_over_a_declaration_that_the_bytes_contradict(wrong: str) -> None:
    body = ("Ünïcödé — ’ \u20ac " * 3 + "\u010d\u0141\u0150 x").encode()
    text, charset = decode(body, wrong)
    assert (text, charset) == (body.decode(), "utf-8")


def test_a_declared_charset_is_kept_where_utf8_fits_neither() -> None:
    text, charset = decode(b"abc \x81\x8d \xff def", "euc-kr")
    assert charset == "euc-kr"
    assert text.startswith("abc ")
    assert "\ufffd" in text


@pytest.mark.parametrize(
    ("text", "codec", "charset"),
    [
        ("plain ASCII", "ascii", "utf-8"),
        (FRENCH, "utf-8", "utf-8"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (JAPANESE, "cp932", "shift_jis"),
        (JAPANESE, "euc_jp", "euc-jp"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (CHINESE, "gb18030", "gb18030"),
        (KOREAN, "cp949", "euc-kr"),
        (GREEK, "iso8859-7", "iso-8859-7"),
    ],
)
def test_without_any_declaration(text: str, codec: str, charset: str) -> None:
    assert decode(text.encode(codec), "") == (text, charset)


def test_what_nobody_recognises_is_windows_1252() -> None:
    assert decode(b"caf\xe9", "") == ("café", "windows-1252")


def test_a_character_cut_off_at_the_end_is_no_contradiction() -> None:
    body = ("é" * 100 + "€").encode()
    for cut in (1, 2):
        assert decode(body[:-cut], "") == ("é" * 100, "utf-8")
    assert decode(b"caf\xc3", "utf-8") == ("caf", "utf-8")
    assert decode("日本語".encode("cp932")[:-1], "shift_jis") == ("日本", "shift_jis")


def test_nuls_are_dropped() -> None:
    assert decode(b"a\0b\0", "") == ("ab", "utf-8")


@pytest.mark.parametrize(
    "label",
    [
        *("rot13", "idna", "punycode", "base64", "hex", "zip", "unicode_escape"),
        *("raw_unicode_escape", "utf-7", "mbcs", "undefined", "", "\ud800", "utf_8_sig"),
    ],
)
def test_labels_that_are_no_web_charsets(label: str) -> None:
    assert charset_of(label) == ""


def test_every_codec_exists_and_reads_text() -> None:
    for name, codec in CODECS.items():
        assert charset_of(name) == name
        assert b"".decode(codec) == ""


@given(st.binary(max_size=300), st.sampled_from(["", "utf-8", "big5", "utf-16", "hz", "x", "\0"]))
def test_no_bytes_raise(body: bytes, header: str) -> None:
    text, charset = decode(body, header)
    text.encode()  # no lone surrogates
    assert "\0" not in text
    assert charset in CODECS
    assert decode(body, header) == (text, charset)


@given(st.binary(max_size=60), st.sampled_from(sorted(CODECS)))
def test_no_bytes_raise_in_any_charset(body: bytes, charset: str) -> None:
    decode(body, charset)[0].encode()
