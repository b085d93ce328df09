"""The `sapper` program: its commands and exit statuses."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from sapper._core import __version__
from sapper._util.interrupt import noticed
from sapper._util.shortening import shown
from sapper.cli.commands import CommandGroup
from sapper.cli.exit_status import ExitStatus
from sapper.cli.interrupts import Interrupts
from sapper.cli.output import complain, complain_of, open_streams
from sapper.cli.usage import usage_error
from sapper.errors import SapperError

__all__ = ["app", "main"]


# The shell sets this variable when it requests completions, and Typer reads it.
_COMPLETE = "_SAPPER_COMPLETE"

app = typer.Typer(
    name="sapper",
    cls=CommandGroup,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(requested: bool) -> None:
    if requested:
        print(f"sapper {__version__}")
        raise typer.Exit


@app.callback()
def _sapper(
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", help="Print the version.", callback=_version, is_eager=True
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
    # Without arguments, print the help.
    arguments = sys.argv[1:] or ["--help"]
    return int(app(arguments, prog_name="sapper", standalone_mode=False) or ExitStatus.DONE)


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
    except (KeyboardInterrupt, typer.Abort):
        noticed.set()
        return ExitStatus.INTERRUPTED
    except Exception as problem:
        if not _interrupts.seen:
            return _failed(problem)
        # A library converted Ctrl-C into one of its own errors.
        noticed.set()
        return ExitStatus.INTERRUPTED
    except SystemExit as ended:
        # Typer exits on its own only after completions or on a broken pipe.
        if _COMPLETE in os.environ or not ended.code:
            return int(ended.code or ExitStatus.DONE)
        return ExitStatus.BROKEN_PIPE


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
    elif type(problem).__name__ == "NoArgsIsHelpError":
        # `sapper lab` without a command shows the help, like `sapper` alone.
        print(problem)
        return ExitStatus.DONE
    elif hasattr(problem, "format_message"):
        # Recognize usage errors by this method, because Typer may bundle click under another name.
        complain(usage_error(problem))
    else:
        raise problem
    return ExitStatus.BAD_INPUT
