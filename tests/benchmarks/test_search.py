"""`make bench-search`, tiny: every engine that is here is built and asked."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.search import _Answered, medians, percentile

ROOT = Path(__file__).parent.parent.parent


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.search", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_tiny_run_is_kept_and_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOSSAMER_DATA", raising=False)
    keep = tmp_path / "kept"
    sizes = (
        "--documents",
        "120",
        "--pages",
        "10",
        "--queries",
        "6",
        "--rounds",
        "2",
        "--keep",
        str(keep),
    )
    engines = ("--engine", "gossamer", "--engine", "tantivy", "--engine", "fts5")
    first = _run(*sizes, *engines)
    assert first.returncode == 0, first.stderr
    result = json.loads(first.stdout.splitlines()[-1])
    assert result["bench"] == "search"
    for key in ("p95_ms", "p95_ratio_to_tantivy", "build_ratio_to_tantivy"):
        assert result[key] > 0
    assert result["p95_ratio_to_lucene"] is None
    assert result["p95_ms_1m"] is None
    for engine in ("gossamer", "tantivy", "fts5"):
        groups = result["passages"][engine]["groups"]
        assert set(groups) == {"1 word", "2 words", "3 words", "3 common", "phrases", "misspelt"}
        assert all(groups[f"{n} words"]["found"] == 1.0 for n in (2, 3)), engine
    built = (keep / "passages" / "gossamer.json").stat().st_mtime_ns
    again = _run(*sizes, "--only-queries")
    assert again.returncode == 0, again.stderr
    assert (keep / "passages" / "gossamer.json").stat().st_mtime_ns == built
    other = _run("--documents", "99", "--pages", "10", "--keep", str(keep))
    assert other.returncode == 1
    assert "holds 120 passages and 10 pages" in other.stderr


def test_nothing_to_ask_without_a_corpus(tmp_path: Path) -> None:
    found = _run("--keep", str(tmp_path), "--only-queries")
    assert found.returncode == 1
    assert "there is no corpus" in found.stderr
    assert _run("--only-queries").returncode == 2


def test_percentile_is_a_value_that_was_seen() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([3.0, 1.0, 2.0], 0.99) == 3.0


def test_of_several_rounds_the_median_of_each_query_counts() -> None:
    rounds = [[_Answered(1.0, 3), _Answered(9.0, 0)], [_Answered(5.0, 3), _Answered(2.0, 0)]]
    assert medians([*rounds, [_Answered(2.0, 3), _Answered(3.0, 0)]]) == [(2.0, 3), (3.0, 0)]
