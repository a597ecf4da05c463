"""A page of results: prose, tables and plots, as Markdown and SVG files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.svg_plot import Points, write_plot

_WIDTH = 100


class Page:
    """Collects what an experiment has to say; `write` makes the files."""

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self._parts = [f"# {title}"]
        self._plots: list[tuple[str, Mapping[str, Points], dict[str, str], bool]] = []

    def say(self, text: str) -> None:
        self._parts.append(_wrapped(text))

    def heading(self, text: str) -> None:
        self._parts.append(f"## {text}")

    def table(self, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """The first column is text, the others are numbers."""
        lines = [
            f"| {' | '.join(header)} |",
            f"|---|{'---:|' * (len(header) - 1)}",
            *(f"| {' | '.join(map(str, row))} |" for row in rows),
        ]
        self._parts.append("\n".join(lines))

    def plot(
        self,
        name: str,
        series: Mapping[str, Points],
        *,
        title: str,
        across: str,
        up: str,
        doubling: bool = False,
    ) -> None:
        file_name = f"{self.name}-{name}.svg"
        labels = {"title": title, "across": across, "up": up}
        self._plots.append((file_name, series, labels, doubling))
        self._parts.append(f"![{title}]({file_name})")

    def text(self) -> str:
        return "\n\n".join(self._parts) + "\n"

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for file_name, series, labels, doubling in self._plots:
            write_plot(folder / file_name, series, doubling=doubling, **labels)
        (folder / f"{self.name}.md").write_text(self.text(), encoding="utf-8")


def shown_p(p: float) -> str:
    return f"{p:.3f}" if p >= 0.0005 else "< 0.001"


def _wrapped(text: str) -> str:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= _WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
    return "\n".join(lines)
