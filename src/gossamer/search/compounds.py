"""Whether a typed word is made of several that belong together: 'state-of-the-art'."""

import re

_COMPOUND = re.compile(r"[^\W_]+(?:['’][^\W_]+)*(?:[-_.·]+[^\W_]+(?:['’][^\W_]+)*)+")


def is_compound(text: str) -> bool:
    """Return True if the parts of a typed word are joined by hyphens, dots or underscores.

    'and/or' names two words, and scripts without spaces write words beside each other.
    """
    return _COMPOUND.fullmatch(text.strip("\"'.,;:!?()[]{}-_")) is not None
