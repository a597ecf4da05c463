"""`python -m tests.web`: the local web by hand, until Ctrl-C."""

import argparse
import contextlib
import signal
import textwrap

from tests.web.process import ODD_PORTS, LocalWeb
from tests.web.real import REAL_WEB


def crawl_command(web: LocalWeb, host: str) -> str:
    """A command that crawls one host of the web."""
    options = f"--allow-private --resolve {host}={web.resolve[host]} --delay-seconds 0"
    return f"gossamer crawl {web.url(host)} {options} --max-pages 1000"


def _with_generated(web: LocalWeb, rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The many hosts of a kind as one."""
    rows = [row for row in rows if not row[0].startswith(("tree-", "waiting-"))]
    tree = f"{web.tree.pages} pages in a tree, one link to each"
    rows.append((f"tree-0.test ... tree-{web.tree.hosts - 1}.test", tree))
    last = web.waiting.hosts - 1
    slow = f"{web.waiting.pages} pages, most after 0.1 s, {web.waiting.slow_hosts} hosts slow"
    rows.append((f"waiting-0.test ... waiting-{last}.test", slow))
    rows += [(f"{name}:{web.odd_ports[name]}", purpose) for name, purpose in ODD_PORTS.items()]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    parser.add_argument("--tls", action="store_true", help="open a TLS port too")
    parser.add_argument("--real", action="store_true", help="the hosts of tests.web.real instead")
    arguments = parser.parse_args()
    maker = REAL_WEB if arguments.real else ""
    with LocalWeb(port=arguments.port, tls=arguments.tls, maker=maker) as web:
        rows = [(host.name, host.purpose) for host in web.hosts]
        if not maker:
            rows = _with_generated(web, rows)
        width = max(len(name) for name, _ in rows)
        for name, purpose in rows:
            print(f"{name:{width}}  {purpose}")
        print(f"\nhttp on 127.0.0.1:{web.port}")
        if web.tls_port:
            print(f"https (and HTTP/2) on 127.0.0.1:{web.tls_port}, verified by {web.authority}")
        print(f"a SOCKS5 proxy to it on 127.0.0.1:{web.socks_port}")
        first = web.hosts[0].name
        print("\nTo crawl one of them:")
        print(textwrap.indent(crawl_command(web, first), "  "))
        print("To read one of them:")
        print(f"  curl -i --resolve {first}:{web.port}:127.0.0.1 {web.url(first)}")
        print("\nCtrl-C ends it.", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
