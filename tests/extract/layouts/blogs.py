# ruff: noqa: E501
"""Layouts of blogs and of the systems that blogs are made with."""

from tests.extract.layouts.page import Page

_COMMENT = (
    '<li class="comment even thread-even depth-1"><article class="comment-body">'
    '<footer class="comment-meta"><b class="fn">{name}</b> <span class="says">says:</span> '
    '<a href="#c">{date}</a></footer><div class="comment-content"><p>{text}</p></div>'
    '<div class="reply"><a href="#r">Reply</a></div></article></li>'
)


def classic_wordpress(page: Page) -> str:
    p = page
    return f"""<!DOCTYPE html><html><head><title>{p.title} | My notes</title></head>
<body class="single single-post postid-99 custom-background full-width"><div id="page" class="hfeed site">
<header id="masthead" class="site-header"><hgroup><h1 class="site-title"><a href="/">My notes</a></h1>
<h2 class="site-description">{p.label()}</h2></hgroup><nav id="site-navigation">
<h3 class="menu-toggle">Menu</h3><ul>{p.menu(7)}</ul></nav></header>
<div id="main" class="wrapper"><div id="primary" class="site-content"><div id="content" role="main">
<article id="post-99" class="post-99 post type-post status-publish category-related tag-sidebar">
<header class="entry-header"><h1 class="entry-title">{p.headline()}</h1>
<div class="comments-link"><a href="#respond">{p.number(2, 40)} Replies</a></div></header>
<div class="entry-content">{p.paragraphs(p.number(3, 8))}<h2>{p.heading()}</h2>{p.paragraphs(2)}
<div id="attachment_3" class="wp-caption alignnone"><img><p class="wp-caption-text">{p.say(1)}</p>
</div>{p.paragraphs(2)}<div class="sharedaddy sd-sharing-enabled"><div class="robots-nocontent">
<h3 class="sd-title">Share this:</h3><ul><li class="share-facebook"><a href="#">Facebook</a></li>
<li class="share-twitter"><a href="#">Twitter</a></li></ul></div></div>
<div id="jp-relatedposts" class="jp-relatedposts"><h3><em>Related</em></h3></div></div>
<footer class="entry-meta">This entry was posted in <a href="/c">{p.word()}</a> on
<a href="/d">{p.date()}</a>.</footer></article>
<nav class="nav-single"><h3 class="assistive-text">Post navigation</h3>{p.stories(2, "", " ")}</nav>
<div id="comments" class="comments-area"><h2 class="comments-title">{p.number(2, 9)} thoughts on
&ldquo;{p.title}&rdquo;</h2><ol class="commentlist">{p.remarks(p.number(3, 14), _COMMENT)}</ol>
<div id="respond" class="comment-respond"><h3>Leave a Reply <small>Cancel reply</small></h3>
<form id="commentform"><p>Your email address will not be published. Required fields are marked *</p>
<p><label>Comment</label></p><p><label>Name *</label></p><p><label>Email *</label></p></form></div>
</div></div></div><div id="secondary" class="widget-area" role="complementary">
<aside class="widget widget_recent_entries"><h3>Recent Posts</h3><ul>{p.stories(5)}</ul></aside>
<aside class="widget widget_archive"><h3>Archives</h3><ul>{p.menu(20)}</ul></aside></div></div>
<footer id="colophon"><div class="site-info">Proudly powered by WordPress</div></footer></div>
</body></html>"""


def block_wordpress(page: Page) -> str:
    p = page
    return f"""<!DOCTYPE html><html><head><title>{p.title} – Notes</title></head><body class="wp-site">
<div class="wp-site-blocks"><header class="wp-block-template-part"><div class="wp-block-group
has-global-padding is-layout-constrained"><p class="wp-block-site-title"><a href="/">Notes</a></p>
<nav class="wp-block-navigation"><ul>{p.menu(5)}</ul></nav></div></header>
<main class="wp-block-group is-layout-flow"><div class="wp-block-group is-layout-constrained">
<h1 class="wp-block-post-title">{p.headline()}</h1>
<div class="wp-block-template-part"><div class="wp-block-group is-nowrap is-layout-flex">
<div class="wp-block-post-date"><time>{p.date()}</time></div><p>—</p>
<div class="wp-block-post-author-name">{p.name()}</div></div></div></div>
<div class="entry-content wp-block-post-content has-global-padding is-layout-constrained">
{p.paragraphs(3)}<h2 class="wp-block-heading">{p.heading()}</h2>{p.paragraphs(2)}
<ul class="wp-block-list">{p.items(p.number(3, 7))}</ul>{p.paragraphs(2)}
<pre class="wp-block-code"><code>{p.keep("make install")}
{p.keep("make test ARGS=--verbose")}</code></pre>{p.paragraphs(2)}</div>
<div class="wp-block-group"><div class="taxonomy-post_tag wp-block-post-terms">{p.menu(3, "", ", ")}
</div><div class="wp-block-comments wp-block-comments-query-loop"><h2>Comments</h2>
<h3>{p.number(2, 5)} responses to “{p.title}”</h3><ol class="wp-block-comment-template">
{p.remarks(4, '<li><div class="wp-block-group"><p>{name}</p><p>{date}</p><p>{text}</p></div></li>')}
</ol><div class="comment-respond"><h3>Leave a Reply</h3></div></div></div>
<div class="wp-block-group"><h2 class="wp-block-heading">More posts</h2>
<ul class="wp-block-post-template">{p.cards(4, "<div>", "h2")}</ul></div></main>
<footer class="wp-block-template-part"><div class="wp-block-group"><p>Notes</p><ul>{p.menu(6)}</ul>
<p>Designed with WordPress</p></div></footer></div></body></html>"""


def blogger(page: Page) -> str:
    """Text in one div, broken by br elements."""
    p = page
    text = "<br /><br />\n".join(p.linked(p.number(2, 5)) for _ in range(p.number(4, 8)))
    comment = (
        '<div class="comment-block"><p class="comment-header"><cite>{name}</cite> {date}</p>'
        '<p class="comment-content">{text}</p><span class="comment-actions"><a href="#">Reply</a>'
        "</span></div>"
    )
    return f"""<!DOCTYPE html><html><head><title>A diary: {p.title}</title></head><body>
<div class="body-fauxcolumns"></div><div class="content"><div class="content-outer">
<div class="header section" id="header"><h1 class="title"><a href="/">A diary</a></h1>
<p class="description">{p.label()}</p></div><div class="tabs section"><ul>{p.menu(4)}</ul></div>
<div class="main-outer"><div class="main section" id="main"><div class="widget Blog" id="Blog1">
<div class="blog-posts hfeed"><div class="date-outer"><h2 class="date-header">{p.date()}</h2>
<div class="date-posts"><div class="post-outer"><div class="post hentry uncustomized-post-template">
<h3 class="post-title entry-title">{p.headline()}</h3><div class="post-header"></div>
<div class="post-body entry-content" id="post-body-12">{text}<div style="clear:both"></div></div>
<div class="post-footer"><div class="post-footer-line">Posted by {p.name()} at 9:14 PM
<a href="#">Email This</a> <a href="#">BlogThis!</a></div><div>Labels: {p.menu(3, "", ", ")}</div>
</div></div><div class="comments" id="comments"><h4>{p.number(2, 8)} comments:</h4>
{p.remarks(5, comment)}<p class="comment-footer"><a href="#">Post a Comment</a></p></div></div></div>
</div></div><div class="blog-pager" id="blog-pager"><a href="/n">Newer Post</a>
<a href="/o">Older Post</a> <a href="/">Home</a></div></div></div>
<div class="column-right-outer"><div class="sidebar section" id="sidebar-right-1">
<div class="widget Profile"><h2>About Me</h2><p>{p.noise(2)}</p><a href="/p">View my complete profile
</a></div><div class="widget BlogArchive"><h2>Blog Archive</h2><ul>{p.menu(18)}</ul></div></div>
</div></div></div></div></body></html>"""


def reader_platform(page: Page) -> str:
    """Hashed names, everything in nested divs within an article."""
    p = page
    return f"""<!doctype html><html><head><title>{p.title} | by {p.name()}</title></head><body>
<div id="root"><div class="a b c"><div class="d e"><div class="f"><a href="/app">Open in app</a>
</div><div><p><a href="/signup">Sign up</a></p><p><a href="/signin">Sign in</a></p></div></div>
<article><div class="l"><div class="l"><section><div><div class="fr fs ft fu fv">
<h1 class="pw-post-title">{p.headline()}</h1><div class="speechify"><div><a href="/u">{p.name()}
</a></div><p><a href="/f">Follow</a></p><span>{p.number(3, 14)} min read</span> <span>{p.date()}
</span></div><div class="bh"><div><p>{p.number(10, 900)}</p></div><div><p>Listen</p></div><div><p>
Share</p></div></div>{p.paragraphs(4, '<p class="pw-post-body-paragraph mw mx">')}
<figure><div role="button"><img></div><figcaption class="oi">{p.say(1)}</figcaption></figure>
<h2 class="nt nu">{p.heading()}</h2>{p.paragraphs(3, '<p class="pw-post-body-paragraph mw mx">')}
<blockquote class="oo"><p>{p.say(1)}</p></blockquote><ul>{p.items(4)}</ul>
{p.paragraphs(p.number(2, 5), '<p class="pw-post-body-paragraph mw mx">')}</div></div></section>
</div></div></article><div class="ch bg"><div><a href="/t">{p.word()}</a></div>
<div><a href="/t">{p.word()}</a></div></div><div class="fo"><h2>Written by {p.name()}</h2><p>
<a href="/fo">1.2K Followers</a></p><p>{p.noise()}</p><button>Follow</button></div>
<div class="re"><h2>More from {p.name()}</h2>{p.cards(4, "<article>", "h2")}</div>
<div><h2>Recommended</h2>{p.cards(6, "<article>", "h2")}</div>
<div class="fx">{p.menu(9, "<p>", "</p>")}</div></div></div></body></html>"""


def newsletter(page: Page) -> str:
    p = page
    comment = (
        '<div class="comment"><div class="comment-meta">{name} {date}</div><div class='
        '"comment-body"><p>{text}</p></div><a>Reply</a><a>Share</a></div>'
    )
    return f"""<!doctype html><html><head><title>{p.title}</title></head><body>
<div id="entry"><div id="main" class="main typography use-theme-bg"><div class="main-menu">
<div class="topbar"><h1 class="title-x"><a href="/">The Weekly</a></h1><button>Subscribe</button>
<button>Sign in</button></div></div><div class="single-post-container"><div class="single-post">
<article class="newsletter-post post"><div class="post-header"><h1 class="post-title published">
{p.headline()}</h1><h3 class="subtitle">{p.say(1)}</h3><div class="meta-x">{p.name()}
{p.date()}</div><div class="post-ufi">{p.number(2, 99)} {p.number(2, 99)} Share</div></div>
<div class="visibility-check"></div><div><div class="available-content"><div class="body markup">
{p.paragraphs(4)}<div class="subscription-widget-wrap"><div class="subscription-widget"><p>
Thanks for reading! Subscribe for free to receive new posts.</p><form><button>Subscribe</button>
</form></div></div><h3 class="header-anchor-post">{p.heading()}</h3>
{p.paragraphs(p.number(3, 7))}<div class="captioned-image-container"><figure><img><figcaption>
{p.say(1)}</figcaption></figure></div>{p.paragraphs(3)}</div></div></div>
<div class="post-footer"><div class="post-ufi">{p.number(2, 99)} Likes</div></div></article></div>
<div class="container"><div class="discussion" id="discussion"><h4>Discussion about this post</h4>
{p.remarks(7, comment)}</div></div></div><div class="portable-archive"><div>Top</div><div>Latest
</div>{p.cards(4, '<div class="post-preview">', "div")}</div>
<div class="subscribe-footer"><p>Ready for more?</p><button>Subscribe</button></div></div>
<div class="footer"><div>© 2024 {p.name()}</div>{p.menu(5, "", " ∙ ")}</div></div></body></html>"""


def static_site(page: Page) -> str:
    """A plain generator of static pages: little besides the text."""
    p = page
    return f"""<!DOCTYPE html><html><head><title>{p.title}</title></head><body>
<header class="site-header"><a class="site-title" href="/">{p.name()}</a><nav class="site-nav">
{p.menu(4, "", " ")}</nav></header><main class="page-content"><div class="wrapper">
<article class="post h-entry"><header class="post-header"><h1 class="post-title p-name">
{p.headline()}</h1><p class="post-meta"><time>{p.date()}</time> • {p.name()}</p></header>
<div class="post-content e-content">{p.paragraphs(2)}<h2 id="x">{p.heading()}</h2>
<div class="language-python highlighter-rouge"><div class="highlight"><pre class="highlight"><code>
{p.keep("def area(width, height):")}
{p.keep("    return width * height")}</code></pre></div></div>{p.paragraphs(p.number(2, 5))}
<h2 id="y">{p.heading()}</h2>{p.paragraphs(2)}<ul>{p.items(3)}</ul>{p.paragraphs(1)}</div>
<a class="u-url" href="/x" hidden></a></article></div></main><footer class="site-footer"><p>
{p.noise()}</p><ul class="contact-list">{p.menu(3)}</ul></footer></body></html>"""


def page_builder(page: Page) -> str:
    """A visual page builder: everything is called a widget."""
    p = page

    def widget(kind: str, inside: str) -> str:
        return (
            f'<div class="elementor-element elementor-widget elementor-widget-{kind}" '
            f'data-widget_type="{kind}.default"><div class="elementor-widget-container">'
            f"{inside}</div></div>"
        )

    return f"""<!DOCTYPE html><html><head><title>{p.title}</title></head>
<body class="post-template-default single elementor-default elementor-kit-5">
<div class="elementor elementor-location-header"><section class="elementor-section"><div
class="elementor-container">{widget("nav-menu", f"<ul>{p.menu(8)}</ul>")}</div></section></div>
<div data-elementor-type="single-post" class="elementor elementor-21 elementor-location-single post
type-post hentry"><section class="elementor-section elementor-top-section"><div
class="elementor-container"><div class="elementor-column elementor-col-66"><div
class="elementor-widget-wrap">{widget("theme-post-title", f"<h1>{p.headline()}</h1>")}
{widget("post-info", f"<ul><li>{p.name()}</li><li>{p.date()}</li><li>No Comments</li></ul>")}
{widget("theme-post-content", p.paragraphs(4) + f"<h2>{p.heading()}</h2>" + p.paragraphs(4))}
{widget("share-buttons", "<div>Facebook</div><div>Twitter</div><div>LinkedIn</div>")}
{widget("author-box", f"<h4>{p.name()}</h4><p>{p.noise(2)}</p>")}</div></div>
<div class="elementor-column elementor-col-33"><div class="elementor-widget-wrap">
{widget("heading", "<h2>Recent articles</h2>")}{widget("posts", p.cards(4, "<article>"))}
{widget("form", "<form><label>Your name</label><label>E-mail</label></form>")}</div></div></div>
</section></div><div class="elementor elementor-location-footer">{
        widget("text-editor", f"<p>{p.noise(2)}</p>")
    }{widget("icon-list", f"<ul>{p.menu(9)}</ul>")}</div></body></html>"""


def site_builder(page: Page) -> str:
    """A site made in the browser: blocks with numbers for names."""
    p = page
    return f"""<!doctype html><html><head><title>{p.title} — {p.name()}</title></head>
<body id="collection-5e" class="header-layout-branding tweak-blog-show-categories"><div id="siteWrapper">
<header data-test="header" id="header" class="header theme-col--primary"><div class="header-inner">
<div class="header-title"><a href="/">{p.name()}</a></div><div class="header-nav">{p.menu(5, "", " ")}
</div></div></header><main id="page" class="container" role="main"><article class="sections" id="s">
<section class="page-section"><div class="content-wrapper"><div class="content">
<div class="blog-item-wrapper"><article class="blog-item entry"><div class="blog-item-inner-wrapper">
<div class="blog-item-top-wrapper"><div class="blog-item-title"><h1 class="entry-title">{p.headline()}
</h1></div><div class="blog-meta-section"><span>{p.word()}</span> <time>{p.date()}</time>
<span>Written By {p.name()}</span></div></div>
<div class="blog-item-content-wrapper"><div class="blog-item-content e-content"><div class="sqs-layout">
<div class="sqs-block html-block" id="block-1"><div class="sqs-block-content">{p.paragraphs(3)}</div>
</div><div class="sqs-block image-block" id="block-2"><figure><figcaption class="image-caption"><p>
{p.say(1)}</p></figcaption></figure></div><div class="sqs-block html-block"><div
class="sqs-block-content"><h2>{p.heading()}</h2>{p.paragraphs(p.number(3, 7))}</div></div></div></div>
</div><div class="blog-item-author-profile-wrapper"><div class="author-bio"><p>{p.noise()}</p></div>
</div></div><div class="blog-item-comments"><h3>Comments</h3></div></article></div>
<section id="itemPagination" class="item-pagination"><a href="/p"><div><h2>Previous</h2><h2>
{p.label()}</h2></div></a><a href="/n"><div><h2>Next</h2><h2>{p.label()}</h2></div></a></section>
</div></div></section></article></main><footer class="sections" id="footer-sections"><section><p>
{p.noise()}</p></section></footer></div></body></html>"""


def long_discussion(page: Page) -> str:
    """A short post with far more text in its comments."""
    p = page
    comment = (
        '<div class="comment" id="c1"><div class="comment_author">{name}</div><div class='
        '"comment_date">{date}</div><div class="comment_text"><p>{text}</p><p>{text}</p></div></div>'
    )
    return f"""<!DOCTYPE html><html><head><title>{p.title}</title></head><body><div id="container">
<div id="banner"><h1><a href="/">{p.label()}</a></h1></div><div id="center"><div class="content">
<h2>{p.date()}</h2><div class="entry" id="entry-9"><h3 class="entry-header">{p.headline()}</h3>
<div class="entry-body">{p.paragraphs(4)}</div><p class="posted">Posted by {p.name()} at 14:02 |
<a href="/l">Permalink</a></p></div><h2 id="comments">Comments</h2><div class="comments-body">
{p.remarks(24, comment)}</div><h2>Post a comment</h2><form><p><label>Name:</label></p><p><label>Email
Address:</label></p><p>Comments: (you may use HTML tags for style)</p></form></div></div>
<div id="right"><div class="sidebar"><h2>Search</h2><h2>Recent Entries</h2><ul>{p.stories(10)}</ul>
<h2>Links</h2><ul>{p.menu(14)}</ul></div></div></div></body></html>"""


def portfolio_theme(page: Page) -> str:
    """A bought theme: share bars, a progress bar, posts before and after, an instagram row."""
    p = page
    return f"""<!DOCTYPE html><html><head><title>{p.title}</title></head><body class="single">
<div id="td-outer-wrap" class="td-theme-wrap"><div class="td-header-wrap td-header-style-1">
<div class="td-header-menu-wrap"><ul id="menu-main" class="sf-menu">{p.menu(15)}</ul></div></div>
<div class="td-main-content-wrap"><div class="td-container td-post-template-default"><div
class="td-crumb-container"><div class="entry-crumbs"><a href="/">Home</a> <a href="/c">{
        p.word()
    }</a>
{p.title}</div></div><div class="td-pb-row"><div class="td-pb-span8 td-main-content"><div
class="td-ss-main-content"><article id="post-5" class="post hentry"><div class="td-post-header">
<ul class="td-category"><li><a href="/c">{p.word()}</a></li></ul><header class="td-post-title">
<h1 class="entry-title">{p.headline()}</h1><div class="td-module-meta-info"><div
class="td-post-author-name">By <a href="/a">{p.name()}</a></div><span>{p.date()}</span><div
class="td-post-views">1032</div></div></header></div><div class="td-post-sharing-top"><div
class="td-post-sharing-visible"><a href="#">Facebook</a><a href="#">Twitter</a></div></div>
<div class="td-post-content tagdiv-type">{p.paragraphs(3)}<div class="td-a-rec"><span
class="td-adspot-title">- Advertisement -</span></div>{p.paragraphs(2)}<h3>{p.heading()}</h3>
{
        p.paragraphs(p.number(2, 6))
    }</div><footer><div class="td-post-source-tags"><ul class="td-tags"><li>
<span>TAGS</span></li>{p.menu(4)}</ul></div><div class="td-block-row td-post-next-prev"><div
class="td-post-prev-post"><span>Previous article</span><a href="/p">{p.label()}</a></div></div>
<div class="author-box-wrap"><div class="desc"><div>{p.name()}</div><div>{
        p.noise()
    }</div></div></div>
</footer></article><div class="td_block_wrap td_block_related_posts"><h4>RELATED ARTICLES MORE FROM
AUTHOR</h4>{p.stories(6, "<h3>", "</h3>")}</div><div class="comments" id="comments"><div
id="respond"><h3>LEAVE A REPLY</h3><p>Please enter your comment!</p><p>Please enter your name here
</p></div></div></div></div><div class="td-pb-span4 td-main-sidebar"><div class="td-ss-main-sidebar">
<h4>Stay connected</h4><div>20,831 Fans</div><div>Like</div><h4>Latest</h4>{
        p.stories(5, "<h3>", "</h3>")
    }</div></div></div></div></div><div class="td-footer-wrapper"><div>ABOUT US</div><div>
{p.noise(2)}</div><h3>POPULAR</h3><ul>{p.menu(9)}</ul></div></div></body></html>"""


LAYOUTS = (
    classic_wordpress,
    block_wordpress,
    blogger,
    reader_platform,
    newsletter,
    static_site,
    page_builder,
    site_builder,
    long_discussion,
    portfolio_theme,
)
