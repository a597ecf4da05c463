# ruff: noqa: E501
"""Layouts of news sites and magazines."""

from tests.extract.layouts.page import Page


def portal(page: Page) -> str:
    """Semantic elements, a large menu, boxes inside the text, cards below it."""
    p = page
    return f"""<!doctype html><html lang="en"><head><title>{p.title} | The Courier</title></head>
<body class="page-article has-sidebar"><a class="skip-link" href="#main">Skip to content</a>
<header class="site-header"><div class="logo"><a href="/">The Courier</a></div>
<nav><ul>{p.menu(24)}</ul></nav></header>
<div class="ad-slot">Advertisement</div>
<main id="main"><article class="story story--has-sidebar tag-advertising">
<header><p class="kicker"><a href="/x">{p.word()}</a></p><h1>{p.headline()}</h1>
<div class="byline">By <a href="/y">{p.name()}</a></div>
<time datetime="2020-01-01">{p.date()}</time>
<ul class="share-tools"><li><a href="#">Facebook</a></li><li><a href="#">Twitter</a></li>
<li><button>Copy link</button></li></ul></header>
<div class="article-body">{p.paragraphs(3)}
<div class="ad-container"><span>Advertisement</span></div>
<h2>{p.heading()}</h2>{p.paragraphs(2)}
<aside class="related-inline"><h3>Read more</h3><ul>{p.stories(3)}</ul></aside>
<blockquote><p>{p.say(2)}</p></blockquote>{p.paragraphs(p.number(2, 6))}
<div class="newsletter-signup"><h3>Sign up to our newsletter</h3><p>{p.noise()}</p>
<form><label>Email address</label><input><button>Sign up</button></form></div>
{p.paragraphs(2)}</div>
<div class="tags"><span>Topics</span><ul>{p.menu(5)}</ul></div></article>
<section class="related-content"><h2>More on this story</h2>{p.cards(4)}</section></main>
<aside class="sidebar"><h2>Most viewed</h2><ol>{p.stories(10)}</ol></aside>
<footer class="site-footer"><div class="cols"><ul>{p.menu(30)}</ul></div>
<p>© 2024 The Courier Media Ltd. All rights reserved.</p><p>{p.noise(2)}</p></footer>
</body></html>"""


def hashed_classes(page: Page) -> str:
    """Class names are hashes; every paragraph lies in divs of its own."""
    p = page

    def block(text: str) -> str:
        return (
            f'<div data-component="text-block" class="ssrcss-uf6wea-RichTextComponentWrapper">'
            f'<div class="ssrcss-7uxr49-RichTextContainer"><p class="ssrcss-1q0x1qg">{text}</p>'
            f"</div></div>"
        )

    text = "\n".join(block(p.linked(p.number(1, 2))) for _ in range(p.number(4, 8)))
    return f"""<!doctype html><html><head><title>{p.title} - News</title></head><body>
<div class="ssrcss-1a2b"><header role="banner"><div><ul>{p.menu(12)}</ul></div></header>
<div class="ssrcss-9x"><div role="navigation"><ul>{p.menu(14)}</ul></div></div>
<main id="main-content"><div class="ssrcss-rgov1k-MainColumn"><article class="ssrcss-pv1rh6">
<header><h1 id="main-heading">{p.headline()}</h1></header>
<div class="ssrcss-m5b"><span>Published</span><span>{p.date()}</span></div>
<div class="ssrcss-xx"><button>Share page</button><div><a href="/about">About sharing</a></div></div>
<figure><div><img alt="x"></div><figcaption>{p.say(1)}</figcaption></figure>
{text}<div data-component="subheadline-block"><h2>{p.heading()}</h2></div>
{block(p.say(2))}{block(p.say(1))}
<div data-component="unordered-list-block"><ul>{p.items(3)}</ul></div>{block(p.linked(2))}
<section data-component="tag-list"><h2>Related Topics</h2><div><ul>{p.menu(4)}</ul></div></section>
<section data-component="links-block"><h2>More on this story</h2><ul>{p.stories(3)}</ul></section>
</article></div>
<div class="ssrcss-3q"><section><h2>Top stories</h2><ul>{p.stories(4)}</ul></section>
<section><h2>Elsewhere</h2><div>{p.cards(4, '<div class="ssrcss-k1">')}</div></section>
<section><h2>Most read</h2><ol>{p.stories(10)}</ol></section></div></main>
<footer role="contentinfo"><ul>{p.menu(12)}</ul><p>© 2022. {p.noise()}</p></footer></div>
</body></html>"""


def divs_only(page: Page) -> str:
    """No semantic element, no name that says anything, teasers below the text."""
    p = page
    return f"""<html><head><title>{p.title}</title></head><body><div class="a1"><div class="b2">
<div class="c1"><a href="/">Daily</a></div><div class="c2">{p.menu(9, "<span>", "</span>")}</div>
</div><div class="b3"><div class="d1"><div class="t1">{p.headline()}</div>
<div class="t2">{p.name()}, {p.date()}</div>
{p.paragraphs(p.number(4, 9), '<div class="t3">', "</div>")}
<div class="t4"><a href="#">Like</a> <a href="#">Send</a> <a href="#">Print</a></div></div>
<div class="d2"><div class="u1">Also today</div>
{p.cards(5, '<div class="u2">', "div")}</div></div>
<div class="b4">{p.menu(8, "<div>", "</div>")}<div class="v1">© Daily 2019</div></div>
</div></body></html>"""


def broadsheet(page: Page) -> str:
    """Sections with names, a paywall notice, text in columns."""
    p = page
    paragraph = '<p class="css-at9mc1 evys1bk0">'
    return f"""<!doctype html><html><head><title>{p.title} - The Ledger</title></head><body>
<div id="app"><div><div class="NYTAppHideMasthead"><header class="css-1bymuyk"><section>
<a href="#site-content">Skip to content</a><a href="#site-index">Skip to site index</a></section>
<div><button>Search & Section Navigation</button><a href="/login">Log in</a></div></header></div>
<main id="site-content"><div><div class="css-1f7ibof" id="in-story-masthead">
<p>{p.word()} | <a href="/">{p.title}</a></p></div>
<article id="story" class="css-1vxca1d e1lmdhsb0"><div id="top-wrapper"><a href="#after">
SKIP ADVERTISEMENT</a><div>Advertisement</div></div>
<header><h1 data-testid="headline">{p.headline()}</h1><p id="article-summary">{p.say(1)}</p>
<div data-testid="share-tools"><ul><li><button>Share full article</button></li><li>214</li></ul>
</div><p class="css-1nuro5j">By <a href="/by">{p.name()}</a></p><p>{p.name()} reported from
{p.word()}.</p><time>{p.date()}</time></header>
<section name="articleBody" itemprop="articleBody"><div class="css-s99gbd StoryBodyCompanionColumn">
<div>{p.paragraphs(4, paragraph)}</div><aside></aside></div>
<div><div id="story-ad-1-wrapper"><a href="#x">SKIP ADVERTISEMENT</a></div></div>
<div class="css-s99gbd StoryBodyCompanionColumn"><div><h2>{p.heading()}</h2>
{p.paragraphs(p.number(3, 7), paragraph)}</div></div>
<div class="css-s99gbd StoryBodyCompanionColumn"><div>{p.paragraphs(3, paragraph)}</div></div>
</section><div class="bottom-of-article"><p>{p.name()} is a reporter. <a href="/m">More about
{p.name()}</a></p><p>A version of this article appears in print on {p.date()}.
<a href="/r">Order Reprints</a> | <a href="/s">Subscribe</a></p>
<div class="read-comments"><button>Read 36 Comments</button></div></div></article></div></main>
<div id="related-links-recirculation"><h2>Related Content</h2><section><h3>More in {p.word()}</h3>
{p.cards(4, '<div class="css-xbztij">')}</section><section><h3>Trending</h3><ol>{p.stories(8)}</ol>
</section></div>
<nav id="site-index"><h2>Site Index</h2><ul>{p.menu(40)}</ul></nav>
<footer><ul><li>© 2023 The Ledger Company</li>{p.menu(10)}</ul></footer></div></div></body></html>"""


def paragraphs_as_divs(page: Page) -> str:
    """Text in divs, highlights above it, video labels in between."""
    p = page
    body = '<div class="zn-body__paragraph">'
    return f"""<!doctype html><html><head><title>{p.title} - World</title></head>
<body class="pg pg-leaf pg-hidden pg-article"><div class="nav--plain-header"><div class="nav__logo">
<a href="/">W</a></div><div class="nav-menu-links">{p.menu(14, "", " ")}</div></div>
<article class="pg-rail-tall pg-rail--align-right"><h1 class="pg-headline">{p.headline()}</h1>
<div class="metadata"><p class="metadata__byline">By {p.name()}</p>
<p class="update-time">Updated 0913 GMT, {p.date()}</p></div>
<div class="pg-rail-tall__wrapper"><div class="pg-side-of-rail pg-rail-tall__side">
<section class="zn zn-body-text zn-body"><div class="l-container"><div class="el__storyhighlights">
<h2 class="el__heading">Story highlights</h2><ul>{p.items(3)}</ul></div>
<div class="zn-body__paragraph speakable"><cite class="el-editorial-source">({p.keep("Press")})
</cite>{p.linked(3)}</div>{p.paragraphs(3, body, "</div>")}
<div class="el__embedded"><div class="el__video__heading">Now Playing</div>
<div class="media__video-headline">{p.label()}</div><div>Just Watched</div></div>
<h3>{p.heading()}</h3>
{p.paragraphs(p.number(2, 6), body, "</div>")}
<div class="zn-body__read-all"><div class="el__article--embed"><a href="/r">Read: {p.label()}</a>
</div></div>{p.paragraphs(3, body, "</div>")}
<p class="zn-body__paragraph zn-body__footer">{p.name()} contributed to this report.</p></div>
</section><section class="zn-outbrain"><h2>Paid Content</h2>{p.stories(6, "<div>", "</div>")}
</section></div><div class="pg-rail pg-rail-tall__rail"><h2>More from here</h2>
<ul>{p.stories(5)}</ul></div></div></article>
<div class="l-footer"><ul class="m-footer__subtitles">{p.menu(22)}</ul>
<div class="m-legal">© 2018 Network. All Rights Reserved. <a href="/t">Terms of service</a></div>
</div></body></html>"""


def short_item(page: Page) -> str:
    """A short report in the middle of a great deal of other things."""
    p = page
    return f"""<!doctype html><html><head><title>{p.title} | Ticker</title></head><body>
<div id="header"><div id="topnav"><ul>{p.menu(30)}</ul></div><form id="search"><input>
<button>Search</button></form></div><div id="wrapper"><div id="leftcol"><h3>Sections</h3>
<ul>{p.menu(16)}</ul><h3>Latest</h3>{p.stories(8, "<p>", "</p>")}</div>
<div id="centercol"><div class="breadcrumb"><a href="/">Home</a> &raquo; <a href="/n">News</a></div>
<h1>{p.headline()}</h1><p class="date">{p.date()}</p><p>{p.linked(3)}</p><p>{p.say(2)}</p>
<p class="links"><a href="/p">Print</a> | <a href="/e">E-mail this</a> | <a href="/c">Comments (3)
</a></p><h4>Other news</h4>{p.cards(3, "<div>", "h5")}</div>
<div id="rightcol"><div class="box"><h3>Poll</h3><p>{p.noise()}</p><form>
<label>Yes</label><label>No</label><label>Don't know</label></form></div>
<div class="box"><h3>Weather</h3><p>12 °C, light rain</p></div>
<div class="box"><h3>About us</h3><p>{p.noise(2)}</p></div></div></div>
<div id="footer"><p>{p.noise(2)}</p>{p.menu(9, "", " | ")}</div></body></html>"""


def magazine(page: Page) -> str:
    """Long reading with boxes, captions, quotes pulled out and 'read more' lines in the text."""
    p = page
    return f"""<!doctype html><html><head><title>{p.title}</title></head><body class="single">
<div class="cookie-banner" id="cookie-notice"><p>We and our partners use cookies to give you the
best experience. {p.noise()}</p><button>Accept all</button><button>Settings</button></div>
<div class="top-bar"><div class="container">{p.menu(6, "", " ")}</div></div>
<div class="masthead"><h2><a href="/">Field Notes</a></h2><ul class="menu">{p.menu(9)}</ul></div>
<div class="layout layout--with-sidebar"><div class="layout__main"><div class="content-header">
<h1>{p.headline()}</h1><div class="content-header__dek">{p.say(1)}</div>
<div class="content-info"><a href="/a">{p.name()}</a><span>{p.date()}</span> 9 min read</div></div>
<div class="content__body content-body"><p class="dropcap">{p.linked(5)}</p>{p.paragraphs(3)}
<figure class="inline-image"><img><figcaption>{p.say(1)}</figcaption></figure>{p.paragraphs(2)}
<p><strong>READ MORE: <a href="/rm">{p.label()}</a></strong></p>
{p.paragraphs(2)}<hr><h3>{p.heading()}</h3>{p.paragraphs(3)}
<div class="callout-promo"><p>Enjoying this? <a href="/sub">Subscribe</a> from 3 a month.</p></div>
{p.paragraphs(p.number(3, 6))}<ol>{p.items(4)}</ol>{p.paragraphs(2)}</div>
<div class="author-box"><h4>About the author</h4><p>{p.name()} {p.noise()}</p></div>
<div class="post-tags">Tagged: {p.menu(4, "", ", ")}</div></div>
<div class="layout__aside"><div class="widget"><h3>Popular</h3><ul>{p.stories(5)}</ul></div>
<div class="widget widget--promo"><p>{p.noise()}</p><a href="/b">Buy the book</a></div></div></div>
<div class="recirc"><h3>You may also like</h3>{p.cards(3)}</div>
<div class="page-footer"><div class="legal">© Field Notes. {p.noise()}</div>
<ul>{p.menu(14)}</ul></div></body></html>"""


def press_release(page: Page) -> str:
    p = page
    return f"""<!doctype html><html><head><title>{p.title}</title></head><body><header id="top">
<div class="navbar navbar-default"><ul class="nav navbar-nav">{p.menu(10)}</ul></div></header>
<div class="container"><div class="row"><article class="news-release inline-gallery-template">
<header class="release-header"><div class="col-lg-8"><h1>{p.headline()}</h1></div></header>
<section class="release-meta"><p class="meta">News provided by</p><a href="/o">{p.name()} Inc.</a>
<p>{p.date()}, 09:00 ET</p></section><section class="share-this"><span>Share this article</span>
<ul><li><a href="#">Share to X</a></li></ul></section>
<section class="release-body container"><div class="row"><div class="col-lg-10">
<p><span class="xn-location">{p.keep("PORT ELLERY")}</span>, /Wire/ -- {p.linked(3)}</p>
{p.paragraphs(3)}<p><b>{p.heading()}</b></p><ul>{p.items(4)}</ul>{p.paragraphs(2)}
<table><tr><th>{p.keep("Quarter")}</th><th>{p.keep("Revenue")}</th></tr>
<tr><td>{p.keep("First")}</td><td>{p.keep("12.4 million")}</td></tr>
<tr><td>{p.keep("Second")}</td><td>{p.keep("13.1 million")}</td></tr></table>
<p>{p.say(2)}</p></div></div></section>
<section class="related-documents"><h4>Also from this source</h4>{p.cards(2)}</section>
<section class="explore"><h4>Explore</h4>{p.menu(3, "<p>", "</p>")}</section></article></div></div>
<section class="subscribe"><h3>Looking to send a press release?</h3><p>{p.noise()}</p></section>
<footer><ul>{p.menu(24)}</ul></footer></body></html>"""


def regional_paper(page: Page) -> str:
    """An older system: tables of contents by date, and readers' letters after the article."""
    p = page
    letter = '<div class="leserbrief"><b>{name}</b> <i>{date}</i><br>{text}</div>'
    return f"""<html><head><title>{p.title}</title></head><body><div id="page"><div id="kopf">
<div id="hauptnav"><ul>{p.menu(11)}</ul></div></div><div id="spalte1"><ul>{p.menu(8)}</ul></div>
<div id="artikel"><div class="dachzeile">{p.word()}</div><h1>{p.headline()}</h1>
<p class="vorspann"><b>{p.say(1)}</b></p>{p.paragraphs(p.number(3, 6))}<h3>{p.heading()}</h3>
{p.paragraphs(3)}
<p class="anzeige">Anzeige</p>{p.paragraphs(1)}
<div class="werkzeuge"><a href="#">Drucken</a> <a href="#">Versenden</a> <a href="#">Merken</a>
</div></div><div id="kommentare" class="comments"><h3>Kommentare</h3>{p.remarks(5, letter)}</div>
<div id="spalte3"><h4>Lesen Sie auch</h4><ul>{p.stories(6)}</ul></div>
<div id="fuss"><p>Alle Rechte vorbehalten. {p.noise()}</p>{p.menu(7, "", " | ")}</div></div>
</body></html>"""


def wire_portal(page: Page) -> str:
    """A portal with a body in plain paragraphs, named by an id, and rows of headlines."""
    p = page
    return f"""<!doctype html><html><head><title>{p.title}_News</title></head><body>
<div class="top-nav"><div class="wrap">{p.menu(16, "", " | ")}</div></div>
<div class="path-search"><div class="channel-path">{p.menu(3, "", " &gt; ")}</div></div>
<div class="main-content w1240"><h1 class="main-title">{p.headline()}</h1>
<div class="top-bar-wrap"><span class="date">{p.date()}</span>
<a href="/s" class="source">{p.name()}</a></div>
<div class="article-content clearfix"><div class="article-content-left">
<div class="article" id="article">{p.paragraphs(p.number(5, 9))}
<p class="show_author">{p.name()}</p></div>
<div class="article-bottom"><div class="keywords" id="keywords">{p.menu(4, "", " ")}</div>
<div class="page-tools"><a href="#">0</a> <a href="#">0</a></div></div>
<div class="blk-related"><h2>{p.word()}</h2><ul>{p.stories(12)}</ul></div></div>
<div class="article-content-right"><h2>{p.word()}</h2><ul>{p.stories(15)}</ul></div></div></div>
<div class="footer">{p.menu(12, "", " | ")}<p>Copyright © 1996-2021</p></div></body></html>"""


LAYOUTS = (
    portal,
    hashed_classes,
    divs_only,
    broadsheet,
    paragraphs_as_divs,
    short_item,
    magazine,
    press_release,
    regional_paper,
    wire_portal,
)
