"""`python -m tests.web`: the local web by hand, until Ctrl-C."""

import argparse
import contextlib
import signal
import textwrap

from tests.web.process import ODD_PORTS, LocalWeb


def crawl_command(web: LocalWeb, host: str) -> str:
    """A command that crawls one host of the web."""
    options = f"--allow-private --resolve {host}={web.resolve[host]} --delay-seconds 0"
    return f"gossamer crawl {web.url(host)} {options} --max-pages 1000"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    parser.add_argument("--tls", action="store_true", help="open a TLS port too")
    arguments = parser.parse_args()
    with LocalWeb(port=arguments.port, tls=arguments.tls) as web:
        rows = [(host.name, host.purpose) for host in web.hosts]
        rows = [row for row in rows if not row[0].startswith(("tree-", "waiting-"))]
        tree = f"{web.tree.pages} pages in a tree, one link to each"
        rows.append((f"tree-0.test ... tree-{web.tree.hosts - 1}.test", tree))
        last = web.waiting.hosts - 1
        slow = f"{web.waiting.pages} pages, most after 0.1 s, {web.waiting.slow_hosts} hosts slow"
        rows.append((f"waiting-0.test ... waiting-{last}.test", slow))
        rows += [(f"{name}:{web.odd_ports[name]}", purpose) for name, purpose in ODD_PORTS.items()]
        width = max(len(name) for name, _ in rows)
        for name, purpose in rows:
            print(f"{name:{width}}  {purpose}")
        print(f"\nhttp on 127.0.0.1:{web.port}")
        if web.tls_port:
            print(f"https on 127.0.0.1:{web.tls_port}, verified by {web.authority}")
        print("\nTo crawl one of them:")
        print(textwrap.indent(crawl_command(web, "status.test"), "  "))
        print("To read one of them:")
        resolve = f"--resolve headers.test:{web.port}:127.0.0.1"
        print(f"  curl -i {resolve} {web.url('headers.test', '/echo')}")
        print("\nCtrl-C ends it.", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
