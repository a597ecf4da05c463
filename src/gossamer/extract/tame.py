"""Keeps the parser away from markup that would take it quadratic time.

An HTML parser looks through all open elements at many tags and through all attributes of a tag at
each of them. Browsers limit the depth; lexbor does not: 2 MB of `<div>` would take it minutes. A
page with few tags cannot do harm, which costs one count to find out. Others are measured, and only
those found to be deep, badly nested or crowded with attributes are written anew: properly nested,
no deeper than `MAX_DEPTH`, with `MAX_ATTRIBUTES` on a tag and `MAX_ELEMENTS` in all at most. Their
text and their links remain.
"""

import re

MAX_DEPTH = 200
MAX_ATTRIBUTES = 64
MAX_ELEMENTS = 100_000

_HARMLESS_TAGS = 8_000
_SHORTEST_TAG = 3  # characters
_HARMLESS_LENGTH = 100_000  # of a page, as far as attributes are concerned
_CROWD = 500  # attributes
_HARMLESS_STRAYS = 1_000  # end tags that do not end the innermost element
_NEAR = 20  # how far up an end tag's element is looked for when measuring


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VOID = _names(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr"
)
_RAW = _names("iframe noembed noframes noscript script style svg math plaintext textarea title xmp")
_FOREIGN = frozenset({"math", "svg"})
# A second one ends the first, unless a frame lies between.
_SELF_CLOSING = _names(
    "a button caption dd dt li nobr optgroup option p tbody td tfoot th thead tr"
)
# End tags inside do not reach elements outside.
_FRAME = _names("applet dl marquee menu object ol select table template ul")

_VALUE = r"(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>\"'][^\s>]*+)"
_ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+{_VALUE}?+)?+"
_ATTRIBUTE_PARTS = re.compile(rf"[\s/]*+([^\s/>][^\s/>=]*+)(?:\s*+=\s*+({_VALUE})?+)?+")
# Every tag matches, so that the search goes on behind it; the group tells the crowded ones.
_CROWDED = re.compile(
    rf"<!--(?s:.)*?(?:-->|\Z)|</?[a-zA-Z][^\s/>]*+(?:{_ATTRIBUTE}){{0,{_CROWD}}}+({_ATTRIBUTE})?+"
)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_NAME = re.compile(r"</?([a-zA-Z][^\s/>]*)")
_PLAIN_NAME = re.compile(r"[a-zA-Z_:][-a-zA-Z0-9_:.]*")
_TAG_END = re.compile(r"[\s/]*>")


def tame(html: str) -> str:
    """The page itself, or where it is hostile a page with the same text that parses fast."""
    if len(html) <= _HARMLESS_TAGS * _SHORTEST_TAG:
        return html
    crowded = len(html) > _HARMLESS_LENGTH and any(_CROWDED.findall(html))
    if crowded or (html.count("<") > _HARMLESS_TAGS and _is_tangled(html)):
        return _Rewriter(html).rewritten()
    return html


def _is_tangled(html: str) -> bool:
    """Deep or badly nested, by a rough measure that never takes a hostile page for a harmless
    one; the other way round costs only time."""
    stack: list[str] = []
    strays = 0
    for slash, name in _TAG.findall(html):
        if not name.islower():
            name = name.lower()
        if name in _VOID:
            continue
        if not slash:
            stack.append(name)
            if len(stack) > MAX_DEPTH:
                return True
        elif stack and stack[-1] == name:
            stack.pop()
        else:
            strays += 1
            if strays > _HARMLESS_STRAYS:
                return True
            if name in stack[-_NEAR:]:
                while stack.pop() != name:
                    pass
    return False


class _Rewriter:
    """Reads a page tag by tag and writes it with every element properly closed."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._out: list[str] = []
        self._elements = 0
        self._stack: list[str] = []  # open elements
        self._frames: list[dict[str, int]] = [{}]  # how many of each name are open, by frame
        self._endless: set[str] = set()  # raw elements of which no end tag follows any more
        self._dropped: dict[str, int] = {}  # start tags beyond the depth: their ends are due

    def rewritten(self) -> str:
        html, out = self._html, self._out
        position = 0
        while True:
            start = html.find("<", position)
            if start < 0:
                out.append(html[position:])
                break
            if start > position:
                out.append(html[position:start])
            position = self._markup(start)
            if position < 0:
                break
        return "".join(out)

    def _markup(self, start: int) -> int:
        """Deal with what begins at a `<`; the position behind it, or -1 at the end of all."""
        html = self._html
        name_match = _NAME.match(html, start)
        if name_match is None:
            if html.startswith("<!--", start):
                return _behind(html, "-->", start + 4)
            if html.startswith(("<!", "<?", "</"), start):
                return _behind(html, ">", start + 2)
            self._out.append("&lt;")
            return start + 1
        name = name_match[1].lower()
        position = name_match.end()
        attributes: list[str] = []
        while match := _ATTRIBUTE_PARTS.match(html, position):
            position = match.end()
            if len(attributes) < MAX_ATTRIBUTES and _PLAIN_NAME.fullmatch(match[1]):
                attributes.append(_written(match[1], match[2]))
        end = _TAG_END.match(html, position)
        if end is None:
            return -1
        if html.startswith("</", start):
            self._end(name)
        elif name in _RAW:
            return self._raw(name, attributes, end.end())
        elif _PLAIN_NAME.fullmatch(name):
            self._begin(name, attributes)
        return end.end()

    def _begin(self, name: str, attributes: list[str]) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS and name != "a":
            if name not in _VOID:
                self._dropped[name] = self._dropped.get(name, 0) + 1
            return
        if name in _SELF_CLOSING and self._frames[-1].get(name):
            self._close_to(name)
        if name not in _VOID:
            if len(self._stack) >= MAX_DEPTH:
                self._dropped[name] = self._dropped.get(name, 0) + 1
                # What was a link or a block beyond the depth still is one, just flat.
                self._out.append(f"<{name}{''.join(attributes)}></{name}>")
                return
            if name in _FRAME:
                self._frames.append({})
            self._stack.append(name)
            self._frames[-1][name] = self._frames[-1].get(name, 0) + 1
        self._out.append(f"<{name}{''.join(attributes)}>")

    def _end(self, name: str) -> None:
        if self._dropped.get(name):
            self._dropped[name] -= 1
        elif self._frames[-1].get(name):
            self._close_to(name)

    def _close_to(self, name: str) -> None:
        """Close the innermost open element of that name, and all that is open inside it."""
        counts = self._frames[-1]
        while True:
            closed = self._stack.pop()
            counts[closed] -= 1
            self._out.append(f"</{closed}>")
            if closed == name:
                break
        if name in _FRAME:
            self._frames.pop()

    def _raw(self, name: str, attributes: list[str], position: int) -> int:
        """An element whose content is no markup, or none that is worth the trouble here."""
        html = self._html
        match = None
        if name not in self._endless:
            match = re.compile(f"</{name}", re.IGNORECASE).search(html, position)
        if match is None:
            self._endless.add(name)
            if name in _FOREIGN:
                return position
        content = html[position : match.start() if match else len(html)]
        if name == "title":
            escaped = content.replace("<", "&lt;")
            self._out.append(f"<title>{escaped}</title>")
        elif name in ("plaintext", "xmp"):
            escaped = content.replace("&", "&amp;").replace("<", "&lt;")
            self._out.append(f"<pre>{escaped}</pre>")
        elif name == "iframe":
            self._out.append(f"<iframe{''.join(attributes)}></iframe>")
        return _behind(html, ">", match.end()) if match else -1


def _written(name: str, value: str | None) -> str:
    if not value:
        return f" {name}"
    if value[0] in "\"'":
        value = value[1:].removesuffix(value[0])
    escaped = value.replace('"', "&quot;")
    return f' {name}="{escaped}"'


def _behind(html: str, mark: str, position: int) -> int:
    found = html.find(mark, position)
    return found + len(mark) if found >= 0 else -1
