"""What an analyser can be told."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """How text becomes terms. An index is searched with the settings that it was built with."""

    stemming: bool = True
    """Whether forms of one word ('house', 'houses') become one term, in languages that allow it."""
    gram_size: int = 2
    """Characters in a term of scripts without spaces (Chinese, Japanese, Thai), and of Korean."""
    longest_word: int = 64
    """A longer run of letters and digits is no word. The longest place name in Wales has 58."""
    cached_words: int = 262_144
    """Words that are remembered in one generation of two, over all languages: 100 MB at most."""

    def __post_init__(self) -> None:
        if not 1 <= self.gram_size <= 8:
            raise ValueError("gram_size must be 1 to 8")
        if not 1 <= self.longest_word <= 256:  # a term longer than this is none for an index
            raise ValueError("longest_word must be 1 to 256")
        if self.cached_words < 1:
            raise ValueError("cached_words must be 1 or more")
