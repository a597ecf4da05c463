"""In which language are documents that come from files?

A document is in the language that the settings give, that it names itself, or that its text is in.
Titles of products are often too short to tell: these are read in the language of most others, so
that 'lantern' finds 'lanterns' there, too.
"""

from collections.abc import Callable, Sequence


def language_of(fixed: str, default: str = "") -> Callable[[str], str]:
    """Return a function from a text to its language. `fixed`: that of all texts. `default`: that of
    texts which are too short to tell."""
    if fixed:
        return lambda _: fixed
    from gossamer.extract.language import detect, sample_of

    return lambda text: detect(sample_of(text.split("\n"))) or default


def common_language(texts: Sequence[str]) -> str:
    """Return the language of most of the texts, '' if there is none."""
    from gossamer.extract import language

    return language.common_language(texts)


def are_all_long(texts: Sequence[str]) -> bool:
    """Whether each of the texts is long enough to tell its language."""
    detect = language_of("")
    return all(map(detect, texts))
