"""languages.test: a page for each passage that the language of a page is tested on."""

import json
from pathlib import Path

from tests.web.message import Answer, Handler, Host, document, reply

PASSAGES = Path(__file__).parents[2] / "extract" / "languages.jsonl"


def passages() -> dict[str, tuple[str, str]]:
    """Path -> language, text."""
    rows = [json.loads(line) for line in PASSAGES.read_text(encoding="utf-8").splitlines()]
    return {f"/passage/{number}": (row["language"], row["text"]) for number, row in enumerate(rows)}


def hosts() -> tuple[Host, ...]:
    # The template says that every page is in English.
    pages: dict[str, Answer | Handler] = {
        path: reply(200, document(path, f"<p>{text}</p>")) for path, (_, text) in passages().items()
    }
    return (Host("languages.test", "one passage a page, in many languages", pages),)
