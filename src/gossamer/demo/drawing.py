"""What does a product look like? A plain drawing of its kind, in its colours."""

from functools import cache
from zlib import crc32

from gossamer.demo.reading import Product, read_drawings

_GROUNDS = ("#eef1e6", "#f4ece1", "#e8eef0", "#f1ebee", "#f3f1e4", "#e9efe9")
_OTHER = "#3b3631"


def product_picture(product: Product) -> str:
    """SVG."""
    main, other = _colours_of(product.colour)
    ground = _GROUNDS[crc32(product.slug.encode()) % len(_GROUNDS)]
    shape = _drawings()["shapes"][_kind_of(product)].replace("{a}", main).replace("{b}", other)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">'
        f'<rect width="200" height="200" fill="{ground}"/>'
        f'<ellipse cx="100" cy="174" rx="72" ry="8" fill="#0002"/>{shape}</svg>\n'
    )


@cache
def _drawings() -> dict[str, dict[str, str]]:
    return read_drawings()


def _kind_of(product: Product) -> str:
    """By a word of the slug, the telling ones first; by the category where none fits."""
    words = f"-{product.slug}-"
    for word, kind in _drawings()["kinds"].items():
        if f"-{word}-" in words:
            return kind
    return _drawings()["categories"][product.category]


def _colours_of(name: str) -> tuple[str, str]:
    """The main colour and another. 'Moss green' is one colour, whose first word says more."""
    colours = _drawings()["colours"]
    found = [colours[word] for word in name.replace("-", " ").split() if word in colours]
    return found[0], (found[-1] if len(found) > 1 and {"and", "with"} & {*name.split()} else _OTHER)
