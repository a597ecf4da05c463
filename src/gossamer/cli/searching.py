"""`gossamer search`: ask an index."""

import sys
from typing import TYPE_CHECKING, Any

import click

from gossamer.cli.compiling import prepare_kernels
from gossamer.cli.indexing import boost_option, field_weight_option, named_number, open_indexes
from gossamer.cli.options import GossamerCommand, to_type, wishes
from gossamer.cli.terminal import console, count, harmless, say, say_json, several
from gossamer.url_display import readable

if TYPE_CHECKING:
    from gossamer.search.contract import Answer, Hit


_FACET_VALUES = 10  # on a screen; --json has more


class QueryCommand(GossamerCommand):
    """A command whose query may begin with '-': all options have two of them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, [*args])
        except click.NoSuchOption as error:
            if error.option_name.startswith("--"):
                raise
            ctx.ignore_unknown_options = True
            return super().parse_args(ctx, args)


@click.command(cls=QueryCommand)
@click.argument("name")
@click.argument("query", default="")
@click.option("--profile", default="", help="How to rank.  [as the index is set]")
@click.option("--k", type=float, help="k of BM25, for this query.")
@click.option("--b", type=float, help="b of BM25, for this query.")
@boost_option
@click.option(
    "--weight",
    "weighted_words",
    multiple=True,
    metavar="WORD=POINTS",
    help="Points for documents with a word, in place of those that are set. Repeatable.",
)
@field_weight_option
@click.option("--limit", type=click.IntRange(1, 1000), default=10, help="Hits a page.  [10]")
@click.option("--page", type=click.IntRange(1), default=1, help="Which page of them.  [1]")
@click.option("--sort", default="", metavar="FIELD", help="By a field; '-FIELD': highest first.")
@click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="FIELD=VALUE",
    help="Filter by a field: 'lang=en', 'price=10..50', 'kind=lamps|tools' for either. All filters "
    "apply if there are several.",
)
@click.option(
    "--facet",
    "facets",
    multiple=True,
    metavar="FIELD",
    help="Count its values: 'site', 'lang', 'filetype', 'year'. Repeatable.",
)
@click.option("--explain", is_flag=True, help="Open every score into its parts.")
@click.option("--summary", is_flag=True, help="Show the best sentences of every hit.")
@click.option("--all-words", is_flag=True, help="Only documents with all words.")
@click.option("--safe/--no-safe", default=None, help="Leave out what is marked 'adult'.")
@click.option(
    "--deadline",
    "deadline_seconds",
    type=click.FloatRange(0.001),
    default=10.0,
    metavar="SECONDS",
    help="Time limit: results found by then are shown.  [10]",
)
@click.option("--no-group", is_flag=True, help="All hits of a site, and near-duplicates too.")
@click.pass_context
def search(ctx: click.Context, /, name: str, query: str, **options: Any) -> None:
    """Search the index NAME.

    Without a QUERY, or with '*', all documents that pass the filters are shown.

    \b
    word word       documents with some of the words, the best with all of them
    "a phrase"      next to each other; "a phrase"~3 with up to three words between
    +word -word     must have, must not have; NOT word excludes, too
    a OR b          one of them; ( ) groups
    title:word      in a field; site: lang: filetype: url: too
    kind:a|b        any of several values
    price:10..50    a range; date:2024-01..
    wor*  word^2    every word that begins so; a word that counts double
    """
    import msgspec

    filters = []
    for text in options.pop("filters"):
        field, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"'{text}' must be FIELD=VALUE.", ctx)
        filters.append((field, value))
    for table in ("weighted_words", "field_weights"):
        options[table] = dict(map(named_number, options[table])) or None
    no_group = options.pop("no_group")
    prepare_kernels(quiet=wishes(ctx).json)
    answer = open_indexes(ctx).search(name, query, filters=filters, group=not no_group, **options)
    if wishes(ctx).json:
        say_json(msgspec.to_builtins(answer))
        return
    _show(ctx, name, answer)


def _show(ctx: click.Context, name: str, answer: "Answer") -> None:
    for note in answer.notes:
        say(note)
    if answer.searched_instead:
        say(f"No results for '{answer.query}'. Showing results for: {answer.searched_instead}")
    elif answer.did_you_mean:
        say(f"Did you mean: {answer.did_you_mean}")
    about = "" if answer.is_exact else "about "
    first = (answer.page - 1) * answer.limit + 1
    say(f"{about}{several(answer.total, 'document')}, {answer.took_ms:.0f} ms\n")
    if answer.total > answer.deepest:
        say(f"Only the best {count(answer.deepest)} of them can be paged through.\n")
    for position, hit in enumerate(answer.hits, first):
        _show_hit(ctx, name, position, hit)
    if answer.partial:
        say(f"Incomplete results: {answer.partial}.")
    for field, values in answer.facets.items():
        _show_facet(field, values, answer.facets_exact)
    if answer.total and not answer.hits:
        say(f"There is no page {answer.page}, the last one is {answer.last_page}.")
    elif not answer.hits:
        show = to_type(ctx, "index", "show", name)
        say(f"No results. Try fewer or other words. About the index: {show}")


def _show_facet(field: str, values: dict[str, int], is_exact: bool) -> None:
    about = "" if is_exact else "about "
    said = [f"{value} ({about}{count(number)})" for value, number in values.items()]
    more = len(said) - _FACET_VALUES
    rest = f", and {count(more)} more values" if more > 0 else ""
    say(f"{field}: {', '.join(said[:_FACET_VALUES]) or 'none'}{rest}")


def _show_hit(ctx: click.Context, name: str, position: int, hit: "Hit") -> None:
    screen = console()
    title = harmless(hit.title or readable(hit.url))
    if sys.stdout.isatty():
        from rich.text import Text

        screen.print(Text.assemble(f"{position:>3}. ", (title, "bold")))
        screen.print(Text("     " + harmless(readable(hit.url)), "green"))
        snippet = Text("     " + hit.snippet)
        for mark in hit.marks:
            snippet.stylize("bold", mark.start + 5, mark.end + 5)
        screen.print(snippet)
    else:
        say(f"{position:>3}. {title}")
        say(f"     {readable(hit.url)}")
        if hit.snippet:
            say(f"     {hit.snippet}")
    if hit.from_links:
        say("     known from links only")
    if hit.summary:
        say("     " + " ".join(hit.summary))
    if hit.more_from_site:
        shows = _of_site(ctx, name, hit.site)
        say(f"     {count(hit.more_from_site)} more from {hit.site}: {shows}")
    if hit.similar:
        say(f"     {count(hit.similar)} near-duplicates hidden: --no-group shows them")
    if hit.explain:
        _show_explained(hit)
    say("")


def _of_site(ctx: click.Context, name: str, site: str) -> str:
    """The command that shows all matches of a site."""
    from gossamer.search.filters import written_value

    given = ctx.params
    words = [query] if (query := given["query"]) else []
    if query.startswith("--"):
        words = [" " + query]  # no option
    filters = [*given["filters"], f"site={written_value(site)}"]
    for text in filters:
        words += ["--filter", text]
    if given["profile"]:
        words += ["--profile", given["profile"]]
    words += ["--all-words"] if given["all_words"] else []
    if given["safe"] is not None:
        words.append("--safe" if given["safe"] else "--no-safe")
    return to_type(ctx, "search", name, *words)


def _show_explained(hit: "Hit") -> None:
    assert hit.explain is not None
    say(f"     score {hit.score:.6f} = {hit.explain['formula']}")
    for name, feature in hit.explain["features"].items():
        say(f"       {name:<16} {feature['value']:>12.6f}")
        for word in feature.get("words", ()):
            say(f"         {word['word']:<14} {word['value']:>12.6f}")
            for field, value in word.get("fields", {}).items():
                say(f"           {field:<12} {value:>12.6f}")


@click.command(cls=GossamerCommand)
@click.argument("name")
@click.argument("text")
@click.option("--limit", type=click.IntRange(1, 100), default=10, help="How many.  [10]")
@click.pass_context
def suggest(ctx: click.Context, name: str, text: str, limit: int) -> None:
    """Complete TEXT: suggestions as shown in the search box."""
    prepare_kernels(quiet=wishes(ctx).json)
    found = open_indexes(ctx).searcher(name).suggest(text, limit)
    if wishes(ctx).json:
        say_json({"text": text, "suggestions": found})
        return
    for suggestion in found:
        say(suggestion)
