"""`gossamer serve`: the search site. `gossamer users`: who has a login to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gossamer.cli.compiling import prepare_kernels
from gossamer.cli.options import (
    GossamerCommand,
    GossamerGroup,
    ServerSettingsCommand,
    given_settings,
    open_home,
    to_type,
    wishes,
)
from gossamer.cli.terminal import Column, moment, say, say_json, show_rows

if TYPE_CHECKING:
    from gossamer.app.serving import ServeOrder
    from gossamer.server.access import Access

SERVER_FILE = "server.toml"
_ROLES = ("viewer", "editor", "administrator")


@click.command(cls=ServerSettingsCommand)
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help=f"Read settings from a file.  [{SERVER_FILE} in the home, if there is one]",
)
@click.pass_context
def serve(ctx: click.Context, /, config: Path | None, **options: Any) -> None:
    """Serve the search site: pages for people, an API for programs.

    The first start prints a link that sets the administrator's password. Ctrl-C ends it, after what
    is being answered.
    """
    from gossamer.app.serving import serve as serve_site

    order = serve_order(ctx, config, options)
    prepare_kernels(quiet=wishes(ctx).json)
    with _sample_web(order) as order:
        serve_site(order, lambda at, link: _say_started(ctx, at, link))
    if not wishes(ctx).json:
        say("The search site has stopped.")


def serve_order(ctx: click.Context, config: Path | None, options: dict[str, Any]) -> "ServeOrder":
    from gossamer.app.serving import ServeOrder
    from gossamer.config import ServerSettings, load_server_file, server_settings

    home = open_home(ctx).path
    usual = home / SERVER_FILE
    file = config or (usual if usual.exists() else None)
    given = given_settings(options, ServerSettings)
    return ServeOrder(home, server_settings(load_server_file(file) if file else {}, given))


@contextmanager
def _sample_web(order: "ServeOrder") -> "Iterator[ServeOrder]":
    """On the home of a demo, serve the sample web too: the links of its indexes lead there."""
    from gossamer.app import Home

    home = Home(order.home, order.settings.catalogue)
    if not home.local_hosts():
        yield order
        return
    import msgspec

    from gossamer.demo import link_hosts, sample_web

    with sample_web(home) as port:
        both = link_hosts(port) | order.settings.link_hosts
        settings = order.settings.model_copy(update={"link_hosts": both})
        yield msgspec.structs.replace(order, settings=settings)


def _say_started(ctx: click.Context, address: str, link: str) -> None:
    import sys

    if wishes(ctx).json:
        say_json({"address": address, "set_password": link})
    else:
        say(f"The search site: {address}   (Ctrl-C ends it)")
        if link:
            say(f"Set the administrator's password, once, within a day: {link}")
    sys.stdout.flush()  # who started us in a pipe waits for the address


def open_demo_site(ctx: click.Context, query: str, given: dict[str, Any]) -> None:
    """The site of the demo: until Ctrl-C on a terminal; else it looks at its own pages once."""
    import sys

    from gossamer.app.serving import ServeOrder, look_at_site
    from gossamer.app.serving import serve as serve_site
    from gossamer.config import server_settings

    order = ServeOrder(open_home(ctx).path, server_settings({}, given))
    if sys.stdin.isatty() and sys.stdout.isatty():
        serve_site(order, lambda at, link: _say_started(ctx, at, link))
        return
    for path, title in look_at_site(order, query):
        say(f"  {path:<40} {title}")
    say(f"The search site works: {to_type(ctx, 'serve')} opens it.")


@click.group(cls=GossamerGroup)
def users() -> None:
    """Who has a login to the search site."""


@users.command("list")
@click.pass_context
def list_users(ctx: click.Context) -> None:
    """All accounts."""
    accounts = _access(ctx).accounts.accounts()
    rows = [
        {
            "name": account.name,
            "role": account.role,
            "has_password": bool(account.password),
            "created_at": account.created_at,
        }
        for account in accounts
    ]
    if wishes(ctx).json:
        say_json({"users": rows})
        return
    if not rows:
        say(f"There are no accounts yet: {to_type(ctx, 'users', 'add', 'NAME')}")
        return
    show_rows(
        [Column("NAME"), Column("ROLE"), Column("PASSWORD"), Column("MADE")],
        [
            (
                account.name,
                account.role,
                "set" if account.password else "not yet",
                moment(account.created_at),
            )
            for account in accounts
        ],
    )


@users.command()
@click.argument("name")
@click.option("--role", type=click.Choice(_ROLES), default="viewer", help="What they may.")
@click.pass_context
def add(ctx: click.Context, name: str, role: str) -> None:
    """Create account. Its password is asked for, or read from the standard input."""
    from gossamer.server.visitors import Role

    access = _access(ctx)
    password = _typed_password()
    access.check_password(password)
    access.add_account(name, Role(role))
    access.set_password(name, password)
    _note(ctx, "account made", name, role=role)
    _say_done(ctx, name, f"Account {name} created ({role}).")


@users.command()
@click.argument("name")
@click.pass_context
def password(ctx: click.Context, name: str) -> None:
    """Set the password of an account, asked for or read from the standard input.

    Its sessions end.
    """
    access = _access(ctx)
    access.demand_account(name)
    access.set_password(name, _typed_password())
    _note(ctx, "password set", name)
    _say_done(ctx, name, f"The password of {name} is set.")


@users.command()
@click.argument("name")
@click.pass_context
def remove(ctx: click.Context, name: str) -> None:
    """Take an account away, with its sessions and tokens."""
    access = _access(ctx)
    access.demand_account(name)
    access.accounts.remove(name)
    _note(ctx, "account removed", name)
    _say_done(ctx, name, f"{name} is gone.")


def _access(ctx: click.Context) -> "Access":
    from gossamer.app.serving import access_of

    return access_of(open_home(ctx))


def _typed_password() -> str:
    """Never an argument: those can be seen by everybody on the machine."""
    import sys

    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
        return typed
    return sys.stdin.readline().rstrip("\n")


def _note(ctx: click.Context, action: str, subject: str, **details: object) -> None:
    from gossamer.app.serving import audit_of

    audit_of(open_home(ctx)).note("(command line)", action, subject, details)


def _say_done(ctx: click.Context, name: str, text: str) -> None:
    if wishes(ctx).json:
        say_json({"user": name, "done": True})
    else:
        say(text)


@click.command(cls=GossamerCommand)
@click.pass_context
def mcp(ctx: click.Context) -> None:
    """Tools for language models: search and read pages (MCP, over standard input and output).

    A program that speaks to a language model starts this command itself.
    """
    from gossamer.app.serving import HomeEngine

    try:
        from gossamer.app.language_models import mcp_server
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"{error}: install what it needs with 'pip install gossamer-search[mcp]'."
        ) from None
    prepare_kernels(quiet=True)  # the standard output belongs to the protocol
    engine = HomeEngine(open_home(ctx))
    try:
        mcp_server(engine).run("stdio")
    finally:
        engine.close()
