# ruff: noqa: E501
"""Layouts of pages in other languages, with the labels that these languages use."""

from tests.extract.layouts.page import Page


def chinese_news(page: Page) -> str:
    p = page
    return f"""<!DOCTYPE html><html lang="zh-CN"><head><title>{p.title}_新闻_某网</title></head><body>
<div class="sina15-top-bar-wrap"><div class="sina15-nav">{p.menu(14, "", " ")}<a href="/l">登录</a>
</div></div><div class="nav"><a href="/">首页</a> &gt; <a href="/n">国内新闻</a> &gt; 正文</div>
<div class="wrap clearfix"><div class="left"><h1 id="artibodyTitle">{p.headline()}</h1><div
class="page-info"><span>2015年06月04日08:12</span> <a href="/s">{p.name()}</a> 我有话说(12人参与)
<a href="#">收藏本文</a></div><div class="article article_16" id="artibody">
{p.paragraphs(p.number(4, 9), "<p>　　")}<p class="article-editor">(责任编辑：{p.name()})</p></div>
<div class="article-keywords">文章关键词：{p.menu(3, "", " ")}</div><div class="related_news"><h3>
相关新闻</h3><ul>{p.stories(6)}</ul></div><div class="comment-box"><h3>网友评论</h3><p>{p.noise()}</p>
<p>{p.noise()}</p><a href="#">查看更多评论</a></div></div><div class="right"><h3>新闻排行</h3><ul>
{p.stories(10)}</ul></div></div><div class="footer">{p.menu(9, "", " | ")}<p>版权所有 某某公司</p></div>
</body></html>"""


def chinese_plain(page: Page) -> str:
    """No names that say anything."""
    p = page
    text = "<br>\n".join("　　" + p.say(p.number(2, 4)) for _ in range(p.number(4, 8)))
    return f"""<html><head><title>{p.title}</title></head><body><table width="960"><tr><td>
{p.menu(12, "", " | ")}</td></tr><tr><td><table><tr><td width="640"><h2>{p.headline()}</h2><div
align="center">时间：2009-03-05 作者：{p.name()} 点击：{p.number(9, 999)}</div><div>{text}</div><div>
上一篇：<a href="/p">{p.label()}</a></div><div>下一篇：<a href="/n">{p.label()}</a></div></td><td
width="300">{p.stories(12, "<div>", "</div>")}</td></tr></table></td></tr><tr><td align="center">
版权所有 请勿转载 {p.menu(4, "", " ")}</td></tr></table></body></html>"""


def japanese_diary(page: Page) -> str:
    p = page
    text = "<br><br>".join(p.say(p.number(1, 3)) for _ in range(p.number(4, 8)))
    return f"""<!DOCTYPE html><html lang="ja"><head><title>{p.title}｜日記</title></head><body><div
class="skin-page"><header class="skin-header"><h1><a href="/">日記</a></h1></header><div
class="globalNav"><ul>{p.menu(6)}</ul></div><div class="skin-content"><main class="skin-main"><article
class="skin-entry"><div class="skin-entryHead"><h1 class="skin-entryTitle">{p.headline()}</h1><p>
2021-05-03 10:22</p><p>テーマ：<a href="/t">ブログ</a></p></div><div class="skin-entryBody"
id="entryBody">{text}</div><div class="skin-entryActions"><a href="#">いいね！</a> <a href="#">コメント
</a> <a href="#">リブログ</a></div></article><div class="pagingNav"><a href="/p">次へ</a> <a href="/n">
前へ</a></div><section class="recommend"><h2>最近の画像つき記事</h2><ul>{p.stories(4)}</ul></section>
</main><aside class="skin-widget"><h3>プロフィール</h3><p>{p.noise()}</p><h3>最新の記事</h3><ul>
{p.stories(8)}</ul></aside></div><footer>Copyright © Inc. {p.menu(5, "", " ")}</footer></div></body>
</html>"""


def thai_news(page: Page) -> str:
    p = page
    return f"""<!DOCTYPE html><html lang="th"><head><title>{p.title}</title></head><body><div
id="nav-top"><ul>{p.menu(9)}</ul></div><div class="container"><div class="row"><div class="col-md-8">
<h1 class="title">{p.headline()}</h1><div class="meta">โดย {p.name()} | 12 พ.ค. 2563</div><div
class="social-share"><a href="#">แชร์</a> <a href="#">ทวีต</a></div><div class="detail">
{p.paragraphs(p.number(4, 8))}</div><div class="box-tag">แท็ก: {p.menu(3, "", ", ")}</div><h3>
ข่าวที่เกี่ยวข้อง</h3><ul class="relate">{p.stories(4)}</ul></div><div class="col-md-4"><h3>ข่าวล่าสุด</h3>
<ul>{p.stories(4)}</ul></div></div></div><div class="footer">สงวนลิขสิทธิ์ {p.menu(4, "", " ")}</div></body>
</html>"""


def german_magazine(page: Page) -> str:
    p = page
    return f"""<!DOCTYPE html><html lang="de"><head><title>{p.title} - Spiegelei</title></head><body>
<div class="consent-layer" id="consent"><h2>Wir brauchen Ihre Zustimmung</h2><p>Wir und unsere Partner
verwenden Cookies, um Inhalte und Anzeigen zu personalisieren. Sie können Ihre Einwilligung jederzeit
widerrufen.</p><button>Akzeptieren und weiter</button></div><header data-area="header"><nav><ul>
{p.menu(20)}</ul></nav></header><main id="Inhalt"><article><header><h2><span>{p.word()}</span><span>
{p.headline()}</span></h2><div class="leading-loose">{p.say(1)}</div><div>Von {p.name()}</div><time>
{p.date()}</time></header><div data-area="body"><section class="relative"><div class="RichText lg:w-8/12">
{p.paragraphs(3)}</div><section data-app-hidden="true"><div>Anzeige</div></section><div
class="RichText lg:w-8/12"><h3>{p.heading()}</h3>{p.paragraphs(p.number(2, 5))}</div><div
data-area="related_articles"><h3>Mehr zum Thema</h3><ul>{p.stories(3)}</ul></div><div
class="RichText lg:w-8/12">{p.paragraphs(2)}</div></section></div><footer><a href="/k">Diskutieren Sie
mit</a> <a href="#">Feedback</a></footer></article><section data-area="block&gt;topic"><h2>Weitere
Artikel</h2>{p.cards(4, "<article>", "h3")}</section></main><footer><ul>{p.menu(25)}</ul></footer>
</body></html>"""


def german_blog(page: Page) -> str:
    p = page
    comment = '<li class="kommentar"><cite>{name}</cite> sagt am {date}:<p>{text}</p></li>'
    return f"""<!DOCTYPE html><html lang="de"><head><title>{p.title}</title></head><body><div id="seite">
<div id="kopfzeile"><a href="/">Wanderblog</a></div><div id="menue">{p.menu(6, "", " | ")}</div><div
id="inhalt"><h2>{p.headline()}</h2><p class="datum">{p.date()}</p>{p.paragraphs(p.number(4, 8))}<p
class="info">Abgelegt unter: <a href="/c">{p.word()}</a> | Schlagwörter: {p.menu(2, "", ", ")}</p><h3
id="comments">Kommentare</h3><ol class="commentlist">{p.remarks(3, comment)}</ol><h3>Schreibe einen
Kommentar</h3><p>Deine E-Mail-Adresse wird nicht veröffentlicht.</p></div><div id="seitenleiste"><h3>
Letzte Beiträge</h3><ul>{p.stories(4)}</ul><h3>Archiv</h3><ul>{p.menu(9)}</ul></div><div id="fusszeile">
Impressum | Datenschutz | Läuft mit WordPress</div></div></body></html>"""


def russian_portal(page: Page) -> str:
    p = page
    return f"""<!DOCTYPE html><html lang="ru"><head><title>{p.title} - Вести</title></head><body><div
class="b-header"><div class="b-menu">{p.menu(11, "", " ")}</div></div><div class="b-layout"><div
class="b-topic-layout__left"><div class="b-topic__content"><h1 class="b-topic__title">{p.headline()}</h1>
<div class="b-topic__info">{p.date()} {p.name()}</div><div class="b-text js-topic__text"
itemprop="articleBody">{p.paragraphs(p.number(4, 8))}<aside><a href="/x">Материалы по теме:
{p.label()}</a></aside>{p.paragraphs(1)}</div><div class="b-topic__socials">Поделиться: <a href="#">
ВКонтакте</a></div><div class="b-topic__tags">Теги: {p.menu(3, "", " ")}</div></div><div
class="b-box_readmore"><h2>Читайте также</h2>{p.stories(5, "<div>", "</div>")}</div></div><div
class="b-sidebar-layout__right"><div>Реклама</div><ul>{p.stories(8)}</ul></div></div><div
class="b-footer"><p>{p.noise()}</p>{p.menu(6, "", " ")}</div></body></html>"""


def spanish_paper(page: Page) -> str:
    p = page
    return f"""<!DOCTYPE html><html lang="es"><head><title>{p.title} | Diario</title></head><body
class="ue-l-article"><header class="ue-c-main-header"><ul>{p.menu(16)}</ul></header><main
class="ue-l-article__wrapper"><article class="ue-l-article__inner"><div
class="ue-l-article__header-content"><h1 class="ue-c-article__headline">{p.headline()}</h1><p
class="ue-c-article__standfirst">{p.say(1)}</p></div><div class="ue-c-article__byline"><ul><li>
{p.name()}</li></ul><time>Actualizado {p.date()}</time></div><div class="ue-c-article__share-tools">
<span>Compartir en Facebook</span></div><div class="ue-l-article__body ue-c-article__body">
{p.paragraphs(3)}<div class="ue-c-ad">PUBLICIDAD</div><ul class="ue-c-article__related-news">
{p.stories(2)}</ul>{p.paragraphs(p.number(2, 6))}</div><div class="ue-c-article__tags">
{p.menu(4, "", " ")}</div><div class="ue-c-article__bottom">Conforme a los criterios de <a href="/t">The
Trust Project</a></div></article><section><h2>Te puede interesar</h2>{p.cards(4, "<div>", "h3")}
</section></main><footer class="ue-c-footer"><ul>{p.menu(12)}</ul></footer></body></html>"""


LAYOUTS = (
    ("zh", chinese_news),
    ("zh", chinese_plain),
    ("ja", japanese_diary),
    ("th", thai_news),
    ("de", german_magazine),
    ("de", german_blog),
    ("ru", russian_portal),
    ("es", spanish_paper),
)
