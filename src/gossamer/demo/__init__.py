"""What is there to crawl before one has a site of one's own?

A small site about the solar system, served on loopback: pages that link to each other, and one of
everything that a crawler meets (a redirect, a missing page, a duplicate, a page that robots.txt
keeps private, a page in another language). In: a port. Out: HTTP answers.
Not for tests of the crawler's corners, nor for measuring.

    site.py     which address has which answer
    server.py   answers over HTTP, here or in a process of its own
    pages/      the texts
"""

from gossamer.demo.server import running_site, serve_site

__all__ = ["running_site", "serve_site"]
