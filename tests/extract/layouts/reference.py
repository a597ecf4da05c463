# ruff: noqa: E501
"""Layouts of encyclopedias, manuals, authorities and schools."""

from tests.extract.layouts.page import Page


def _table(p: Page, rows: int) -> str:
    cells = "".join(
        f"<tr><td>{p.keep(p.word())}</td><td>{p.keep(str(p.number(1, 999)))}</td>"
        f'<td><a href="{p.href()}">{p.keep(p.word())}</a></td></tr>'
        for _ in range(rows)
    )
    heads = "".join(f"<th>{p.keep(p.word())}</th>" for _ in range(3))
    return f"<table class='wikitable'><tr>{heads}</tr>{cells}</table>"


def wiki(page: Page) -> str:
    p = page
    return f"""<!DOCTYPE html><html><head><title>{p.title} - Lantern</title></head>
<body class="mediawiki ltr sitedir-ltr ns-0"><div id="mw-page-base" class="noprint"></div>
<div id="content" class="mw-body" role="main"><div id="siteNotice"><p>{p.noise()}</p></div>
<h1 id="firstHeading" class="firstHeading">{p.headline()}</h1><div id="bodyContent"
class="vector-body"><div id="siteSub" class="noprint">From Lantern, the free encyclopedia</div>
<a class="mw-jump-link" href="#x">Jump to navigation</a><div id="mw-content-text"
class="mw-body-content mw-content-ltr"><div class="mw-parser-output">
<table class="infobox vcard"><tr><th>{p.keep("Founded")}</th><td>{p.keep("1873")}</td></tr>
<tr><th>{p.keep("Height")}</th><td>{p.keep("48 metres")}</td></tr></table>{p.paragraphs(3)}
<div id="toc" class="toc" role="navigation"><div class="toctitle"><h2>Contents</h2></div><ul>
<li><a href="#h1">1 History</a></li><li><a href="#h2">2 Uses</a></li></ul></div>
<h2><span class="mw-headline">{p.heading()}</span><span class="mw-editsection">[<a href="/e">edit</a>]
</span></h2>{p.paragraphs(3)}<div class="thumb tright"><div class="thumbinner"><div
class="thumbcaption">{p.say(1)}</div></div></div>{p.paragraphs(2)}<h3>{p.heading()}</h3>
{_table(p, p.number(3, 8))}{p.paragraphs(2)}<ul>{p.items(4)}</ul>
<div role="navigation" class="navbox"><table><tr><td>{p.menu(30, "", " · ")}</td></tr></table></div>
</div></div><div id="catlinks" class="catlinks">Categories: {p.menu(5, "", " | ")}</div></div></div>
<div id="mw-navigation"><h2>Navigation menu</h2><div id="mw-head"><ul>{p.menu(9)}</ul></div>
<div id="mw-panel"><h3>Tools</h3><ul>{p.menu(12)}</ul><h3>Languages</h3><ul>{p.menu(40)}</ul></div>
</div><footer id="footer"><ul><li>This page was last edited on {p.date()}.</li><li>{p.noise()}</li>
</ul></footer></body></html>"""


def framework_manual(page: Page) -> str:
    p = page
    return f"""<!doctype html><html><head><title>{p.title} · Beam v5.3</title></head><body>
<div class="skippy visually-hidden-focusable"><a href="#content">Skip to main content</a></div>
<header class="navbar navbar-expand-lg bd-navbar sticky-top"><nav class="container-xxl"><ul
class="navbar-nav">{p.menu(6)}</ul></nav></header><div class="container-xxl bd-gutter mt-3 bd-layout">
<aside class="bd-sidebar"><nav class="bd-links"><ul>{p.menu(50)}</ul></nav></aside>
<main class="bd-main order-1"><div class="bd-intro pt-2"><div class="d-flex"><a href="/gh">View on
GitHub</a><h1 class="bd-title" id="content">{p.headline()}</h1></div><p class="bd-lead">{p.say(1)}</p>
</div><div class="bd-toc mt-3"><strong>On this page</strong><hr><nav id="TableOfContents"><ul>
{p.menu(8)}</ul></nav></div><div class="bd-content ps-lg-2"><h2>{p.heading()}</h2>{p.paragraphs(2)}
<div class="bd-example-snippet bd-code-snippet"><div class="highlight"><pre><code>
{p.keep("$primary: #0d6efd;")}
{p.keep("$enable-shadows: true;")}
{p.keep("@import 'functions';")}</code></pre></div></div>{p.paragraphs(1)}<h3>{p.heading()}</h3>
{_table(p, 6)}<div class="bd-callout bd-callout-info"><p>{p.say(2)}</p></div><ul>{p.items(5)}</ul>
<h3>{p.heading()}</h3>{p.paragraphs(p.number(1, 4))}</div></main></div>
<footer class="bd-footer"><div class="row"><h5>Links</h5><ul>{p.menu(18)}</ul></div></footer>
</body></html>"""


def python_manual(page: Page) -> str:
    p = page
    signature = p.keep("area(width, height=1)")
    return f"""<!DOCTYPE html><html><head><title>{p.title} — Beam documentation</title></head><body>
<div class="related" role="navigation"><h3>Navigation</h3><ul>{p.menu(5)}</ul></div>
<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body"
role="main"><section id="x"><h1>{p.headline()}<a class="headerlink" href="#x">¶</a></h1>
{p.paragraphs(2)}<dl class="py function"><dt class="sig">{signature}<a href="#y">¶</a></dt><dd><p>
{p.say(3)}</p><div class="admonition note"><p class="admonition-title">{p.keep("Note")}</p><p>
{p.say(2)}</p></div></dd></dl><section id="z"><h2>{p.heading()}</h2>{p.paragraphs(p.number(2, 6))}
<div class="highlight-default notranslate"><div class="highlight"><pre>
{p.keep(">>> area(3, 4)")}
{p.keep("12")}</pre></div></div><p>{p.say(2)}</p></section></section></div></div></div>
<div class="sphinxsidebar" role="navigation"><div class="sphinxsidebarwrapper"><h3>Table of Contents
</h3><ul>{p.menu(6)}</ul><h4>Previous topic</h4><p><a href="/p">{p.label()}</a></p><div
role="note"><h3>This Page</h3><ul><li><a href="/s">Show Source</a></li></ul></div></div></div></div>
<div class="footer">© Copyright 2020, {p.name()}. Created using Sphinx.</div></body></html>"""


def docs_site(page: Page) -> str:
    p = page
    return f"""<!doctype html><html><head><title>{p.title} | Beam</title></head><body>
<div id="__docusaurus"><div role="region"><a class="skipToContent_fXgn" href="#c">Skip to main content
</a></div><nav class="navbar navbar--fixed-top"><div class="navbar__items">{p.menu(7, "", " ")}</div>
</nav><div id="c" class="main-wrapper mainWrapper_z2l0"><div class="docsWrapper"><aside
class="theme-doc-sidebar-container"><ul class="theme-doc-sidebar-menu menu__list">{p.menu(30)}</ul>
</aside><main class="docMainContainer_TBSr"><div class="container padding-top--md"><div class="row">
<div class="col docItemCol_VOVn"><div class="docItemContainer_Djhp"><article><nav
class="theme-doc-breadcrumbs"><ul>{p.menu(2)}</ul></nav><div class="tocCollapsible">
<button>On this page</button></div><div class="theme-doc-markdown markdown"><header><h1>
{p.headline()}</h1></header>{p.paragraphs(2)}<h2 class="anchor">{p.heading()}</h2>{p.paragraphs(2)}
<div class="tabs-container"><ul role="tablist" class="tabs"><li>{p.keep("npm")}</li></ul><pre><code>
{p.keep("npm install beam")}</code></pre></div><div class="theme-admonition alert"><p>{p.say(1)}</p>
</div><ol>{p.items(4)}</ol>{p.paragraphs(p.number(1, 4))}</div><footer class="theme-doc-footer"><a
href="/e">Edit this page</a></footer></article><nav class="pagination-nav"><a href="/p">Previous
{p.label()}</a><a href="/n">Next {p.label()}</a></nav></div></div><div class="col col--3"><div
class="tableOfContents_bqdL"><ul>{p.menu(5)}</ul></div></div></div></div></main></div></div>
<footer class="footer footer--dark"><ul>{p.menu(12)}</ul></footer></div></body></html>"""


def authority(page: Page) -> str:
    """A public authority: cookie text in the page, a form for feedback."""
    p = page
    return f"""<!DOCTYPE html><html><head><title>{p.title} - GOV</title></head><body
class="gem-c-layout"><div id="global-cookie-message" class="gem-c-cookie-banner" role="region"><h2>
Cookies on GOV</h2><p>We use some essential cookies to make this website work.</p><p>We’d like to set
additional cookies to understand how you use the site. {p.noise()}</p><button>Accept additional
cookies</button></div><a href="#content" class="govuk-skip-link">Skip to main content</a>
<header class="gem-c-layout-super-navigation-header"><ul>{p.menu(30)}</ul></header>
<div class="govuk-width-container"><div class="gem-c-breadcrumbs govuk-breadcrumbs"><ol>{p.menu(3)}
</ol></div><main role="main" id="content" class="detailed-guide"><div class="govuk-grid-row"><div
class="govuk-grid-column-two-thirds"><div class="gem-c-title"><span>Guidance</span><h1>
{p.headline()}</h1></div><p class="gem-c-lead-paragraph">{p.say(1)}</p></div><div
class="gem-c-metadata"><dl><dt>From:</dt><dd><a href="/d">{p.name()}</a></dd><dt>Published</dt><dd>
{p.date()}</dd></dl></div></div><div class="govuk-grid-row"><div class="govuk-grid-column-two-thirds">
<div class="gem-c-contents-list" role="navigation"><h2>Contents</h2><ol>{p.menu(4)}</ol></div>
<div class="gem-c-govspeak govuk-govspeak"><div class="govspeak"><h2>{p.heading()}</h2>
{p.paragraphs(2)}<ul>{p.items(5)}</ul><h2>{p.heading()}</h2>{p.paragraphs(p.number(2, 5))}<div
class="call-to-action"><p>{p.say(1)}</p></div><div class="address"><p>{p.keep(p.name())}<br>
{p.keep("Box 12")}<br>{p.keep("Port Ellery")}</p></div></div></div></div></div>
<div class="gem-c-contextual-sidebar"><h2>Related content</h2><ul>{p.stories(5)}</ul></div></main>
<div class="gem-c-feedback"><h2>Is this page useful?</h2><button>Yes</button><form><p>Help us improve.
{p.noise()}</p><label>What were you doing?</label></form></div></div>
<footer class="govuk-footer"><ul>{p.menu(20)}</ul><p>All content is available under the licence,
except where otherwise stated</p></footer></body></html>"""


def school(page: Page) -> str:
    """An old content system: columns named by their side."""
    p = page
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html><head><title>{p.title}
</title></head><body><div id="wrap"><div id="header"><h2>Department of {p.word()}</h2><ul id="tabs">
{p.menu(6)}</ul></div><div id="left"><ul class="nav">{p.menu(14)}</ul><p class="contact">
{p.name()}<br>Room 214<br>Tel. 555 0143</p></div><div id="main"><h1>{p.headline()}</h1>
{p.paragraphs(p.number(2, 5))}<h2>{p.heading()}</h2><dl><dt>{p.keep(p.word())}</dt><dd>{p.say(2)}
</dd><dt>{p.keep(p.word())}</dt><dd>{p.say(2)}</dd></dl><h2>{p.heading()}</h2>{_table(p, 8)}
{p.paragraphs(1)}<ol>{p.items(5)}</ol></div><div id="foot">Last modified: {p.date()} by webmaster.
{p.menu(3, "", " | ")}</div></div></body></html>"""


def readme(page: Page) -> str:
    p = page
    files = "".join(
        f'<div class="Box-row"><a href="/f">{p.word().lower()}.py</a> <a href="/c">{p.label()}</a> '
        f"{p.number(2, 9)} months ago</div>"
        for _ in range(14)
    )
    return f"""<!DOCTYPE html><html><head><title>{p.title}: beam</title></head><body><div
class="position-relative js-header-wrapper"><header class="Header-old"><ul>{p.menu(16)}</ul><form>
<span>Search or jump to…</span></form></header></div><div class="application-main"><main
id="js-repo-pjax-container"><div id="repository-container-header"><h1><a href="/u">{p.name()}</a> /
<a href="/r">beam</a></h1><ul><li>Notifications</li><li>Fork 83</li><li>Star 1.1k</li></ul><nav
class="js-repo-nav">{p.menu(8, "", " ")}</nav></div><div class="Layout Layout--sidebarPosition-end">
<div class="Layout-main"><div class="file-navigation"><a href="/b">12 branches</a> <a href="/t">40 tags
</a></div><div class="Box"><div class="js-details-container">{files}</div></div>
<div id="readme" class="Box md js-code-block-container"><div class="Box-header"><h2>README.md</h2>
</div><div class="Box-body px-5 pb-5"><article class="markdown-body entry-content container-lg"
itemprop="text"><h1>{p.headline()}</h1>{p.paragraphs(1)}<h2>{p.heading()}</h2><pre><code>
{p.keep("pip install beam")}</code></pre>{p.paragraphs(2)}<ul>{p.items(5)}</ul><h2>{p.heading()}</h2>
{p.paragraphs(p.number(1, 3))}</article></div></div></div><div class="Layout-sidebar"><h2>About</h2>
<p>{p.noise()}</p><h2>Releases 40</h2><h2>Languages</h2><ul><li>Python 97.1%</li></ul></div></div>
</main></div><footer class="footer"><ul>{p.menu(11)}</ul><span>© 2024</span></footer></body></html>"""


def terms_of_use(page: Page) -> str:
    """A legal text in numbered paragraphs, with a menu and little else."""
    p = page
    clauses = "".join(
        f"<li><strong>{p.heading()}.</strong> {p.say(2)}<ol><li>{p.say(1)}</li><li>{p.say(1)}</li>"
        f"</ol></li>"
        for _ in range(p.number(4, 8))
    )
    return f"""<!doctype html><html><head><title>{p.title}</title></head><body><div
class="topnav">{p.menu(7, "", " ")}</div><div class="inner-page"><h1>{p.headline()}</h1>
<p>{p.say(2)}</p><ol class="terms">{clauses}</ol></div><div class="bottom"><p>Questions? <a
href="/c">Contact us</a></p><p>{p.menu(6, "", " - ")}</p></div></body></html>"""


LAYOUTS = (
    wiki,
    framework_manual,
    python_manual,
    docs_site,
    authority,
    school,
    readme,
    terms_of_use,
)
