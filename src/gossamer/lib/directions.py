"""Characters that change the reading direction of what follows them.

A title with one of them turns round the text that stands behind it on a page, or pretends to be
another one. Marks for a single place (LRM, RLM) stay: Hebrew and Arabic texts need them.
"""

_CONTROLS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def one_direction(text: str) -> str:
    """Return a text without embeddings, overrides and isolates."""
    return text if text.isascii() else text.translate(_CONTROLS)
