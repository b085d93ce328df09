"""The `sapper` program: its commands and exit statuses."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from collections.abc import Callable
from typing import Annotated

import click

from sapper._core import __version__
from sapper._util.interrupt import noticed
from sapper._util.shortening import shown
from sapper.cli.commands import CommandGroup
from sapper.cli.exit_status import ExitStatus
from sapper.cli.interrupts import Interrupts
from sapper.cli.output import complain, complain_of, open_streams
from sapper.cli.signatures import Option
from sapper.cli.usage import usage_error
from sapper.errors import SapperError

__all__ = ["app", "main"]


# The shell sets this variable when it requests completions.
_COMPLETE = "_SAPPER_COMPLETE"

app = CommandGroup(name="sapper", context_settings={"help_option_names": ["-h", "--help"]})


def _version(context: click.Context, requested: bool) -> None:
    if requested:
        print(f"sapper {__version__}")
        context.exit()


def _install_completion(context: click.Context, requested: bool) -> None:
    if requested and not context.resilient_parsing:
        from sapper.cli import shell_completion

        shell = shell_completion.current_shell()
        file = shell_completion.install(shell)
        print(f"Completion for {shell} is installed in {file}; open a new shell to use it.")
        context.exit()


def _show_completion(context: click.Context, requested: bool) -> None:
    if requested and not context.resilient_parsing:
        from sapper.cli import shell_completion

        print(shell_completion.script(shell_completion.current_shell()), end="")
        context.exit()


@app.options()
def _sapper(
    version: Annotated[
        bool,
        Option("--version", "-V", help="Print the version.", callback=_version, is_eager=True),
    ] = False,
    install_completion: Annotated[
        bool,
        Option(
            "--install-completion",
            help="Install completion for the current shell.",
            callback=_install_completion,
        ),
    ] = False,
    show_completion: Annotated[
        bool,
        Option(
            "--show-completion",
            help="Print the script with which the current shell completes.",
            callback=_show_completion,
        ),
    ] = False,
) -> None:
    """Minesweeper: play, analyse, run bots, and build on it."""


_interrupts = Interrupts()


def main() -> None:
    """Run the program and exit: 0 done, 1 negative answer, 2 bad input, 130 interrupted."""
    # At exit, Python searches all objects for reference cycles several times, which takes at least
    # 0.1 s and frees nothing useful. Do this only at exit, because tests call this function many
    # times.
    atexit.register(gc.freeze)
    code: int = ExitStatus.INTERRUPTED
    # Suppress it here: Ctrl-C may arrive between any two statements below.
    with contextlib.suppress(KeyboardInterrupt), _interrupts:
        code = _guarded(open_streams) or _guarded(_run)
        # Flush now, while a broken pipe or a full disk can still be reported.
        if code == ExitStatus.DONE:
            code = _guarded(_flush)
        else:
            # The output may be what failed, and its error has been reported.
            with contextlib.suppress(OSError):
                _flush()
    sys.exit(code)


def _run() -> int:
    if instruction := os.environ.get(_COMPLETE):
        from sapper.cli import shell_completion

        return shell_completion.answer(app, instruction)
    # Without arguments, print the help.
    try:
        with app.make_context("sapper", sys.argv[1:] or ["--help"]) as context:
            return int(app.invoke(context) or ExitStatus.DONE)
    except click.exceptions.Exit as ended:
        return ended.exit_code


def _flush() -> int:
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        # Python flushes again at exit, which must not fail a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
    return ExitStatus.DONE


def _guarded(step: Callable[[], int]) -> int:
    """Run a step and return its exit status; print one line on standard error if it fails."""
    try:
        return step()
    except (KeyboardInterrupt, click.Abort):
        noticed.set()
        return ExitStatus.INTERRUPTED
    except Exception as problem:
        if not _interrupts.seen:
            return _failed(problem)
        # A library converted Ctrl-C into one of its own errors.
        noticed.set()
        return ExitStatus.INTERRUPTED


def _failed(problem: Exception) -> int:
    """Report an error on one line and return its exit status; raise it again if it is a bug."""
    if isinstance(problem, BrokenPipeError):
        return ExitStatus.BROKEN_PIPE
    if isinstance(problem, SapperError):
        complain_of(problem)
    elif isinstance(problem, OSError):
        reason = (problem.strerror or str(problem)).lower()
        named = "" if problem.filename is None else f"{shown(problem.filename)}: "
        complain(f"{named}{reason}")
    elif isinstance(problem, UnicodeEncodeError) and problem.encoding == "utf-8":
        # Non-UTF-8 bytes on the command line arrive as lone surrogates.
        complain(f"not UTF-8: {shown(problem.object)}")
    elif isinstance(problem, click.exceptions.NoArgsIsHelpError):
        # `sapper lab` without a command shows the help, like `sapper` alone.
        print(problem.format_message())
        return ExitStatus.DONE
    elif isinstance(problem, click.ClickException):
        complain(usage_error(problem))
    else:
        raise problem
    return ExitStatus.BAD_INPUT
