"""The crawlers under comparison: how each is started, and how its pages are counted."""

import json
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from importlib import metadata
from pathlib import Path

import pyarrow.parquet as pq

ROOT = Path(__file__).parent.parent
PEER_PYTHON = ROOT / ".venv-bench" / "bin" / "python"
CONNECTIONS = 8


class Crawler(ABC):
    """One crawler. `folder` is empty and its own for each run."""

    name: str

    def missing(self) -> str:
        """Why it can't run here; '' if it can."""
        return ""

    @abstractmethod
    def command(self, seed: str, folder: Path) -> list[str]:
        """A whole crawl of the site, robots.txt obeyed, no delay."""

    @abstractmethod
    def pages(self, folder: Path) -> int:
        """Pages that the crawl has put out."""

    @abstractmethod
    def versions(self) -> dict[str, str]:
        """Of what does the work."""


class Gossamer(Crawler):
    """Ours: text, links, language, duplicates, and all of it stored."""

    name = "gossamer"

    def __init__(self, *options: str) -> None:
        self._options = options

    def missing(self) -> str:
        return "" if self._program().exists() else f"no {self._program()}"

    def _program(self) -> Path:
        return Path(sys.executable).parent / "gossamer"

    def command(self, seed: str, folder: Path) -> list[str]:
        return [
            *(str(self._program()), "crawl", seed, "--home", str(folder), "--json"),
            *("--allow-private", "--delay-seconds", "0"),
            *("--connections-per-host", str(CONNECTIONS)),
            *(["--no-verify-tls"] if seed.startswith("https:") else []),
            *self._options,
        ]

    def pages(self, folder: Path) -> int:
        count = 0
        for segment in folder.rglob("pages-*.parquet"):
            outcomes = pq.read_table(segment, columns=["outcome"]).column("outcome")
            count += outcomes.to_pylist().count("ok")
        return count

    def versions(self) -> dict[str, str]:
        return {"gossamer": metadata.version("gossamer-search")}


class Scrapy(Crawler):
    """Idiomatic and quick: stock LinkExtractor, text by parsel, items to a JSON Lines feed."""

    name = "scrapy"
    options: tuple[str, ...] = ()

    def missing(self) -> str:
        return "" if PEER_PYTHON.exists() else f"no {PEER_PYTHON}: see requirements-bench.lock"

    def command(self, seed: str, folder: Path) -> list[str]:
        script = ROOT / "benchmarks" / "peers" / "scrapy_site.py"
        feed = folder / "pages.jsonl"
        own = [str(PEER_PYTHON), str(script), seed, str(feed), f"--connections={CONNECTIONS}"]
        return [*own, *self.options]

    def pages(self, folder: Path) -> int:
        # Scrapy takes its first page twice if others link to it.
        with (folder / "pages.jsonl").open("rb") as feed:
            return len({json.loads(line)["url"] for line in feed})

    def versions(self) -> dict[str, str]:
        names = ("Scrapy", "Twisted", "parsel", "lxml", "selectolax")
        asked = f"from importlib.metadata import version; print(*map(version, {names!r}))"
        output = subprocess.run(
            [PEER_PYTHON, "-c", asked], check=True, capture_output=True, text=True
        ).stdout
        return dict(zip((name.lower() for name in names), output.split(), strict=True))


class ScrapySelectolax(Scrapy):
    """The same with selectolax in place of parsel and LinkExtractor."""

    name = "scrapy_selectolax"
    options = ("--selectolax",)


class Wget(Crawler):
    """`wget -r`: files on disk, no text. It has one connection and no more."""

    name = "wget"

    def missing(self) -> str:
        return "" if shutil.which("wget") else "wget is not installed"

    def command(self, seed: str, folder: Path) -> list[str]:
        return [
            *("wget", "-q", "-r", "-l", "inf", "--follow-tags=a", "-P", str(folder)),
            *(["--no-check-certificate"] if seed.startswith("https:") else []),
            seed,
        ]

    def pages(self, folder: Path) -> int:
        return sum(1 for _ in folder.rglob("*.html"))

    def versions(self) -> dict[str, str]:
        line = subprocess.run(["wget", "--version"], check=True, capture_output=True, text=True)
        return {"wget": line.stdout.split()[2]}


ALL: tuple[Crawler, ...] = (Gossamer(), Scrapy(), ScrapySelectolax(), Wget())
