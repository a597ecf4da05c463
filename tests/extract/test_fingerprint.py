import random
import statistics

from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.fingerprint import content_hash, similarity_hash

VOCABULARY = [
    first + middle + last
    for first in ("br", "st", "k", "m", "tr", "v", "s", "pl", "h", "n")
    for middle in ("a", "e", "i", "o", "u", "ou", "ea")
    for last in ("nd", "rk", "lt", "ver", "ning", "sh", "t", "ble", "son", "ct")
]


def page(seed: int, words: int = 500) -> list[str]:
    return random.Random(seed).choices(VOCABULARY, k=words)


def changed(words: list[str], count: int, seed: int) -> str:
    chance = random.Random(seed)
    words = list(words)
    for position in chance.sample(range(len(words)), count):
        words[position] = chance.choice(["wombat", "teapot", "xylophone", "of"])
    return " ".join(words)


def distance(one: int, other: int) -> int:
    return ((one ^ other) & (2**64 - 1)).bit_count()


def test_content_hash_ignores_case_and_line_breaks() -> None:
    assert content_hash("Über\nuns alle") == content_hash("über uns ALLE")
    assert content_hash("STRASSE") == content_hash("straße")
    assert content_hash("one two") != content_hash("one three")


def test_an_empty_text_has_no_hash() -> None:
    assert content_hash("") == 0
    assert similarity_hash("") == 0


def test_hashes_are_the_same_on_every_machine() -> None:
    assert content_hash("Gossamer: a web search engine.") == CONTENT_HASH
    assert similarity_hash(" ".join(page(7))) == SIMILARITY_HASH
    assert similarity_hash("Short, but not too short: 学校。") == SHORT_SIMILARITY_HASH
    assert similarity_hash("tiny") == TINY_SIMILARITY_HASH


CONTENT_HASH = -7412467178380839763
SIMILARITY_HASH = 627546962495153767
SHORT_SIMILARITY_HASH = -7400328430165203929
TINY_SIMILARITY_HASH = 6511507914351942337


def test_near_duplicates_differ_in_few_bits() -> None:
    for count, mean_limit, worst_limit in ((1, 2.5, 8), (3, 4, 10), (5, 5, 12)):
        distances = [
            distance(
                similarity_hash(" ".join(page(seed))),
                similarity_hash(changed(page(seed), count, seed)),
            )
            for seed in range(200)
        ]
        assert statistics.mean(distances) < mean_limit
        assert max(distances) <= worst_limit


def test_an_inserted_sentence_shifts_nothing() -> None:
    words = page(1)
    longer = [*words[:100], *"and here something was put in between".split(), *words[100:]]  # noqa: SIM905
    assert distance(similarity_hash(" ".join(words)), similarity_hash(" ".join(longer))) <= 8


def test_unrelated_pages_differ_in_about_half_of_the_bits() -> None:
    hashes = [similarity_hash(" ".join(page(seed))) for seed in range(60)]
    distances = [distance(a, b) for i, a in enumerate(hashes) for b in hashes[:i]]
    assert 28 < statistics.mean(distances) < 36
    assert min(distances) > 12


def test_every_bit_is_used() -> None:
    hashes = [similarity_hash(" ".join(page(seed, 200))) for seed in range(100)]
    for bit in range(64):
        assert 10 < sum(value >> bit & 1 for value in hashes) < 90


@given(st.text())
def test_any_text_has_signed_64_bit_hashes(text: str) -> None:
    for value in (content_hash(text), similarity_hash(text)):
        assert -(2**63) <= value < 2**63
    assert similarity_hash(text) == similarity_hash(text)


@given(st.text(alphabet="ab\n", min_size=1000, max_size=2000))
def test_monotonous_texts_have_hashes_too(text: str) -> None:
    similarity_hash(text)
