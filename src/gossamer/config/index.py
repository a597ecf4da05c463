"""Every setting of an index: name, default, one line of help."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Factor = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Weight = Annotated[float, Field(allow_inf_nan=False)]

MOST_WEIGHTED_WORDS = 120

AT_QUERY_TIME = "At query time"
AT_BUILD_TIME = "At build time"


def _setting(default: Any, group: str, help_text: str) -> Any:
    return Field(default=default, description=help_text, json_schema_extra={"group": group})


def _by_path(fields: Any) -> Any:
    """`dims.w = "number"` is a table in TOML: with the paths of fields as names."""
    if not isinstance(fields, dict):
        return fields
    found: dict[Any, Any] = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            found |= {f"{name}.{inner}": one for inner, one in _by_path(value).items()}
        else:
            found[name] = value
    return found


class IndexSettings(BaseModel):
    """Every setting of an index."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # They take effect at the next query.
    profile: str = _setting(
        "default", AT_QUERY_TIME, "How documents are ranked: a shipped profile, or a file of yours."
    )
    k: Factor | None = _setting(
        None, AT_QUERY_TIME, "k of BM25: how soon more of the same word stops counting."
    )
    b: Share | None = _setting(
        None, AT_QUERY_TIME, "b of BM25: how much long documents are held back, 0 to 1."
    )
    boost: str = _setting(
        "", AT_QUERY_TIME, "A formula over number fields, added to the score: 'log(1 + votes)'."
    )
    weights: Annotated[dict[str, Weight], Field(max_length=MOST_WEIGHTED_WORDS)] = _setting(
        {},
        AT_QUERY_TIME,
        f"Words with points: 'freiburg=5'. Negative ones punish. At most {MOST_WEIGHTED_WORDS}.",
    )
    field_weights: dict[str, Factor] = _setting(
        {}, AT_QUERY_TIME, "How much a word counts in a field: 'title=3'."
    )
    stop_words: tuple[str, ...] | None = _setting(
        None,
        AT_QUERY_TIME,
        "Words that are not looked for, in place of those of the languages; [] for none at all.",
    )
    small_words: Count = _setting(
        0, AT_QUERY_TIME, "Words of so many letters and fewer are not looked for."
    )
    all_words: bool = _setting(
        False, AT_QUERY_TIME, "Only documents with all words of the query are found."
    )
    synonyms: str = _setting(
        "",
        AT_QUERY_TIME,
        "A file of synonyms and acronyms: 'car, automobile' or 'nyc => new york'.",
    )
    per_site: Count = _setting(
        2, AT_QUERY_TIME, "Hits of one site on a page of results; 0: as many as there are."
    )

    safe: bool = _setting(
        False, AT_QUERY_TIME, "Safe search: documents that are marked 'adult' are left out."
    )

    # They change what is stored: 'gossamer index update' rebuilds the index.
    fields: Annotated[dict[str, str], BeforeValidator(_by_path)] = _setting(
        {},
        AT_BUILD_TIME,
        "Types of fields of plain documents: text, keyword, number, date, link or image. Other "
        "fields are detected.",
    )
    fields_complete: bool = _setting(
        False, AT_BUILD_TIME, "Plain documents have no fields but those in 'fields'."
    )
    decimal: Literal["", ".", ","] = _setting(
        "",
        AT_BUILD_TIME,
        "The decimal sign of numbers in texts: '.' ('1,234.50') or ',' ('1.234,50'); detected for "
        "each field where empty.",
    )
    stop_at_bad_lines: bool = _setting(
        False,
        AT_BUILD_TIME,
        "Stop at the first line of documents that cannot be read, instead of leaving it out.",
    )
    stemming: bool = _setting(True, AT_BUILD_TIME, "Find 'universities' by 'university'.")
    language: str = _setting(
        "", AT_BUILD_TIME, "The language of all plain documents ('en'); detected where empty."
    )
    unsafe_list: str = _setting(
        "",
        AT_BUILD_TIME,
        "A file of hosts and words, one a line: documents of these hosts, or with these words in "
        "title, description or address, are marked 'adult', as those that rate themselves so.",
    )
    anchors: bool = _setting(
        True, AT_BUILD_TIME, "What links say belongs to the page that they lead to."
    )
    uncrawled_pages: bool = _setting(
        False,
        AT_BUILD_TIME,
        "Pages that were never fetched are found too, by what links to them say.",
    )
    dictionary: str = _setting(
        "",
        AT_BUILD_TIME,
        "A file of words and phrases, one a line, with a count or without ('great auk, 120'): they "
        "are suggested, and known as right, beside those of the documents.",
    )
    gram_size: Annotated[int, Field(ge=1, le=4)] = _setting(
        2, AT_BUILD_TIME, "Characters that make a word where a script has no spaces."
    )
    spelling_grams: Annotated[int, Field(ge=2, le=3)] = _setting(
        2, AT_BUILD_TIME, "Letters of the pieces by which misspelt words are compared."
    )
    shards: Annotated[int, Field(ge=1, le=64)] = _setting(
        1,
        AT_BUILD_TIME,
        "How many shards it is spread over; each has a process that searches it.",
    )

    def of_build_time(self) -> dict[str, Any]:
        """The settings that change what is stored, as JSON values."""
        return self.model_dump(mode="json", include=_BUILD_TIME)


_BUILD_TIME = {
    name
    for name, field in IndexSettings.model_fields.items()
    if field.json_schema_extra == {"group": AT_BUILD_TIME}
}
