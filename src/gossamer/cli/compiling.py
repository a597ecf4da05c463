"""Compile kernels before a command needs them, and show how far it is."""

from time import monotonic

from gossamer.cli.terminal import complain, duration


def prepare_kernels(*, quiet: bool) -> None:
    """Compile what the commands that search, rank or build an index need. The first of them does it
    after an installation with pip; later ones find it done."""
    from gossamer.app.kernels import are_kernels_compiled, compile_kernels
    from gossamer.cli.counting import shown_count
    from gossamer.cli.progress import is_logged
    from gossamer.cli.terminal import several

    if are_kernels_compiled():
        return
    if quiet and not is_logged():
        compile_kernels()
        return
    complain("Compiling kernels for this machine, once after an installation ...")
    started, number = monotonic(), 0

    with shown_count("kernels compiled", quiet=quiet) as show:

        def on_compiled(done: int, total: int) -> None:
            nonlocal number
            number = total
            show(done, total)

        compile_kernels(on_compiled)
    complain(f"Compiled {several(number, 'kernel')} in {duration(monotonic() - started)}.")


def main() -> None:
    """Compile them now: what `make install` runs."""
    prepare_kernels(quiet=False)
