"""A web where waiting dominates, as a server for the window benchmark.

    python -m benchmarks.waiting_web [--hosts 60] [--pages-per-host 200] [--slow-hosts 6] ...

prints one JSON line (`port`, `seed`, `pages`, `resolve`) and serves until its standard input
closes. From Python: `with waiting_web(WaitingShape(...)) as web: web.waiting_urls()[0]`.
"""

import argparse
import json
import sys
from dataclasses import fields

from tests.web import LocalWeb, TreeShape, WaitingShape


def waiting_web(shape: WaitingShape | None = None) -> LocalWeb:
    """The local web with that waiting part, and hardly any tree."""
    return LocalWeb(tree=TreeShape(depth=0, hosts=1), waiting=shape or WaitingShape())


def resolve(web: LocalWeb) -> dict[str, str]:
    """Addresses of the waiting hosts alone, for the crawl setting of that name."""
    return {name: web.resolve[name] for name in web.waiting.names}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.waiting_web", description=__doc__)
    for field in fields(WaitingShape):
        option = f"--{field.name.replace('_', '-')}"
        parser.add_argument(option, type=type(field.default), default=field.default)
    shape = WaitingShape(**vars(parser.parse_args()))
    with waiting_web(shape) as web:
        ready = {
            "port": web.port,
            "seed": web.waiting_urls()[0],
            "pages": shape.pages,
            "resolve": resolve(web),
        }
        print(json.dumps(ready), flush=True)
        sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
