"""What is there to crawl and to search before one has a site of one's own?

The sample web: five sites that link to each other, served on loopback under names of their own,
with what the real web has (sitemaps, feeds, redirects, duplicates, a trap, other languages, files).
In: a host and an address. Out: HTTP answers, the same bytes in every process.
Not for tests of the crawler's corners, nor for measuring its speed.

    reading.py    what the texts under content/ say
    markup.py     from Markdown to HTML and to plain text
    library.py    which things there are, where each lies, which mention which
    site.py       what all sites have in common; sites/ how each looks
    html.py, furniture.py, almanac.py            what pages are made of
    drawing.py, scenes.py, pdf.py, docx.py       what pictures and files are made of
    answers.py    what a site answers, and what has changed since
    web.py        which site answers a request
    server.py     answers over HTTP, here or in a process of its own
    home.py       serves it for a home, which remembers where
"""

from gossamer.demo.home import is_of_sample_web, link_hosts, sample_web
from gossamer.demo.server import running_web, serve_web
from gossamer.demo.web import (
    hosts,
    local_address,
    main_content,
    product_documents,
    product_fields,
    titled_pages,
)

__all__ = [
    "hosts",
    "is_of_sample_web",
    "link_hosts",
    "local_address",
    "main_content",
    "product_documents",
    "product_fields",
    "running_web",
    "sample_web",
    "serve_web",
    "titled_pages",
]
