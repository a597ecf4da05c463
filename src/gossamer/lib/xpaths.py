"""XPath expressions that a person wrote: read, and tried once, before they are used."""

from typing import Any


def compiled(expression: str) -> Any:
    """A function from a tree to the list of what the expression selects in it. Raises `ValueError`
    with what is wrong about it."""
    from lxml import etree  # loading it takes a while, and few have a use for it

    try:
        find = etree.XPath(expression, smart_strings=False)
        # Prefixes and functions that nobody knows show only when it is used.
        found = find(etree.HTML("<html><body></body></html>"))
    except etree.XPathError as error:
        raise ValueError(f"this is no XPath: {error}") from None
    except (ValueError, UnicodeError):
        raise ValueError("this is no XPath: it holds what no XPath can") from None
    if not isinstance(found, list):
        raise ValueError("this XPath selects no parts of a page, it computes a value")
    return find
