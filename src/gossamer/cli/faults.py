"""Expected faults become a message and an exit code, never a traceback."""

import gc
import sys
from collections.abc import Sequence
from typing import Any

import click

from gossamer.cli.options import GossamerGroup
from gossamer.cli.terminal import complain, say_json
from gossamer.errors import GossamerError, UsageError
from gossamer.lib.threads import refuse_thread_pools

_COLLECT_EVERY = 100_000
"""Objects: importing makes many that stay, and looking through them again and again takes a tenth
of the start of a command."""


class RootGroup(GossamerGroup):
    """Turns every expected fault into a message and an exit code."""

    def main(  # type: ignore[override] # always ends the process, as click's own does by default
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,
    ) -> Any:
        arguments = list(sys.argv[1:] if args is None else args)
        is_own_process = args is None  # else we are guests in somebody's
        if is_own_process:
            refuse_thread_pools()
            gc.set_threshold(_COLLECT_EVERY, 20, 100)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a page's letters may not fit the locale
        extra.pop("standalone_mode", None)
        try:
            result = super().main(
                arguments, prog_name or "gossamer", standalone_mode=False, **extra
            )
            code = result if isinstance(result, int) else 0
        except click.exceptions.NoArgsIsHelpError as error:
            complain(error.format_message())
            code = _fail(arguments, "UsageError", "A command is missing.", code=2)
        except click.UsageError as error:
            usage = error.ctx.get_usage() + "\n" if error.ctx else ""
            code = _fail(arguments, "UsageError", error.format_message(), usage, code=2)
        except click.ClickException as error:
            code = _fail(arguments, type(error).__name__, error.format_message())
        except click.Abort:
            code = _fail(arguments, "Aborted", "Stopped.")
        except GossamerError as error:
            wrong = 2 if isinstance(error, UsageError) else 1
            code = _fail(arguments, type(error).__name__, str(error), code=wrong)
        except BrokenPipeError:
            raise  # the reader of our output has gone: click has dealt with it already
        except OSError as error:
            code = _fail(arguments, "StorageError", str(error))
        if is_own_process:
            # Its end frees everything: it takes long to search all modules for what to free first.
            gc.freeze()
        sys.exit(code)


def _fail(
    arguments: Sequence[str], kind: str, message: str, usage: str = "", *, code: int = 1
) -> int:
    complain(f"{usage}Error: {message}")
    # Arguments that could not be read may still say who is asking.
    if "--json" in arguments:
        say_json({"error": {"type": kind, "message": message}})
    return code
