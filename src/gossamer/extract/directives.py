"""What a page asks of robots, and how it rates itself: its meta elements and X-Robots-Tag headers
as `Directives`."""

from collections.abc import Iterable

from gossamer.records import Directives

_MEANINGS = {
    "noindex": Directives.NOINDEX,
    "nofollow": Directives.NOFOLLOW,
    "none": Directives.NOINDEX | Directives.NOFOLLOW,
    "nosnippet": Directives.NOSNIPPET,
    "max-snippet:0": Directives.NOSNIPPET,
    "noarchive": Directives.NOARCHIVE,
    "nocache": Directives.NOARCHIVE,
}
# These have values of their own: what stands before their colon is not the name of a robot.
_VALUED = frozenset({"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"})
_EVERYONE = frozenset({"", "*", "robots"})
_ADULT = frozenset({"adult", "mature", "restricted", "rta-5042-1996-1400-1577-rta"})


def combined(contents: Iterable[str], tags: Iterable[str], agent_name: str) -> Directives:
    """The strictest reading of meta `contents` that concern us and of all X-Robots-Tag values."""
    directives = Directives.NONE
    for content in contents:
        for word in content.lower().split(","):
            directives |= _meaning(word)
    for tag in tags:
        directives |= _from_tag(tag, agent_name.lower())
    return directives


def rated(contents: Iterable[str]) -> Directives:
    """What rating meta elements say: `adult`, `mature`, `restricted`, or the label of RTA."""
    adult = any("".join(content.lower().split()) in _ADULT for content in contents)
    return Directives.ADULT if adult else Directives.NONE


def _meaning(word: str) -> Directives:
    return _MEANINGS.get("".join(word.split()), Directives.NONE)


def _from_tag(tag: str, agent_name: str) -> Directives:
    """A robot's name with a colon (`ourbot: noindex`) holds until the next name."""
    directives = Directives.NONE
    concerned = True
    for word in tag.lower().split(","):
        name, colon, rest = word.partition(":")
        name = name.strip()
        if colon and name not in _VALUED:
            concerned = name == agent_name or name in _EVERYONE
            word = rest
        if concerned:
            directives |= _meaning(word)
    return directives
