"""What is counted for those who run the site, in the format of Prometheus.

Where several worker processes answer, each counts in files of its own and any of them adds up all
(prometheus_client does that when PROMETHEUS_MULTIPROC_DIR is set before it is imported).
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from gossamer.server.contract import Engine, Jobs

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_RECENT_JOBS = 200


class Metrics:
    def __init__(self, engine: Engine, jobs: Jobs) -> None:
        self._state = _State(engine, jobs)
        self._own = CollectorRegistry()
        self._requests = Counter(
            "gossamer_requests",
            "Requests answered.",
            ["route", "method", "status"],
            registry=self._own,
        )
        self._request_seconds = Histogram(
            "gossamer_request_seconds",
            "How long answers took.",
            ["route"],
            buckets=_SECONDS,
            registry=self._own,
        )
        self._search_seconds = Histogram(
            "gossamer_search_seconds",
            "How long searches took.",
            ["index"],
            buckets=_SECONDS,
            registry=self._own,
        )
        self._search_failures = Counter(
            "gossamer_search_failures", "Searches that failed.", ["index"], registry=self._own
        )
        self._suggest_seconds = Histogram(
            "gossamer_suggest_seconds",
            "How long suggestions took.",
            ["index"],
            buckets=_SECONDS,
            registry=self._own,
        )

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        self._requests.labels(route, method, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    @contextmanager
    def searching(self, index: str) -> Iterator[None]:
        begin = perf_counter()
        try:
            yield
        except Exception:
            self._search_failures.labels(index).inc()
            raise
        self._search_seconds.labels(index).observe(perf_counter() - begin)

    @contextmanager
    def suggesting(self, index: str) -> Iterator[None]:
        with self._suggest_seconds.labels(index).time():
            yield

    def text(self) -> bytes:
        """All of it, from all worker processes, and the state of runs, indexes and jobs."""
        counted = self._own
        if os.environ.get(FOLDER_VARIABLE):
            counted = CollectorRegistry()
            MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
        state = CollectorRegistry()
        state.register(self._state)
        return generate_latest(counted) + generate_latest(state)


class _State(Collector):
    """Crawls, indexes and jobs as they are at the moment of the question."""

    def __init__(self, engine: Engine, jobs: Jobs) -> None:
        self._engine = engine
        self._jobs = jobs

    def collect(self) -> Iterable[Metric]:
        pages = GaugeMetricFamily("gossamer_run_pages", "Pages of a run.", labels=["run", "state"])
        queued = GaugeMetricFamily("gossamer_run_queued", "URLs that wait.", labels=["run"])
        for run in self._engine.runs():
            pages.add_metric([run.name, run.state], run.statistics.get("pages", 0.0))
            queued.add_metric([run.name], run.statistics.get("queued", 0.0))
        documents = GaugeMetricFamily(
            "gossamer_index_documents", "Documents of an index.", labels=["index"]
        )
        size = GaugeMetricFamily("gossamer_index_bytes", "Size of an index.", labels=["index"])
        built = GaugeMetricFamily(
            "gossamer_index_built_timestamp_seconds", "When it was built.", labels=["index"]
        )
        for index in self._engine.indexes():
            documents.add_metric([index.name], index.documents)
            size.add_metric([index.name], index.size_bytes)
            built.add_metric([index.name], index.built_at)
        states: dict[tuple[str, str], int] = {}
        for job in self._jobs.jobs(_RECENT_JOBS):
            key = (job.kind, job.state.value)
            states[key] = states.get(key, 0) + 1
        jobs = GaugeMetricFamily("gossamer_jobs", "Recent jobs.", labels=["kind", "state"])
        for (kind, state), number in states.items():
            jobs.add_metric([kind, state], number)
        return [pages, queued, documents, size, built, jobs]
