"""waiting-0.test ...: many hosts where waiting dominates, for measuring what ordering costs.

Most hosts answer after 50 to 150 ms, a few after two seconds. Every page of a host is reached
from its own first page, and every first page from the first host's.
"""

import random
from dataclasses import dataclass

from tests.web.message import Answer, Host, Request, document, reply
from tests.web.words import paragraph


@dataclass(frozen=True)
class WaitingShape:
    """Slow hosts come last and have fewer pages, so that they don't outlast all the others."""

    hosts: int = 60
    pages_per_host: int = 200
    slow_hosts: int = 6
    pages_per_slow_host: int = 10
    fastest_seconds: float = 0.05
    slowest_seconds: float = 0.15
    slow_seconds: float = 2.0
    words: int = 300

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"waiting-{number}.test" for number in range(self.hosts))

    @property
    def pages(self) -> int:
        return sum(self.pages_of(host) for host in range(self.hosts))

    def is_slow(self, host: int) -> bool:
        return host >= self.hosts - self.slow_hosts

    def pages_of(self, host: int) -> int:
        return self.pages_per_slow_host if self.is_slow(host) else self.pages_per_host

    def latency_of(self, host: int) -> float:
        if self.is_slow(host):
            return self.slow_seconds
        spread = self.slowest_seconds - self.fastest_seconds
        return self.fastest_seconds + spread * random.Random(host).random()

    def urls(self, port: int) -> list[str]:
        """Every page; the first is the seed."""
        return [
            f"http://{name}:{port}/{number or ''}"
            for host, name in enumerate(self.names)
            for number in range(self.pages_of(host))
        ]


def hosts(shape: WaitingShape) -> tuple[Host, ...]:
    return tuple(_host(shape, index) for index in range(shape.hosts))


def _host(shape: WaitingShape, index: int) -> Host:
    pages, latency = shape.pages_of(index), shape.latency_of(index)

    def answer(request: Request) -> Answer:
        last = request.path[1:]
        number = int(last) if last.isdecimal() else (0 if not last else pages)
        if number >= pages or request.path == "/0":
            return reply(404, document("Not found", "<p>No such page.</p>"), delay=latency)
        rng = random.Random(index * 1_000_003 + number)
        # The first page opens the host's whole breadth, so that no host runs dry at the start.
        local = range(1, pages) if number == 0 else [rng.randrange(pages) for _ in range(20)]
        targets = [f"/{page or ''}" for page in local]
        others = (
            range(shape.hosts) if index == number == 0 else rng.choices(range(shape.hosts), k=5)
        )
        targets += [request.url(shape.names[other]) for other in others]
        links = "".join(f'<li><a href="{target}">Page {target}</a></li>\n' for target in targets)
        text = paragraph(index * 1_000_003 + number, shape.words)
        title = f"Page {number} of waiting host {index}"
        return reply(200, document(title, f"<p>{text}</p>\n<ul>\n{links}</ul>"), delay=latency)

    purpose = f"{pages} pages, each after {latency * 1000:.0f} ms"
    return Host(shape.names[index], purpose, {"/": answer}, answer)
