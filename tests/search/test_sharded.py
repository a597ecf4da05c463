"""A searcher over shards in processes: the same answers as one index, also when shards fail."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.errors import FormulaError, UsageError
from gossamer.rank.profiles import load_profile, shipped_names
from gossamer.search import candidates, shard_owner
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.filters import filters_of
from gossamer.search.sharded import ShardedSearcher
from tests.searching import SmallIndex, SmallSet

SHARDS = 3
SIZE = 1_500
VOCABULARY = [f"word{number}" for number in range(600)]
FIELDS = {
    "title": "text",
    "text": "text",
    "votes": "number",
    "price": "number",
    "kind": "keyword",
}
QUERIES = [
    "word1",
    "word0 word3",
    "word2 word20 word40",
    "word500 word0",
    '"word0 word1"',
    "+word7 -word1",
    "word59*",
    "word1 -word2*",
    "price:10..50 word3",
    "kind:red",
    "wrod17",
]


def _documents(seed: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(len(VOCABULARY))]
    return [
        {
            "id": str(number),
            "title": " ".join(rng.choices(VOCABULARY, weights, k=3)),
            "text": " ".join(rng.choices(VOCABULARY, weights, k=rng.randint(5, 60))),
            "votes": int(1000 * rng.random() ** 8),
            "price": rng.randint(1, 100),
            "kind": rng.choice(["red", "green", "blue"]),
        }
        for number in range(SIZE)
    ]


def _updated() -> list[dict[str, Any]]:
    """Some documents are gone, some others have changed, some are new."""
    changed = _documents(8)
    kept = [
        changed[place] if place % 7 == 0 else one
        for place, one in enumerate(_documents(7))
        if place % 11
    ]
    return [*kept, *({**one, "id": f"new{one['id']}"} for one in _documents(9)[:100])]


@pytest.fixture(scope="module", params=["built", "updated"])
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[SmallIndex, SmallSet, ShardedSearcher]]:
    """One index and one in shards, of the same documents."""
    path = tmp_path_factory.mktemp("shards")
    (path / "one").mkdir()
    one, several = SmallIndex(path / "one", FIELDS), SmallSet(path / "several", SHARDS, FIELDS)
    versions = [_documents(7)] if request.param == "built" else [_documents(7), _updated()]
    for version in versions:
        assert one.write(version) == several.write(version)
    searcher = several.searcher()
    yield one, several, searcher
    searcher.close()


def _shown(answer: Answer) -> list[tuple[Any, ...]]:
    return [(hit.id, hit.snippet, hit.marks, hit.fields, hit.number) for hit in answer.hits]


@pytest.mark.parametrize("profile", shipped_names())
def test_the_same_answers_as_one_index(
    both: tuple[SmallIndex, SmallSet, ShardedSearcher], profile: str
) -> None:
    one, _, searcher = both
    for query in QUERIES:
        request = SearchRequest(
            query, profile=profile, facets=("kind",), explain=True, limit=20, deadline_seconds=60
        )
        expected, answer = one.searcher().search(request), searcher.search(request)
        assert not answer.partial
        for field in ("total", "is_exact", "facets", "did_you_mean", "searched_instead", "notes"):
            assert getattr(answer, field) == getattr(expected, field), (query, field)
        if load_profile(profile).feedback and one.parts() > 1:
            # A part proposes words by how rare they are there: the last of them may differ.
            same = {hit.id for hit in answer.hits} & {hit.id for hit in expected.hits}
            assert len(same) >= 0.95 * len(expected.hits), query
            continue
        assert [hit.score for hit in answer.hits] == pytest.approx(
            [hit.score for hit in expected.hits]
        ), query
        assert _shown(answer) == _shown(expected), query
        for hit, other in zip(answer.hits, expected.hits, strict=True):
            assert hit.explain is not None
            assert other.explain is not None
            assert set(hit.explain["features"]) == set(other.explain["features"])


@pytest.mark.parametrize(
    "options",
    [
        {"sort": "-votes"},
        {"sort": "price", "page": 3},
        {"boost": "log(1 + votes)", "profile": "scriburg"},
        {"weighted_words": {"word5": 3.0}, "profile": "scriburg"},
        {"filters": filters_of({"kind": "red"}), "page": 2},
        {"all_words": True},
        {"group": False},
    ],
)
def test_the_same_with_options(
    both: tuple[SmallIndex, SmallSet, ShardedSearcher], options: dict[str, Any]
) -> None:
    one, _, searcher = both
    for query in QUERIES[:5]:
        request = SearchRequest(query, **options)
        assert _shown(searcher.search(request)) == _shown(one.searcher().search(request))


@pytest.fixture(scope="module")
def large(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[SmallIndex, ShardedSearcher]]:
    path = tmp_path_factory.mktemp("large")
    (path / "one").mkdir()
    one, several = SmallIndex(path / "one", FIELDS), SmallSet(path / "several", 2, FIELDS)
    documents = [
        {**item, "id": f"{part}-{item['id']}"} for part in range(8) for item in _documents(part)
    ]
    one.write(documents)
    several.write(documents)
    assert len(documents) > candidates.SMALL_INDEX
    searcher = several.searcher()
    yield one, searcher
    searcher.close()


@pytest.mark.parametrize("profile", shipped_names())
def test_when_not_all_matches_are_scored(
    large: tuple[SmallIndex, ShardedSearcher], profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every shard finds candidates of its own: no more of the true best ten are missed than by one
    index, which has half as many."""
    one, several = large
    missed_by_one = missed_by_shards = 0
    for query in QUERIES[:5]:
        request = SearchRequest(query, profile=profile, group=False)
        of_one = {hit.id for hit in one.searcher().search(request).hits}
        of_shards = {hit.id for hit in several.search(request).hits}
        with monkeypatch.context() as patch:
            patch.setattr(candidates, "SMALL_INDEX", 10**9)
            true = {hit.id for hit in one.searcher().search(request).hits}
        missed_by_one += len(true - of_one)
        missed_by_shards += len(true - of_shards)
    # Feedback orders candidates by more words than they were chosen by.
    more = 2 if load_profile(profile).feedback else 0
    assert missed_by_shards <= missed_by_one + more


def test_suggestions_and_faults_are_those_of_one_index(
    both: tuple[SmallIndex, SmallSet, ShardedSearcher],
) -> None:
    one, _, searcher = both
    assert searcher.suggest("word1") == one.searcher().suggest("word1")
    with pytest.raises(FormulaError, match="character 8"):
        searcher.search(SearchRequest("word1", boost="votes +"))
    with pytest.raises(UsageError, match="cannot be sorted by"):
        searcher.search(SearchRequest("word1", sort="kind"))
    assert searcher.search(SearchRequest("word1", b=0.1)).hits, "it can be asked again"


# --- shards that fail ---


@pytest.fixture
def several(tmp_path: Path) -> Iterator[ShardedSearcher]:
    index = SmallSet(tmp_path, SHARDS)
    index.write([{"id": str(one), "text": f"common word{one}"} for one in range(60)])
    searcher = index.searcher()
    assert searcher.search(_common(0)).total == 60
    yield searcher
    searcher.close()


def _common(number: int, seconds: float = 60.0) -> SearchRequest:
    """Never the same twice: an answer that is known is not asked for."""
    return SearchRequest(
        "common", limit=100, b=number / 1000, deadline_seconds=seconds, group=False
    )


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_dead_shard_is_left_out_and_comes_back(several: ShardedSearcher) -> None:
    before = several.pids
    os.kill(before[1], signal.SIGKILL)
    answer = several.search(_common(1))
    if not answer.partial:  # started anew so soon
        assert answer.total == 60
    else:
        assert answer.partial == f"shard 2 of {SHARDS} has died"
        assert 0 < answer.total < 60
        assert not answer.is_exact
        assert len(answer.hits) == answer.total
    numbers = iter(range(2, 999))
    _wait_for(lambda: not several.search(_common(next(numbers))).partial)
    after = several.pids
    assert after[1] != before[1]
    assert (after[0], after[2]) == (before[0], before[2])
    assert several.search(_common(999)).total == 60


def test_a_slow_shard_is_left_out_after_its_time(several: ShardedSearcher) -> None:
    pid = several.pids[0]
    os.kill(pid, signal.SIGSTOP)
    try:
        begin = time.monotonic()
        answer = several.search(_common(1, seconds=0.5))
        assert answer.partial == f"shard 1 of {SHARDS} did not answer in time"
        assert 0 < answer.total < 60
        assert time.monotonic() - begin < 5
        # One that is always late is replaced.
        numbers = iter(range(2, 999))
        _wait_for(lambda: several.search(_common(next(numbers), seconds=0.5)).total == 60)
        assert several.pids[0] != pid
    finally:
        if several.pids[0] == pid:
            os.kill(pid, signal.SIGCONT)


def test_a_shard_that_is_starting_is_given_its_time(
    several: ShardedSearcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However short the time is that those who ask have."""
    monkeypatch.setattr(shard_owner, "_PAUSE_SECONDS", 0.0)
    first = several.pids[0]
    os.kill(first, signal.SIGKILL)
    _wait_for(lambda: several.pids[0] == 0)
    several.search(_common(1, seconds=0.01))
    started = several.pids[0]
    assert started not in (0, first)
    for number in range(2, 12):
        several.search(_common(number, seconds=0.01))
    assert several.pids[0] == started
    _wait_for(lambda: several.search(_common(20)).total == 60)
    assert several.pids[0] == started


def test_no_process_is_left_behind(several: ShardedSearcher) -> None:
    pids = several.pids
    assert all(Path(f"/proc/{pid}").exists() for pid in pids)
    several.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_processes_end_with_their_owner(tmp_path: Path) -> None:
    index = SmallSet(tmp_path, 2)
    index.write([{"id": "1", "text": "common"}])
    code = (
        "import sys, time, pathlib; from tests.searching import SmallSet;"
        "from gossamer.search.contract import SearchRequest;"
        "searcher = SmallSet(pathlib.Path(sys.argv[1]), 2).searcher();"
        "searcher.search(SearchRequest('common'));"
        "print(*searcher.pids, flush=True); time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE
    ) as owner:
        assert owner.stdout is not None
        pids = owner.stdout.readline().split()
        assert len(pids) == 2
        owner.kill()
    _wait_for(lambda: not any(Path(f"/proc/{int(pid)}").exists() for pid in pids))


def test_searches_go_on_while_a_set_is_published(tmp_path: Path) -> None:
    """Every answer is of one version of the documents, whole."""
    index = SmallSet(tmp_path, 2)

    def version(number: int) -> list[dict[str, Any]]:
        return [
            {"id": str(one), "text": f"common v{number} unique{one}"}
            for one in range(100)
            if one % 7 != number % 7
        ]

    index.write(version(0))
    searcher = index.searcher()
    stop = threading.Event()
    faults: list[BaseException] = []
    answered = [0] * 4

    def ask(number: int) -> None:
        try:
            while not stop.is_set():
                request = SearchRequest(
                    "common", limit=1_000, group=False, b=number / 10, deadline_seconds=60
                )
                answer = searcher.search(request)
                assert not answer.partial
                seen = {hit.snippet.split()[1] for hit in answer.hits}
                assert len(seen) == 1
                assert len(answer.hits) == len(version(int(seen.pop()[1:])))
                answered[number] += 1
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(answered))]
    for thread in threads:
        thread.start()
    for number in range(1, 6):
        wanted = sum(answered) + 4
        _wait_for(lambda: sum(answered) >= wanted or bool(faults))  # noqa: B023 - it ends in here
        index.write(version(number))
    stop.set()
    for thread in threads:
        thread.join()
    newest = SearchRequest("v5", deadline_seconds=60)
    _wait_for(lambda: searcher.search(newest).total == len(version(5)))
    searcher.close()
    assert not faults, faults
    assert sum(answered) >= 20
    index.write(version(6))
    assert len(list((index.shards.path / "sets").iterdir())) == 1, "old sets are swept"


def test_empty_shards_and_another_number_of_them(tmp_path: Path) -> None:
    few = [{"id": "1", "text": "common"}]
    SmallSet(tmp_path, 4).write(few)
    searcher = SmallSet(tmp_path, 4).searcher()
    assert searcher.search(SearchRequest("common", deadline_seconds=60)).total == 1
    SmallSet(tmp_path, 2).write([*few, {"id": "2", "text": "common"}])
    _wait_for(lambda: searcher.search(SearchRequest("common")).total == 2)
    assert len(searcher.pids) == 2
    searcher.close()
