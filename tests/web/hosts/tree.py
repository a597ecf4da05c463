"""tree-0.test ...: a tree of pages over several hosts, with exactly one link to each page.

A page that a crawler loses is never found again, so its absence shows.
"""

from dataclasses import dataclass

from tests.web.message import Answer, Host, Request, document, reply
from tests.web.words import paragraph


@dataclass(frozen=True)
class TreeShape:
    """A complete tree: `depth` 0 is the root alone."""

    depth: int = 4
    fanout: int = 5
    hosts: int = 4
    latency_seconds: float = 0.0
    words: int = 80

    @property
    def pages(self) -> int:
        return sum(self.fanout**level for level in range(self.depth + 1))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"tree-{number}.test" for number in range(self.hosts))

    def host_of(self, number: int) -> str:
        # Neighbours in the tree lie on different hosts; the root is on the first one.
        return f"tree-{(number * 2_654_435_761 >> 7) % self.hosts if number else 0}.test"

    def path_of(self, number: int) -> str:
        return f"/page/{number}" if number else "/"

    def children(self, number: int) -> range:
        first = number * self.fanout + 1
        return (
            range(first, min(first + self.fanout, self.pages)) if first < self.pages else range(0)
        )

    def urls(self, port: int, scheme: str = "http") -> list[str]:
        """Every page, the root first."""
        return [
            f"{scheme}://{self.host_of(number)}:{port}{self.path_of(number)}"
            for number in range(self.pages)
        ]


def hosts(shape: TreeShape) -> tuple[Host, ...]:
    def answer(request: Request) -> Answer:
        last = request.path.rpartition("/")[2]
        number = int(last) if last.isdecimal() else (0 if request.path == "/" else -1)
        if not 0 <= number < shape.pages or (
            request.host != shape.host_of(number) or request.path != shape.path_of(number)
        ):
            return reply(404, document("Not found", "<p>No leaf of this tree.</p>"))
        links = "".join(
            f'<li><a href="{request.url(shape.host_of(child), shape.path_of(child))}">'
            f"Branch {child}</a></li>\n"
            for child in shape.children(number)
        )
        text = paragraph(number, shape.words)
        body = document(f"Page {number} of the tree", f"<p>{text}</p>\n<ul>\n{links}</ul>")
        return reply(200, body, delay=shape.latency_seconds)

    purpose = f"{shape.pages} pages in a tree over {shape.hosts} hosts, one link to each"
    return tuple(Host(name, purpose, {"/": answer}, answer) for name in shape.names)
