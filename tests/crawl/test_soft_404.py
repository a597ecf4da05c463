import pytest

from gossamer.crawl.soft_404 import is_soft_404, says_missing
from gossamer.records import PageContent

SAY_SO = [
    *(
        "404",
        "404 Not Found",
        "404 - File or directory not found.",
        "Error 404 | Shop",
        "Shop – 404",
    ),
    *(
        "Page not found - Example",
        "Not Found",
        "HTTP Error 404",
        "The page cannot be found",
        "404!",
    ),
    *("Oops! That page can’t be found.", "This page doesn't exist", "Example » Page Not Found"),
    *("Sorry, we couldn't find that page", "Error: 404", "404: This page could not be found"),
    *("Página no encontrada", "Página no encontrada - Tienda", "La página no existe"),
    *("Página não encontrada", "Page introuvable | Le Site", "Erreur 404 : page non trouvée"),
    *("Seite nicht gefunden", "Diese Seite existiert nicht", "Fehler 404"),
    *("Страница не найдена", "Ошибка 404", "الصفحة غير موجودة", "خطأ 404", "पृष्ठ नहीं मिला"),
    *(
        "页面不存在 - 网站",
        "找不到网页",
        "404错误",
        "ページが見つかりません",
        "お探しのページは見つかりませんでした",
    ),
    *(
        "Nie znaleziono strony",
        "Sayfa bulunamadı",
        "페이지를 찾을 수 없습니다",
        "Pagina non trovata",
    ),
]
SAY_NOTHING_OF_IT = [
    *("", "Found", "The Page", "Products", "Founders of the town", "Peugeot 404", "Room 404"),
    *("404 Main Street", "Area code 404", "1404 in history", "404 Day celebration", "$404"),
    *(
        "HTTP 404 explained for beginners",
        "How to fix a 404 page in WordPress",
        "Lost and not found",
    ),
    *("God not found: essays", "A species not found in Europe", "No longer available for comment"),
    *("Die Brücke, die nicht gefunden wurde", "Introuvable, un film", "Não existe amor em SP"),
    *("Seite 404", "Chapter 404: The page of the king", "见不存在之物"),
]


@pytest.mark.parametrize("text", SAY_SO)
def test_what_says_so(text: str) -> None:
    assert says_missing(text)
    assert says_missing(text.upper())


@pytest.mark.parametrize("text", SAY_NOTHING_OF_IT)
def test_what_does_not(text: str) -> None:
    assert not says_missing(text)


def page(title: str = "", *lines: str) -> PageContent:
    """Lines begin with the letter of their class."""
    texts = [line[1:] for line in lines]
    classes = "".join(line[0] for line in lines)
    if title:
        texts, classes = [title, *texts], "t" + classes
    return PageContent(title=title, text="\n".join(texts), classes=classes)


SORRY = "pSorry, the page that you are looking for does not exist. Go back to the start page."
ARTICLE = "p" + "The 404 error is what a server answers for a page that it does not have. " * 15


@pytest.mark.parametrize(
    "content",
    [
        page("Page not found"),
        page("Page not found", "1Page not found", SORRY),
        page("Example Shop", "1Page not found", SORRY),  # one title for all pages
        page("404", SORRY, "lHome", "lProducts"),
        page("", "2Seite nicht gefunden"),
        page("Page not found", "n" + "menu " * 500, "1Page not found", SORRY),
        page("Page not found", "1Page not found", SORRY, "p" + "Popular pages of ours. " * 40),
        page("页面不存在", "p您访问的页面不存在。"),
    ],
)
def test_pages_that_are_none(content: PageContent) -> None:
    assert is_soft_404(content)


@pytest.mark.parametrize(
    "content",
    [
        page(),
        page("404", ARTICLE),
        page("404 Not Found", "1404 Not Found", ARTICLE, ARTICLE),  # a long article about it
        page("Example Shop", "1Products", "2Page not found", SORRY),  # not the first heading
        page("Example Shop", SORRY),
        page("Example Shop", "pPage not found"),  # in passing
        page("HTTP status codes", "1All codes", "l404 Not Found", "l410 Gone"),
        page("Peugeot 404", "1Peugeot 404", "pA car."),
        page("Page not found", "n" + "x" * 10_000),
        page("页面不存在", "p" + "字" * 300),
    ],
)
def test_pages_that_exist(content: PageContent) -> None:
    assert not is_soft_404(content)
