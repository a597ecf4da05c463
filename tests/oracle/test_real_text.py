"""English passages, whose stems no oracle here knows: how the answers to related queries relate."""

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gossamer.text.stop_words import is_stop_word
from tests.oracle.conftest import QUERIES, SEED
from tests.oracle.engine import Engine, ids_of
from tests.oracle.failures import report

COLLECTION = Path(__file__).parents[2] / "evaluation"
FIELDS = {
    "title": "text",
    "text": "text",
    "topic": "keyword",
    "votes": "number",
    "date": "date",
}
CONDITIONS = ("topic:water", "topic:earth", "votes:1..", "votes:..0", "date:2019..", "date:<2018")


@pytest.fixture(scope="module")
def ask(engine: Engine) -> Callable[..., set[str]]:
    """The ids that match a query."""
    lines = (COLLECTION / "docs.jsonl").read_text().splitlines()
    engine.build("passages", map(json.loads, lines), fields=FIELDS, language="en")

    def ask(text: str, **options: object) -> set[str]:
        return set(ids_of(engine.ask("passages", text, **options)))

    return ask


def judged_queries() -> list[str]:
    lines = (COLLECTION / "queries.tsv").read_text().splitlines()
    return [line.split("\t")[1] for line in lines]


def pairs(count: int) -> list[tuple[str, str]]:
    """Words that stand next to each other in the passages, as they are written there."""
    rng = random.Random(SEED)
    texts = (COLLECTION / "docs.jsonl").read_text()
    words = [
        (match[1], match[2])
        for match in re.finditer(r"\b([a-z]{3,}) ([a-z]{3,})\b", texts)
        if not any(is_stop_word(word, "en") for word in match.groups())
    ]
    return rng.sample(words, min(count, len(words)))


def test_a_filter_narrows(ask: Callable[..., set[str]]) -> None:
    def faults() -> Iterator[str]:
        every = ask("")
        for query in judged_queries():
            without = ask(query)
            for condition in CONDITIONS:
                name, _, value = condition.partition(":")
                passing = ask(condition)
                expected = without & passing
                by_query, by_filter = ask(f"{query} {condition}"), ask(query, filters={name: value})
                if by_query != expected:
                    yield f"{query!r} with {condition}: {len(by_query)}, not {len(expected)}"
                if by_filter != expected:
                    yield f"{query!r}, filter {condition}: {len(by_filter)}, not {len(expected)}"
                if ask(f"{query} -{condition}") != without - passing:
                    yield f"{query!r} without {condition} is not the rest"
                if not passing or passing == every:
                    yield f"{condition} tells nothing apart"

    report(faults())


def test_two_words(ask: Callable[..., set[str]]) -> None:
    def faults() -> Iterator[str]:
        for a, b in pairs(QUERIES // 10):
            first, second = ask(a), ask(b)
            expected = {
                f"{a} {b}": first | second,
                f"{a} OR {b}": first | second,
                f"+{a} +{b}": first & second,
                f"{a} AND {b}": first & second,
                f"+{a} {b}": first,
                f"(+{a}) {b}": first,
                f"{a} -{b}": first - second,
                f"-{b} {a}": first - second,
                f"({a} {b}) ({b} OR {a})": first | second,
            }
            for query, wanted in expected.items():
                found = ask(query)
                if found != wanted:
                    yield f"{query}: {len(found)} documents, not {len(wanted)}"
            if not first or not second:
                yield f"{a} or {b} is not found, and stands in a passage"
            if ask(f"{a} {b}", all_words=True) != first & second:
                yield f"{a} {b}, all words: not those with both"

    report(faults())


def test_phrases(ask: Callable[..., set[str]]) -> None:
    def faults() -> Iterator[str]:
        for a, b in pairs(QUERIES // 10):
            both = ask(f"+{a} +{b}")
            before = ask(f'"{a} {b}"')
            if not before:
                yield f'"{a} {b}" stands in a passage, and is not found'
            if ask(f"{a}-{b}") != before:
                yield f"{a}-{b} finds other documents than the phrase"
            for slop in (1, 3, 10, 100):
                found = ask(f'"{a} {b}"~{slop}')
                if not before <= found <= both:
                    yield f'"{a} {b}"~{slop}: {len(before)} <= {len(found)} <= {len(both)} fails'
                before = found

    report(faults())


def test_begins_of_words(ask: Callable[..., set[str]]) -> None:
    def faults() -> Iterator[str]:
        for word, _ in pairs(QUERIES // 20):
            if len(word) > 4 and not ask(word) <= ask(f"{word[:4]}*"):
                yield f"{word[:4]}* does not find all that {word} does"

    report(faults())
