"""How the words of a query are read in an index of several languages.

A document is found by the stems of its own language, so every language of an index reads the words
of a query. But what is a stem in one language may be quite another word in another one: French
makes 'new' of 'news' and 'le' of 'leer'. So the most common language of the index always reads. A
form that only another one makes counts where documents in that language hold the very word that
was typed, where the form is no stop word of it, and where at least a quarter of the documents that
hold it are in that language (relatives share stems: 'cant' is Spanish, Italian and Portuguese).

That depends on all documents: the shards count, and the broker decides.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from gossamer.text import Analyser, is_stop_word, read_as

Foreign = Mapping[str, tuple[str, ...]]
"""By languages other than the commonest: the forms that count."""

SIGNS = "#@"
"""Before a word, they make a name of it."""
_SHARE = 4  # one of so many documents with a form has to be in its language
_TELLING = 2  # stop words of a language that a query must have to be taken for one in it


class Form(Struct, frozen=True):
    term: str
    language: str
    words: tuple[str, ...] = ()  # that were typed, folded


class FormCount(Struct, frozen=True):
    documents: int  # that hold it
    own: int  # of them in its language
    is_written: bool  # what was typed stands in documents of its language


class Languages:
    """Those of one index."""

    def __init__(self, analyser: Analyser, counts: Mapping[str, int]) -> None:
        """`counts`: documents by language, as the index names it."""
        self._analyser = analyser
        self._codes: dict[str, list[str]] = {}  # languages of the index that are read alike
        self._documents: dict[str, int] = {}
        for code, documents in counts.items():
            language = read_as(code)
            self._codes.setdefault(language, []).append(code)
            self._documents[language] = self._documents.get(language, 0) + documents
        ordered = sorted(self._documents, key=lambda language: -self._documents[language]) or [""]
        self.first = ordered[0]
        self.others = tuple(ordered[1:])

    def codes(self, language: str) -> Sequence[str]:
        """What documents in a language are marked with."""
        return self._codes.get(language, ())

    def forms(self, texts: Iterable[str]) -> list[Form]:
        """What languages other than the commonest make of words."""
        found: dict[Form, None] = {}
        for text in texts:
            own = {term for terms in forms_in(self._analyser, text, self.first) for term in terms}
            for language in self.others:
                words = tuple(self._analyser.words(text, language)) if language else ()
                for terms in forms_in(self._analyser, text, language):
                    found.update(
                        (Form(term, language, words), None) for term in terms if term not in own
                    )
        return list(found)

    def may_count(self, form: Form, documents: float) -> bool:
        """Whether it is worth telling how many of the documents that hold it are in its language:
        no more can be than there are."""
        if not form.language:
            return documents > 0
        is_stop = is_stop_word(form.term, form.language)
        if is_stop and not any(is_stop_word(word, form.language) for word in form.words):
            return False
        return 0 < documents <= _SHARE * self._documents.get(form.language, 0)

    def counts(self, form: Form, documents: int, own: int, is_written: bool) -> bool:
        """Whether a form is looked for. What no stemmer has touched is the word itself."""
        if not self.may_count(form, documents):
            return False
        return not form.language or (is_written and _SHARE * own >= documents)

    def terms(self, text: str, foreign: Foreign) -> list[list[str]]:
        """The terms of a typed word: several lists, where it is written without spaces."""
        places: dict[int, list[str]] = dict(enumerate(forms_in(self._analyser, text, self.first)))
        for language in self.others:
            known = foreign.get(language)
            if not known:
                continue
            for place, terms in enumerate(forms_in(self._analyser, text, language)):
                added = [term for term in terms if term in known]
                if added:
                    kept = places.setdefault(place, [])
                    kept += [term for term in added if term not in kept]
        return list(places.values())

    def stems(self, word: str) -> list[str]:
        """The common stem of the forms of a word, in each language."""
        return [
            " ".join(self._analyser.analyse(word, language).terms) or word
            for language in (self.first, *self.others)
        ]

    def phrases(self, text: str, foreign: Foreign | None = None) -> list[list[str]]:
        """The terms of a phrase, in each of the languages that read it differently. What one makes
        of several words hardly ever stands in another by accident; a single word counts as it does
        without quotes, if `foreign` tells."""
        found: list[list[str]] = []
        for language in (self.first, *self.others):
            terms = self._analyser.analyse(text, language).terms
            if len(terms) == 1 and language != self.first and foreign is not None:
                terms = [term for term in terms if term in foreign.get(language, ())]
            if terms and terms not in found:
                found.append(terms)
        return found

    def of_stop_words(self, words: Sequence[str]) -> tuple[str, ...]:
        """The languages whose stop words those of a query are: the commonest; and another one of
        which it has several, and more ('war' is a word, 'das war die zeit' has three of German)."""
        held = {
            language: sum(is_stop_word(word, language) for word in words)
            for language in (self.first, *self.others)
        }
        most = max(self.others, key=lambda language: held[language], default=self.first)
        if held[most] >= _TELLING and held[most] > held[self.first]:
            return self.first, most
        return (self.first,)


def forms_in(analyser: Analyser, text: str, language: str) -> list[list[str]]:
    """What one language makes of a typed word."""
    analysis = analyser.analyse(text, language)
    extras, terms = analysis.extras, analysis.terms
    if len(terms) == 1:
        signed = [extra for extra in extras if extra[0] in SIGNS]
        return [signed or [terms[0]]]
    if len(terms) > 1 and extras and (whole := _whole(analyser, text, language)):
        return [[whole]]
    return [[term] for term in terms] or [[extra] for extra in extras[:1]]


def _whole(analyser: Analyser, text: str, language: str) -> str:
    """What stands for all parts of a joined word: 'e-mail' stands there as 'email', too. Groups of
    characters have nothing of the kind, nor has 'sun/moon-rise'."""
    tokens = analyser.tokens(text, language)
    parts = [token for token in tokens if token.position >= 0]
    over = [
        token.term
        for token in tokens
        if token.position < 0 and token.start <= parts[0].start and token.end >= parts[-1].end
    ]
    return max(over, key=len, default="")
