"""What the names of an element say about what is inside it: its `class`, its `id`, its `role`.

Names are free, but those who make pages call things by the same few words: `site-footer`,
`post_content`, `ShareButtons`. A name is taken apart into its words, and these decide.
"""

import re
from itertools import pairwise

# What is inside, as the names have it:
NOTHING = ""
ARTICLE = "a"  # an article, with all that belongs to it
BODY = "b"  # the text of an article
COMMENTS = "c"
HEADER = "h"  # boilerplate, unless it is the header of an article
MAIN = "m"  # the part of the page that the site's other pages do not share
NAVIGATION = "n"  # as if the element were called `nav`
BOILERPLATE = "-"

HINTS = (NOTHING, ARTICLE, BODY, COMMENTS, HEADER, MAIN, NAVIGATION, BOILERPLATE)

_ROLES = {
    **dict.fromkeys(("navigation", "banner", "contentinfo", "complementary"), NAVIGATION),
    **dict.fromkeys(("search", "dialog", "alertdialog", "menu", "menubar", "toolbar"), BOILERPLATE),
    "main": MAIN,
    "article": ARTICLE,
}
_BODY_PROPERTY = "articleBody"  # of schema.org

_LENGTH = 200  # longer names say nothing, and would fill the memory
_CAPACITY = 20_000

_WORD = re.compile(r"(?<![0-9])(?:[A-Z]?[a-z]+|[A-Z]+(?![a-z]))")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Wherever they stand in a name. What is two words here (`side-bar`) is looked for as one, too.
_BOILERPLATE = _words(
    "addthis addtoany adsense advert advertisement advertising adverts anzeige backtotop "
    "breadcrumb breadcrumbs byline bylines catlinks colophon cookie cookies copyright crumbs "
    "dateline disclaimer editsection fusszeile gdpr infolinks jumplink leftnav linklist masthead "
    "menubar metadata mostpopular mostread navbar navbox navigation navlinks onetrust outbrain "
    "pagenav pager pagination paging popup postprofile promo promos promotion promotions "
    "publicidad readmore recirc recirculation recommend recommendations recommended related "
    "relatednews relatedposts rightbar rightcol rightcolumn rightnav screenreader seitenleiste "
    "sharebar sharedaddy sharethis sharing sidebar sidebars sidecol sidecolumn sidenav signature "
    "signup sitemap sitenotice skiplink socials sponsor sponsored sponsors submenu subnav "
    "subscribe subscription taboola tagcloud tagged taglist textwidget toolbar topbar topnav "
    "trending visuallyhidden werbung zergnet"
)
# At the beginning or at the end of a name: `ad-slot` and `top-ad`.
_BOILERPLATE_AT_AN_END = _words(
    "ad ads aside author authors avatar banner banners consent feedback foot footer keywords "
    "login menu menus meta modal nav navi navs noprint overlay pagenavi poll privacy rating "
    "ratings search searchform share shares sharer signin skip social submitted tags toc tooltip "
    "widget widgets"
)
# At the end: `post-date`, not `date-outer`.
_BOILERPLATE_AT_THE_END = _words(
    "actions categories category date dates disclosure donate fineprint follow invisible labels "
    "legal likes links logo newsletter popular posted postmeta pubdate recent register relate "
    "source sources tag timestamp tools topics updated userinfo votes"
)
# Two words, or the whole name.
_BOILERPLATE_PHRASES = _words(
    "alsolike announcementbar articleinfo assistivetext backto bloginfo contentinfo contentslist "
    "entryinfo morefrom morestories moretopics newsletterbox newslettercta newsletterform "
    "newsletterpromo newslettersignup newsletterwidget pageinfo pagetools postbuttons postinfo "
    "quicklinks rightrail siderail sronly storyinfo tableofcontents whoisonline"
)
_COMMENTS = _words(
    "comment comments commentlist commentaires comentarios disqus kommentar kommentare livefyre "
    "replies reply respond responses"
)
# With one of these, a name is about another element, or about how the page is laid out.
_ABOUT_ANOTHER = _words("has hide is layout no not of position show template with without")
# At the beginning: `tag-sidebar` is an article about sidebars.
_ABOUT_A_SUBJECT = _words("cat category format status tag topic type")
_WRAPPERS = _words("area container holder inner main outer wrap wrapper")

_ARTICLES = _words(
    "article articles articulo artikel artykul blog blogpost entry item materia news node nota "
    "noticia post recipe story topic"
)
_BODIES = _words("body content contenido copy corpo corps cuerpo fulltext testo text texte texto")
# A part of an article that is not its text.
_OTHER_PARTS = _words(
    "bottom caption card head header image img left link list picture preview right secondary "
    "summary teaser thumb thumbnail title top"
)
_BODY_PHRASES = _words(
    "artibody articlebody articlecontent articletext artikelinhalt artikeltext beitragstext "
    "blogcontent bodycontent bodycopy bodytext contentbody cooked entrybody entrycontent "
    "fieldnamebody fulltext govspeak maintext markdown markdownbody messagecontent mwcontenttext "
    "mwparseroutput newsbody newstext postbody postcontent postentry postmessage prose richtext "
    "rte storybody storycontent storytext textbody wysiwyg"
)
_ARTICLE_NAMES = _words("article artikel blogpost entry hentry newsarticle post story")
_MAIN_NAMES = _words(
    "bodywrapper centercol content contentarea contentmain contents contenido contenu hauptinhalt "
    "inhalt main mainbody maincol maincolumn maincontent pagebody pagecontent primary"
)
_HEADS = _words("head header kopfzeile")
_HAVE_HEADS_OF_THEIR_OWN = _ARTICLES | _words(
    "card content group list page product question release section single table title"
)


_Key = tuple[str | None, ...]  # the values of class, id, role, itemprop


class Names:
    """Remembers what it found: most elements of a site share a few names."""

    def __init__(self) -> None:
        self._known: dict[_Key, str] = {}

    def hint(self, attributes: dict[str, str | None]) -> str:
        """What the attributes of an element say."""
        if not attributes:
            return NOTHING
        value = attributes.get
        key = value("class"), value("id"), value("role"), value("itemprop")
        found = self._known.get(key)
        return self._learned(key) if found is None else found

    def _learned(self, key: _Key) -> str:
        classes, identity, role, property_name = (text or "" for text in key)
        if len(classes) + len(identity) + len(role) + len(property_name) > _LENGTH:
            return _ROLES.get(role, NOTHING)
        if len(self._known) >= _CAPACITY:
            self._known.clear()
        if property_name == _BODY_PROPERTY:
            hint = BODY
        else:
            hint = _ROLES.get(role) or said_by(f"{identity} {classes}")
        self._known[key] = hint
        return hint


def said_by(names: str) -> str:
    """What the words of a `class` or an `id` say."""
    found = {_said_by_one(name) for name in names.split()}
    if "Blog" in names.split():  # of a system that calls its list of articles 'widget Blog'
        found.discard(BOILERPLATE)
    if ARTICLE in found and BOILERPLATE in found:
        return NOTHING  # they contradict each other
    for hint in (COMMENTS, BODY, BOILERPLATE, HEADER, ARTICLE, MAIN):
        if hint in found:
            return hint
    return NOTHING


def _said_by_one(name: str) -> str:
    words = [word.lower() for word in _WORD.findall(name)]
    if words[:1] == ["elementor"]:  # a system that calls everything a widget
        words = [word for word in words if word not in ("elementor", "widget", "element")]
    if not words:
        return NOTHING
    together = "".join(words)
    is_around_more = words[-1] in _WRAPPERS and ("content" in words or "main" in words)
    if not (is_around_more or words[0] in _ABOUT_A_SUBJECT or _ABOUT_ANOTHER & set(words)):
        pairs = {one + other for one, other in pairwise(words)}
        if _COMMENTS & set(words):
            return COMMENTS
        if _is_boilerplate(words, pairs | {together}):
            return BOILERPLATE
        if {words[0], words[-1]} & _HEADS and not _HAVE_HEADS_OF_THEIR_OWN & set(words):
            return HEADER
    if together in _BODY_PHRASES or _is_body(words):
        return BODY
    if together in _ARTICLE_NAMES:
        return ARTICLE
    return MAIN if together in _MAIN_NAMES else NOTHING


def _is_boilerplate(words: list[str], phrases: set[str]) -> bool:
    return bool(
        _BOILERPLATE & (phrases | set(words))
        or _BOILERPLATE_PHRASES & phrases
        or _BOILERPLATE_AT_AN_END & {words[0], words[-1]}
        or words[-1] in _BOILERPLATE_AT_THE_END
    )


def _is_body(words: list[str]) -> bool:
    """`post-content`, `article__body`, `storyText`."""
    if _OTHER_PARTS & set(words):
        return False
    for place, word in enumerate(words):
        if word in _ARTICLES:
            return bool(_BODIES & set(words[place + 1 :]))
    return False
