"""Which terms does a text have?

In comes text in any language, as pages and people write it; out come terms: words with case,
accents and endings taken off, in their order. Index, query and snippets use one analyser, so that
what was indexed is what is asked for.

Not for: telling the language of a text, the syntax of queries, what a term is worth.
"""

from gossamer.text.analyser import (
    ANALYSER_VERSION,
    CLOSING_SIGNS,
    OPENING_SIGNS,
    Analyser,
    Analysis,
    Token,
    capital_form,
)
from gossamer.text.folding import fold
from gossamer.text.settings import AnalysisSettings
from gossamer.text.splitting import acronym
from gossamer.text.stemming import STEMMED_LANGUAGES, read_as
from gossamer.text.stop_words import STOP_WORD_LANGUAGES, is_stop_word, stop_words

__all__ = [
    "ANALYSER_VERSION",
    "CLOSING_SIGNS",
    "OPENING_SIGNS",
    "STEMMED_LANGUAGES",
    "STOP_WORD_LANGUAGES",
    "Analyser",
    "Analysis",
    "AnalysisSettings",
    "Token",
    "acronym",
    "capital_form",
    "fold",
    "is_stop_word",
    "read_as",
    "stop_words",
]
