"""Profiles and settings compared on a judged collection."""

import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from gossamer.app.document_languages import common_language, language_of
from gossamer.app.document_loading import load
from gossamer.app.kernels import compile_kernels
from gossamer.config import IndexSettings
from gossamer.evaluate import Comparison, Dataset, Run, compare, run_queries
from gossamer.evaluate.dataset import DOCUMENTS
from gossamer.index.generations import IndexFolder
from gossamer.index.writer import IndexWriter
from gossamer.search.contract import SearchRequest
from gossamer.search.local import LocalSearcher
from gossamer.text import AnalysisSettings

_DEPTH = 1_000  # hits of a query that are judged

Named = tuple[str, IndexSettings]
"""A configuration, and what it is called; '' for the only one."""


def evaluate(
    folder: Path,
    profiles: Sequence[str],
    configurations: Sequence[Named],
    on_step: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """Every profile under every configuration, on an index that is gone afterwards. Nothing is
    grouped or folded: judgments know of single documents only."""
    dataset = Dataset(folder)
    profiles = list(dict.fromkeys(profiles))
    compile_kernels()
    runs: list[Run] = []
    with tempfile.TemporaryDirectory(prefix="gossamer-eval-") as scratch:
        indexes: dict[str, IndexFolder] = {}
        for name, settings in configurations:
            key = json.dumps(settings.of_build_time())
            if key not in indexes:
                on_step("indexing")
                indexes[key] = _indexed(dataset, Path(scratch) / str(len(indexes)), settings)
            for profile in profiles or [settings.profile]:
                label = f"{name} {profile}".strip() if profiles or not name else name
                on_step(label)
                runs.append(_run(label, dataset, indexes[key], settings, profile))
    missing = dataset.missing_documents()
    return compare(dataset.name, dataset.queries, runs, missing, dataset.empty_queries)


def _indexed(dataset: Dataset, folder: Path, settings: IndexSettings) -> IndexFolder:
    folder.mkdir(parents=True)
    path = dataset.folder / DOCUMENTS
    loaded = load((str(path),), path, settings, implies=False)
    fields = loaded.fields
    index = IndexFolder(folder / "index")
    analysis = AnalysisSettings(stemming=settings.stemming, gram_size=settings.gram_size)
    default = common_language(loaded.texts())
    source = loaded.source(language_of(settings.language, default))
    IndexWriter(index, fields, analysis, "documents").write(source, (str(path),))
    return index


def _run(
    label: str, dataset: Dataset, index: IndexFolder, settings: IndexSettings, profile: str
) -> Run:
    searcher = LocalSearcher(index, lambda: settings)

    def rank(query: str) -> list[str]:
        return searcher.ranking(
            SearchRequest(query, limit=_DEPTH, profile=profile, group=False, plain=True)
        )

    rank("warm")  # the first query opens the index
    run = run_queries(label, dataset.queries, dataset.grades, rank)
    searcher.close()
    return run
