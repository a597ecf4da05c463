# ruff: noqa: E501
"""Layouts of forums, shops, recipes and other pages that are no articles."""

from tests.extract.layouts.page import Page


def bulletin_board(page: Page) -> str:
    p = page

    def post() -> str:
        return (
            f'<div id="p1" class="post bg1"><div class="inner"><dl class="postprofile"><dt>'
            f'<a href="/u">{p.name()}</a></dt><dd><strong>Posts:</strong> {p.number(3, 999)}</dd>'
            f"<dd><strong>Joined:</strong> {p.date()}</dd></dl>"
            f'<div class="postbody"><div id="post_content1"><h3><a href="#p1">Re: {p.title}</a></h3>'
            f'<ul class="post-buttons"><li><a href="#">Quote</a></li></ul>'
            f'<p class="author">by <strong>{p.name()}</strong> » {p.date()}</p>'
            f'<div class="content">{p.say(p.number(1, 4))}<br><br>{p.say(p.number(1, 3))}</div>'
            f'<div class="signature">{p.noise()}</div></div></div>'
            f'<div class="back2top"><a href="#top">Top</a></div></div></div>'
        )

    posts = "".join(post() for _ in range(p.number(4, 8)))
    return f"""<!DOCTYPE html><html><head><title>{p.title} - Board</title></head><body id="phpbb"
class="nojs notouch section-viewtopic ltr"><div id="wrap" class="wrap"><div id="page-header"><div
class="headerbar" role="banner"><h1>Board</h1><p>{p.label()}</p></div><div class="navbar"><ul
id="nav-main" class="nav-main linklist">{p.menu(5)}</ul><ul class="linklist navlinks">{p.menu(4)}</ul>
</div></div><div id="page-body" class="page-body" role="main"><h2 class="topic-title"><a href="/t">
{p.headline()}</a></h2><div class="action-bar bar-top"><a href="/r">Post Reply</a><div
class="pagination">{p.number(4, 9)} posts • Page 1 of 1</div></div>{posts}<div class="action-bar
bar-bottom"><a href="/r">Post Reply</a></div><div class="stat-block online-list"><h3>Who is online</h3>
<p>Users browsing this forum: No registered users and 2 guests</p></div></div>
<div id="page-footer" class="page-footer"><div class="navbar"><ul id="nav-footer">{p.menu(5)}</ul></div>
<div class="copyright">Powered by phpBB® Forum Software</div></div></div></body></html>"""


def questions(page: Page) -> str:
    p = page

    def answer() -> str:
        return (
            f'<div class="answer js-answer" itemprop="suggestedAnswer"><div class="post-layout"><div '
            f'class="votecell"><div class="js-vote-count">{p.number(0, 99)}</div></div><div '
            f'class="answercell"><div class="s-prose js-post-body" itemprop="text">{p.paragraphs(2)}'
            f"<pre><code>{p.keep('beam --mode fast input.txt')}</code></pre><p>{p.say(2)}</p></div>"
            f'<div class="mt24"><a href="#">Share</a> <a href="#">Improve this answer</a> '
            f'<a href="#">Follow</a><div class="user-info">answered {p.date()} {p.name()} 12.3k 4 28'
            f'</div></div></div><div class="comments js-comments-container"><ul><li class="comment">'
            f'<span class="comment-copy">{p.noise()}</span> – <a href="/u">{p.name()}</a> {p.date()}'
            f"</li></ul></div></div></div>"
        )

    answers = "".join(answer() for _ in range(p.number(1, 4)))
    return f"""<!DOCTYPE html><html><head><title>{p.title} - Ask</title></head><body
class="question-page unified-theme"><header class="s-topbar"><a href="/">Ask</a><ol>{p.menu(6)}</ol>
</header><div class="container"><div id="left-sidebar" class="left-sidebar"><ol>{p.menu(8)}</ol></div>
<div id="content" class="snippet-hidden"><div itemscope class="inner-content clearfix"><div
id="question-header"><h1><a href="/q">{p.headline()}</a></h1><a href="/ask">Ask Question</a></div><div
class="d-flex fw-wrap pb8"><div>Asked 3 years ago</div><div>Viewed 41k times</div></div><div
id="mainbar" role="main"><div class="question js-question" id="question"><div class="post-layout"><div
class="votecell">{p.number(2, 300)}</div><div class="postcell"><div class="s-prose js-post-body"
itemprop="text">{p.paragraphs(2)}<pre><code>{p.keep("Error: no such mode")}</code></pre></div><div
class="post-taglist"><ul>{p.menu(3)}</ul></div><div class="user-info">asked {p.date()} {p.name()}
</div></div></div></div><div id="answers"><div id="answers-header"><h2>{p.number(1, 4)} Answers</h2>
<label>Sorted by:</label></div>{answers}<h2 class="space">Your Answer</h2><form id="post-form"><p>
Thanks for contributing an answer! {p.noise(2)}</p></form></div></div><div id="sidebar"
class="show-votes"><div class="s-sidebarwidget"><h4>The Overflow Blog</h4><ul>{p.stories(4)}</ul></div>
<div class="sidebar-related"><h4>Related</h4>{p.stories(10, "<div>", "</div>")}</div></div></div></div>
</div><footer id="footer"><ul>{p.menu(22)}</ul><p>Site design © 2024. {p.noise()}</p></footer>
</body></html>"""


def discussion(page: Page) -> str:
    p = page

    def post() -> str:
        return (
            f'<div class="topic-body crawler-post"><div class="crawler-post-meta"><span '
            f'class="creator"><a href="/u">{p.name()}</a></span> <time>{p.date()}</time> <span>'
            f'{p.number(2, 30)}</span></div><div class="post" itemprop="articleBody">'
            f"{p.paragraphs(p.number(1, 3))}</div><div class='post-likes'>{p.number(1, 9)} Likes"
            f"</div></div>"
        )

    posts = "".join(post() for _ in range(p.number(3, 8)))
    return f"""<!DOCTYPE html><html><head><title>{p.title} - Community</title></head><body
class="crawler"><header><a href="/">Community</a></header><div id="main-outlet" class="wrap"
role="main"><div id="topic-title"><h1><a href="/t">{p.headline()}</a></h1><div class="topic-category">
<a href="/c">{p.word()}</a><div class="discourse-tags">{p.menu(2, "", ", ")}</div></div></div>{posts}
<div id="related-topics" class="more-topics__list"><h3>Related topics</h3><table><tr><th>Topic</th><th>
Replies</th><th>Views</th></tr>{p.stories(5, "<tr><td>", "</td><td>3</td><td>412</td></tr>")}</table>
</div></div><footer class="container wrap"><nav>{p.menu(5, "", " ")}</nav></footer></body></html>"""


def product(page: Page) -> str:
    p = page
    return f"""<!doctype html><html><head><title>{p.title} – Wren & Oak</title></head><body
class="template-product"><div id="shopify-section-announcement-bar"><p class="announcement-bar">Free
delivery over 50</p></div><header class="site-header"><ul class="site-nav">{p.menu(12)}</ul><a
href="/cart">Cart (0)</a></header><main class="main-content" id="MainContent"><div
class="product-template__container page-width"><div class="grid product-single"><div
class="product-single__meta"><h1 class="product-single__title">{p.headline()}</h1><div
class="product__price"><span>Regular price</span> 24.00</div><form class="product-form"><label>Colour
</label><label>Quantity</label><button>Add to cart</button></form><div
class="product-single__description rte">{p.paragraphs(3)}<ul>{p.items(5)}</ul></div><div
class="social-sharing"><a href="#">Share</a><a href="#">Tweet</a><a href="#">Pin it</a></div></div>
</div></div><div id="shopify-product-reviews"><h2>Customer Reviews</h2><div class="spr-summary">Based
on 3 reviews</div></div><div class="product-recommendations"><h2>You may also like</h2><ul>
{p.stories(6, "<li>", "<span>Regular price 18.00</span></li>")}</ul></div></main><footer
class="site-footer"><h4>Newsletter</h4><p>{p.noise()}</p><ul>{p.menu(10)}</ul><p>© 2024
Wren & Oak</p></footer></body></html>"""


def recipe(page: Page) -> str:
    p = page
    comment = '<li class="comment"><b>{name}</b> <i>{date}</i><p>{text}</p></li>'
    return f"""<!doctype html><html><head><title>{p.title} - Kitchen</title></head><body class="single">
<div class="site-container"><nav class="nav-primary"><ul>{p.menu(9)}</ul></nav><div
class="site-inner"><div class="content-sidebar-wrap"><main class="content"><div class="breadcrumb">
<a href="/">Home</a> » {p.word()}</div><article class="post entry has-post-thumbnail"><header
class="entry-header"><h1 class="entry-title">{p.headline()}</h1><p class="entry-meta">{p.date()} by
<a href="/a">{p.name()}</a> <a href="#c">14 Comments</a></p></header><div class="entry-content"><div
class="tasty-recipes-quick-links"><a href="#r">Jump to Recipe</a> · <a href="/p">Print Recipe</a></div>
{p.paragraphs(4)}<h2>{p.heading()}</h2>{p.paragraphs(2)}<div class="wprm-recipe-container" id="r"><h2>
{p.heading()}</h2><div class="wprm-recipe-summary">{p.say(1)}</div><h3>{p.keep("Ingredients")}</h3><ul
class="wprm-recipe-ingredients"><li>{p.keep("200 g flour")}</li><li>{p.keep("2 eggs")}</li><li>
{p.keep("a pinch of salt")}</li><li>{p.keep("50 ml oil")}</li></ul><h3>{p.keep("Instructions")}</h3>
<ol class="wprm-recipe-instructions">{p.items(6)}</ol></div>{p.paragraphs(1)}</div><footer
class="entry-footer"><p class="entry-meta">Filed Under: {p.menu(3, "", ", ")}</p></footer></article>
<h2 class="screen-reader-text">Reader Interactions</h2><div class="entry-comments" id="comments"><h3>
Comments</h3><ol class="comment-list">{p.remarks(8, comment)}</ol></div><div id="respond"><h3>Leave a
Reply</h3><form>{p.noise()}</form></div></main><aside class="sidebar sidebar-primary"><section
class="widget"><p>Hi, I'm {p.name()}! {p.noise()}</p></section></aside></div></div><footer
class="site-footer"><p>Copyright © 2024 Kitchen on the Foodie Theme</p></footer></div></body></html>"""


def lyrics(page: Page) -> str:
    """Short lines, broken by br elements."""
    p = page

    def verse() -> str:
        return "<br>\n".join(p.keep(p.label()) for _ in range(4))

    verses = "<br><br>\n".join(verse() for _ in range(p.number(4, 6)))
    return f"""<!doctype html><html><head><title>{p.title} Lyrics</title></head><body><nav
class="navbar"><ul>{p.menu(26)}</ul></nav><div class="container main-page"><div class="row"><div
class="col-xs-12 col-lg-8 text-center"><div class="div-share"><h1>"{p.headline()}" lyrics</h1></div>
<div class="lyricsh"><h2><a href="/b"><b>{p.name()}</b></a></h2></div><div>{verses}</div><div
class="smt"><small>Writer(s): {p.name()}</small></div><div class="panel album-panel">Album: <a
href="/al">{p.label()}</a></div></div><div class="col-md-4"><h4>You May Also Like</h4>
{p.stories(7, '<div class="song">', "</div>")}</div></div></div><footer><ul>{p.menu(8)}</ul></footer>
</body></html>"""


def interview(page: Page) -> str:
    """Questions in bold, short answers among long ones."""
    p = page
    talk = "".join(
        f"<p><strong>{p.keep(p.label() + '?')}</strong></p><p>{p.say(p.number(1, 4))}</p>"
        for _ in range(p.number(5, 8))
    )
    return f"""<!doctype html><html><head><title>{p.title}</title></head><body><div class="page-wrap">
<div class="header-container"><ul>{p.menu(8)}</ul></div><div class="columns"><div class="column-main">
<div class="node node-article"><h1>{p.headline()}</h1><div class="submitted">Submitted by {p.name()} on
{p.date()}</div><div class="field field-name-body field-type-text-with-summary"><div
class="field-items"><div class="field-item even" property="content:encoded">{p.paragraphs(1)}{talk}
</div></div></div><div class="field field-name-field-tags"><div class="field-label">Tags:</div>
<div>{p.menu(3, "", " ")}</div></div><ul class="links inline"><li><a href="/c">Log in or register to
post comments</a></li></ul></div></div><div class="column-right region-sidebar-second"><div
class="block block-views"><h2>Latest</h2><ul>{p.stories(6)}</ul></div></div></div><div
class="region-footer"><p>{p.noise()}</p></div></div></body></html>"""


def joomla(page: Page) -> str:
    p = page
    return f"""<!DOCTYPE html><html><head><title>{p.title}</title></head><body class="site
com_content view-article"><div class="body"><div class="container"><header class="header"><div><a
class="brand" href="/">Club</a></div></header><nav class="navigation"><ul>{p.menu(6)}</ul></nav><div
class="row-fluid"><main id="content" role="main" class="span9"><div class="breadcrumbs"><ul>
{p.menu(3)}</ul></div><div class="item-page" itemscope><div class="page-header"><h2>{
        p.headline()
    }</h2>
</div><dl class="article-info muted"><dt>Details</dt><dd>Written by {p.name()}</dd><dd>Category: <a
href="/c">{p.word()}</a></dd><dd>Hits: {p.number(9, 9999)}</dd></dl><div itemprop="articleBody">
{p.paragraphs(p.number(3, 7))}<table>{
        "".join(
            f"<tr><td>{p.keep(p.name())}</td><td>{p.keep(str(p.number(1, 99)))}</td></tr>"
            for _ in range(6)
        )
    }</table>{p.paragraphs(1)}</div><ul
class="pager pagenav"><li><a href="/p">Prev</a></li><li><a href="/n">Next</a></li></ul></div></main>
<div id="aside" class="span3"><div class="well"><h3>Login Form</h3><form><label>Username</label><label>
Password</label><a href="/f">Forgot your password?</a></form></div><div class="well"><h3>Who's Online
</h3><p>We have 26 guests and no members online</p></div></div></div></div></div><footer
class="footer"><p>© 2024 Club</p></footer></body></html>"""


LAYOUTS = (
    bulletin_board,
    questions,
    discussion,
    product,
    recipe,
    lyrics,
    interview,
    joomla,
)
