"""Pages that say that they do not exist, under a status that says that they do.

A page is one of them when its title or its first heading says so, in so many words, and it has
little else to say. An article about such pages says more, and a page that names them in passing
does not have it in its title.
"""

import re

from gossamer.records import PageContent, PieceClass

_LONGEST_TEXT = 8_000  # menus included: longer pages are not looked at
_LITTLE = 800  # bytes of content beside what says so
_LITTLE_IF_SURE = 1_600  # where title and heading both say so
_LONGEST_PHRASE = 90

_NUMBER = "404"
_MONEY = ("$", "€", "£", "¥")
_HEADINGS = frozenset({PieceClass.HEADING_1.value, PieceClass.HEADING_2.value})
_APART = frozenset({PieceClass.NAVIGATION.value, PieceClass.TITLE.value, *_HEADINGS})

# What says it, in the languages that most pages are written in.
_MISSING = (
    *(
        "not found",
        "not be found",
        "n't be found",
        "cannot find",
        "can't find",
        "couldn't find",
        "could not find",
    ),
    *("not exist", "n't exist", "no longer exists", "no longer available"),
    *("no encontrad", "no se encontr", "no se encuentra", "no se ha encontrado", "no existe"),
    *("não encontrad", "não foi encontrad", "não existe", "nao encontrad"),
    *("introuvable", "non trouvé", "pas trouvé", "pas été trouvé", "existe pas"),
    *("nicht gefunden", "existiert nicht", "nicht vorhanden"),
    *("non trovat", "non esiste", "niet gevonden", "bestaat niet", "nie znalezion", "nie istnieje"),
    *("bulunamad", "tidak ditemukan", "không tìm thấy"),
    *("не найден", "не существует", "не знайден", "не існує"),
    *("غير موجود", "لم يتم العثور", "یافت نشد"),
    *("नहीं मिल", "मौजूद नहीं", "পাওয়া যায়নি"),
    *("找不到", "未找到", "不存在", "無法找到", "无法找到"),
    *("見つかりません", "存在しません", "찾을 수 없", "존재하지 않"),
)
_SIGNS = (_NUMBER, *_MISSING)
# What is missing: anything else may well be a story.
_PAGE = re.compile(
    r"\b(?:page|file|document|url|site|content|resource|article|post|página|pagina|archivo"
    r"|contenido|arquivo|conteúdo|fichier|seite|webseite|datei|dokument|artikel|inhalt|strona"
    r"|strony|sayfa|halaman|trang|страница|страницы|документ|файл|сторінк)\w{0,2}\b"
    r"|صفحة|الصفحة|صفحه|पृष्ठ|पेज|পৃষ্ঠা|页|頁|ページ|페이지"
)
_ERROR = re.compile(
    r"\b(?:error|errors|erreur|erro|errore|fehler|fout|błąd|hata|ошибка|помилка|http|https|code"
    r"|status|codigo|código|oops|ops|ups|sorry|the|that|we|this|your|no|-)\b"
    r"|خطأ|错误|錯誤|エラー|오류|त्रुटि"
)
_PARTS = re.compile(r"\s+[-–—|·•:»›/]+\s+|[|»·•\n]+|:\s+")
_NOT_A_WORD = re.compile(r"[\W_]+")
_APOSTROPHES = str.maketrans("’‘`´", "''''")


def is_soft_404(content: PageContent) -> bool:
    if len(content.text) > _LONGEST_TEXT:
        return False
    by_title = says_missing(content.title)
    by_heading = says_missing(_first_heading(content))
    if not (by_title or by_heading):
        return False
    return _main_bytes(content) <= (_LITTLE_IF_SURE if by_title and by_heading else _LITTLE)


def says_missing(text: str) -> bool:
    """Whether a title or a heading says that there is no such page, the name of the site aside."""
    if not text:
        return False
    text = text.casefold().translate(_APOSTROPHES)
    if not any(map(text.__contains__, _SIGNS)):
        return False
    return any(_is_said_by(part.strip()) for part in _PARTS.split(text))


def _is_said_by(part: str) -> bool:
    if not part or len(part) > _LONGEST_PHRASE:
        return False
    phrase = next((phrase for phrase in _MISSING if phrase in part), "")
    if phrase and _PAGE.search(part):
        return True
    # Otherwise nothing but the number, or the phrase, and words for an error: 'Room 404' is another
    # thing, and so is 'Page 404'.
    before, sign, after = part.partition(phrase or _NUMBER)
    if not sign or before.endswith(_MONEY):
        return False
    rest = _ERROR.sub(" ", f"{before} {_PAGE.sub(' ', after)}".replace(_NUMBER, " "))
    return not _NOT_A_WORD.sub("", rest)


def _first_heading(content: PageContent) -> str:
    places = [place for letter in _HEADINGS if (place := content.classes.find(letter)) >= 0]
    if not places:
        return ""
    place = min(places)
    return content.text.split("\n", place + 1)[place]


def _main_bytes(content: PageContent) -> int:
    main = content.main or "1" * len(content.classes)
    lines = zip(content.text.split("\n"), content.classes, main, strict=False)
    return sum(
        len(line.encode("utf-8", "replace"))
        for line, kind, is_main in lines
        if is_main == "1" and kind not in _APART
    )
