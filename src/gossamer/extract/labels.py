"""Short lines that are boilerplate by what they say: 'Share this', 'Advertisement', 'Read more'."""

import re
from itertools import islice

# Shapes of lines, as in `boilerplate`.
LABEL = "K"
COMMENTS = "C"  # comments follow


def _phrases(text: str) -> frozenset[str]:
    return frozenset(phrase for line in text.split("\n") for phrase in line.strip().split("|"))


_WHOLE_LINES = _phrases(
    """ad|ads|advertisement|advertisements|advertising|skip advertisement
    article continues below|story continues below|continue reading|read more|read also|also read
    share|share this|share this:|share this article|share this post|tweet|pin it|print|email|save
    facebook|twitter|linkedin|whatsapp|copy link|follow|follow us|subscribe|sign up|sign in|log in
    login|register|menu|search|home|reply|report|like|close|cancel|ok|accept|loading|newsletter
    related|related articles|related content|related posts|related stories|related topics|see also
    more on this story|you may also like|recommended|recommended for you|trending|most read
    most popular|popular|latest news|top stories|recent posts|tags|topics|filed under
    back to top|top|next|previous|prev
    anzeige|werbung|drucken|teilen|lesen sie auch|mehr zum thema|publicité|partager|lire aussi
    à lire aussi|publicidad|compartir|leer más|te puede interesar|condividi|leggi anche
    реклама|поделиться|теги|читайте также|相关新闻|相关阅读|分享|加载更多"""
)
_BEGINNINGS = _phrases(
    """©|(c) |copyright|all rights reserved|advertisement|powered by|proudly powered
    read:|read more:|read also|also read|related:|see also:|watch:|tags:|tagged:|topics:|labels:
    filed under|posted in|posted by|posted on|this entry was posted|share this|follow us
    subscribe to|sign up for|join the |click here to|photograph:|image credit
    lesen sie auch|mehr zum thema|материалы по теме|читайте также
    版权所有|责任编辑|(责任编辑|上一篇|下一篇|文章关键词"""
)
_HEADINGS_OF_COMMENTS = _phrases(
    """comment|comments|response|responses|discussion|discussion about this post|leave a comment
    leave a reply|post a comment|add a comment|kommentar|kommentare|schreibe einen kommentar
    commentaire|commentaires|comentario|comentarios|commenti|reacties|комментарии|комментариев
    网友评论|评论|コメント"""
)
_COMMENTS_ON = re.compile(r"(?:comments?|responses?|thoughts?) (?:on|to) \W")
_NUMBER = re.compile(r"^\d+ |[\W\d]+$")  # '3 comments', 'Comments (3)', 'Comments:'
_BEGINNING = re.compile("|".join(map(re.escape, sorted(_BEGINNINGS))))
_LONGEST_HEADING = 70

FIRST_LETTERS = frozenset(
    phrase[:3] for phrase in (*_WHOLE_LINES, *_BEGINNINGS, *_HEADINGS_OF_COMMENTS, "thoughts")
)
FIRST_SIGNS = frozenset("©0123456789")
"""Only a line that begins with such letters, in lower case, or with such a sign can be a label. To
look at them takes far less time than to ask `label_of`."""

_NOTICE = re.compile(r"©|\(c\)|copyright\b", re.IGNORECASE)
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\bago\b|\bsays\b")
_DATED_LINES = 60  # that are looked at
_LONGEST_DATE = 60


def label_of(line: str) -> str:
    """LABEL, COMMENTS or ''."""
    line = line.lower()
    if line in _WHOLE_LINES or _BEGINNING.match(line):
        return LABEL
    if len(line) < _LONGEST_HEADING:
        line = _NUMBER.sub("", line) if line not in _HEADINGS_OF_COMMENTS else line
        if line in _HEADINGS_OF_COMMENTS or _COMMENTS_ON.match(line):
            return COMMENTS
    return ""


def is_notice(line: str) -> bool:
    """Longer than a label, and about who owns the page."""
    return line[0] in "©(Cc" and _NOTICE.match(line) is not None


def are_comments(lines: list[str], begin: int) -> bool:
    """Whether comments begin there, and not only something with such a heading: they are dated."""
    dates = 0
    for line in islice(lines, begin, begin + _DATED_LINES):
        dates += len(line) < _LONGEST_DATE and _DATE.search(line) is not None
    return dates >= 2
