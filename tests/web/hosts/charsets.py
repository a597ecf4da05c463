"""charsets.test: pages in many encodings, announced rightly, wrongly or not at all.

`EXPECTED` holds the text that a reader must find, by path.
"""

from tests.web.message import Answer, Handler, Host, reply

# Long enough for a detector to have a fair chance.
_TEXTS = {
    "western": "Größe und Maß: das schöne Café à la crème, où les élèves français déjeunent déjà. "
    "El niño español comió piñas y jamón. Überall hört man Ärger, Öl und süße Äpfel.",
    "quotes": "“Quoted” text – with dashes — and the € sign… it’s what Windows wrote for years. "
    "“Façade” and “naïveté” are words that need it too, aren’t they?",
    "russian": "Широкая электрификация южных губерний даст мощный толчок подъёму сельского "
    "хозяйства. Поисковая машина должна уметь читать страницы на любом языке.",
    "greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Η μηχανή αναζήτησης διαβάζει σελίδες σε κάθε "
    "γλώσσα του κόσμου και βρίσκει τις καλύτερες απαντήσεις.",
    "japanese": "検索エンジンは世界中のページを読みます。日本語の文章も"
    "正しく読めなければなりません。"
    "いろはにほへと、ちりぬるを。カタカナもあります。",
    "chinese": "搜索引擎应该能够正确地阅读世界上任何语言的网页。这是一个用来测试"
    "字符编码的中文句子，"
    "其中包含许多常用的汉字。",
    "traditional": "搜尋引擎應該能夠正確地閱讀世界上任何語言的網頁。這是一個用來測試"
    "字元編碼的中文句子，"
    "其中包含許多常用的漢字。",
    "korean": "검색 엔진은 전 세계 모든 언어로 된 페이지를 올바르게 읽을 수 있어야 합니다. "
    "이것은 문자 인코딩을 시험하기 위한 한국어 문장입니다.",
    "polish": "Zażółć gęślą jaźń. Wyszukiwarka powinna poprawnie czytać strony w każdym języku, "
    "także po polsku, gdzie są ś, ć, ż, ź i ł.",
}

# path -> (text, encoding of the bytes, charset in the header, charset in a meta element)
_PAGES: dict[str, tuple[str, str, str, str]] = {
    "/utf-8": ("western", "utf-8", "utf-8", ""),
    "/utf-8-meta": ("western", "utf-8", "", "utf-8"),
    "/utf-8-unannounced": ("western", "utf-8", "", ""),
    "/utf-8-russian-unannounced": ("russian", "utf-8", "", ""),
    "/utf-8-bom": ("western", "utf-8-sig", "", ""),
    "/utf-8-bom-against-header": ("western", "utf-8-sig", "iso-8859-1", "iso-8859-1"),
    "/utf-16-le-bom": ("russian", "utf-16-le", "", ""),
    "/utf-16-be-bom": ("western", "utf-16-be", "", ""),
    "/utf-16-header": ("western", "utf-16-le", "utf-16", ""),
    "/latin1": ("western", "latin-1", "iso-8859-1", ""),
    "/latin1-meta": ("western", "latin-1", "", "iso-8859-1"),
    "/windows-1252": ("quotes", "cp1252", "windows-1252", ""),
    # By the encoding standard the label iso-8859-1 means windows-1252.
    "/windows-1252-called-latin1": ("quotes", "cp1252", "iso-8859-1", ""),
    "/windows-1252-called-ascii": ("quotes", "cp1252", "us-ascii", ""),
    "/windows-1250": ("polish", "cp1250", "windows-1250", ""),
    "/iso-8859-2": ("polish", "iso-8859-2", "", "iso-8859-2"),
    "/windows-1251": ("russian", "cp1251", "windows-1251", ""),
    "/windows-1251-meta": ("russian", "cp1251", "", "windows-1251"),
    "/windows-1251-unannounced": ("russian", "cp1251", "", ""),
    "/koi8-r": ("russian", "koi8-r", "koi8-r", ""),
    "/koi8-r-unannounced": ("russian", "koi8-r", "", ""),
    "/iso-8859-7": ("greek", "iso-8859-7", "iso-8859-7", ""),
    "/iso-8859-7-meta": ("greek", "iso-8859-7", "", "iso-8859-7"),
    "/shift_jis": ("japanese", "shift_jis", "shift_jis", ""),
    "/shift_jis-meta": ("japanese", "shift_jis", "", "x-sjis"),
    "/shift_jis-unannounced": ("japanese", "shift_jis", "", ""),
    "/euc-jp": ("japanese", "euc-jp", "euc-jp", ""),
    "/euc-jp-unannounced": ("japanese", "euc-jp", "", ""),
    "/iso-2022-jp": ("japanese", "iso-2022-jp", "iso-2022-jp", ""),
    "/gb18030": ("chinese", "gb18030", "gb18030", ""),
    "/gb2312-meta": ("chinese", "gbk", "", "gb2312"),
    "/gb18030-unannounced": ("chinese", "gb18030", "", ""),
    "/big5": ("traditional", "big5", "big5", ""),
    "/big5-unannounced": ("traditional", "big5", "", ""),
    "/euc-kr": ("korean", "euc-kr", "euc-kr", ""),
    "/euc-kr-unannounced": ("korean", "euc-kr", "", ""),
    # In a conflict the header wins.
    "/header-against-meta": ("russian", "cp1251", "windows-1251", "utf-8"),
    "/header-unknown": ("russian", "cp1251", "no-such-charset", "windows-1251"),
    "/header-quoted": ("russian", "koi8-r", '"KOI8-R"', ""),
    "/meta-http-equiv": ("greek", "iso-8859-7", "", "http-equiv:iso-8859-7"),
    "/meta-late": ("russian", "cp1251", "", "late:windows-1251"),
    # A page that can be read cannot have said this truly: UTF-16 in a meta means UTF-8.
    "/meta-utf-16": ("western", "utf-8", "", "utf-16"),
}
_BOMS = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}

EXPECTED: dict[str, str] = {path: _TEXTS[text] for path, (text, *_) in _PAGES.items()}
"""The text of the page's paragraph, by path."""

GUESSED: frozenset[str] = frozenset(
    path
    for path, (_, encoding, header, meta) in _PAGES.items()
    if not header and not meta and not encoding.startswith("utf")
)
"""Paths where only a detector can tell, and may be wrong."""


def _page(text: str, encoding: str, header: str, meta: str) -> Answer:
    if meta.startswith("http-equiv:"):
        charset = meta.removeprefix("http-equiv:")
        element = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">'
    elif meta.startswith("late:"):
        element = f"<!-- {'x' * 700} --><meta charset={meta.removeprefix('late:')}>"
    else:
        element = f'<meta charset="{meta}">' if meta else ""
    source = (
        f"<!DOCTYPE html><html><head>{element}<title>{_TEXTS[text][:20]}</title></head>"
        f"<body><p>{_TEXTS[text]}</p></body></html>"
    )
    body = _BOMS.get(encoding, b"") + source.encode(encoding)
    return reply(200, body, media_type=f"text/html; charset={header}" if header else "text/html")


def hosts() -> tuple[Host, ...]:
    pages: dict[str, Answer | Handler] = {path: _page(*row) for path, row in _PAGES.items()}
    mixed = "<title>Mixed</title><p>Größe ".encode() + "Größe</p>".encode("latin-1")
    pages["/mixed"] = reply(200, mixed, media_type="text/html; charset=utf-8")
    pages["/invalid-utf-8"] = reply(200, b"<title>Bad</title><p>ab\xff\xfe\x80cd\xed\xa0\x80</p>")
    return (Host("charsets.test", "wrong and missing charsets", pages),)
