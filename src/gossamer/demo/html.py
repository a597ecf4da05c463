"""How do pieces of HTML come together? Everything that is not HTML yet is escaped here."""

import json
from datetime import date
from html import escape
from string import printable
from typing import Any
from urllib.parse import quote

# Other letters are written in percent, so that no address has two spellings.
_ASCII = printable.strip()


def text(value: object) -> str:
    return escape(str(value), quote=False)


def attribute(value: object) -> str:
    return escape(str(value), quote=True)


def link(url: str, shown: object, **attributes: str) -> str:
    more = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{attribute(value)}"'
        for name, value in attributes.items()
    )
    return f'<a href="{attribute(quote(url, safe=_ASCII))}"{more}>{text(shown)}</a>'


def document(
    *,
    title: str,
    canonical: str,
    body: str,
    description: str = "",
    language: str = "en",
    robots: str = "",
    head: str = "",
    style: str = "/style.css",
) -> str:
    """A whole page around a body. What a site wants in its head besides, it gives as `head`."""
    lines = [
        "<!doctype html>",
        f'<html lang="{language}">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{text(title)}</title>",
        f'<meta name="description" content="{attribute(description)}">' if description else "",
        f'<meta name="robots" content="{robots}">' if robots else "",
        f'<link rel="canonical" href="{attribute(canonical)}">' if canonical else "",
        f'<link rel="stylesheet" href="{style}">',
        head,
        "</head>",
        body,
        "</html>",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def json_ld(value: dict[str, Any]) -> str:
    """Data for machines, as schema.org names it. `</` must not end the script element."""
    data = json.dumps({"@context": "https://schema.org", **value}, ensure_ascii=False)
    data = data.replace("</", "<\\/")
    return f'<script type="application/ld+json">{data}</script>'


def long_date(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def month_name(month: int) -> str:
    return _MONTHS[month - 1]


# Not from the locale: the same bytes on every machine.
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
