"""Markdown as it is written in real folders, and text that no regular expression is to choke on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.draft import finished
from gossamer.extract.markdown import MarkdownProcessor
from gossamer.extract.processor import build_processors
from gossamer.records import PageContent, RawPage
from gossamer.urls import Resolver

PAGE = """\
# Brass *lanterns* #

They burn for **nine** hours, see [the manual](manual.md "All of it") and `lamp --help`.
Snake_case_words and 2 * 3 * 4 stay.

Care
----

- Clean the [glass][1]
1. Trim the wick \\* daily
> Never fill it while it burns.

| Part | Price |
|:-----|------:|
| Wick | 3 |

```sh
lamp --light  # no heading
```
***
![A lantern](lantern.png) <https://example.org/more>

[1]: https://example.org/glass
"""


def processed(body: str) -> PageContent:
    page = RawPage("https://example.org/a.md", "text/markdown", "", body.encode(), ())
    return finished([MarkdownProcessor("Gossamer").read(page)])[0]


def test_a_page() -> None:
    content = processed(PAGE)
    assert content.title == "Brass lanterns"
    assert list(zip(content.classes, content.text.split("\n"), strict=True)) == [
        ("t", "Brass lanterns"),
        ("p", "They burn for nine hours, see the manual and lamp --help."),
        ("p", "Snake_case_words and 2 * 3 * 4 stay."),
        ("2", "Care"),
        ("l", "Clean the glass"),
        ("l", "Trim the wick * daily"),
        ("q", "Never fill it while it burns."),
        ("c", "Part Price"),
        ("c", "Wick 3"),
        ("x", "lamp --light # no heading"),
        ("p", "A lantern https://example.org/more"),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\nlayout: post\ntitle: 'On lamps'\n---\n# Other\nText.", "On lamps"),
        ("---\nno end\n# First\n", "First"),
        ("Lamps\n=====\nText.", "Lamps"),
        ("Text.\n\n## Second level\n", "Second level"),
        ("#hashtag is no heading", ""),
        ("", ""),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert processed(text).title == title


def test_the_processors_of_a_crawl_read_it() -> None:
    page = RawPage("https://example.org/a.md", "text/markdown", "", b"# Lamps\nText.", ())
    content = build_processors("Gossamer", Resolver()).process(page)
    assert isinstance(content, PageContent)
    assert content.title == "Lamps"


@pytest.mark.parametrize(
    "piece", ["[", "*", "_", "`", "# ", "> ", "| ", "- ", "\\", "<http://", "[a](", " "]
)
def test_long_lines_of_signs(piece: str) -> None:
    processed(piece * 100_000)


@given(st.text(alphabet="ab \n#*_`[]()>|-~=\\!:<", max_size=300))
def test_no_text_raises(text: str) -> None:
    content = processed(text)
    assert len(content.classes) == (len(content.text.split("\n")) if content.text else 0)
