"""The `sapper` program: its commands and exit statuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from sapper._core import __version__
from sapper.aside import left_behind
from sapper.cli import analyze, arrange, bench, bot, generate, hint, read
from sapper.cli.lab import app as lab_app
from sapper.cli.output import complain
from sapper.errors import SapperError

__all__ = ["app", "main"]

DONE, BAD_INPUT = 0, 2
# What a shell reports for a program ended by a signal: 128 plus the signal number.
INTERRUPTED, BROKEN_PIPE = 130, 141

app = typer.Typer(
    name="sapper",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"sapper {__version__}")
        raise typer.Exit


@app.callback()
def _sapper(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    """Minesweeper: play, analyse, run bots, and build on it."""


def _example(line: str) -> str:
    # Click keeps the line breaks of a paragraph that starts with a backspace character.
    return f"\b\nExample:\n  {line}"


@app.command(epilog=_example("sapper play --port 8080 --no-browser"))
def play(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8000,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser window.")
    ] = False,
) -> int:
    """Play Minesweeper in the browser.

    Start a web server on this machine and open its page. Press Ctrl-C to stop.
    """
    # Imported here because the server's imports are slow and no other command needs them.
    from sapper.cli.play import play as serve

    serve(host, port, browser=not no_browser)
    return DONE


app.command(epilog=_example(analyze.EXAMPLE))(analyze.analyze)
app.command(epilog=_example(arrange.EXAMPLE))(arrange.arrange)
app.command(epilog=_example(hint.EXAMPLE))(hint.hint)
app.command(epilog=_example(generate.EXAMPLE))(generate.generate)
app.command(epilog=_example(read.EXAMPLE))(read.read)
app.command(epilog=_example(bot.EXAMPLE))(bot.bot)
app.command(epilog=_example(bench.EXAMPLE))(bench.bench)
app.add_typer(lab_app)


def main() -> None:
    """Run the program and exit: 0 done, 1 negative answer, 2 bad input, 130 interrupted."""
    code = _guarded(_run)
    # Flush now, while a broken pipe or a full disk can still be reported.
    flushed = _guarded(_flush)
    if left_behind():
        os._exit(code or flushed)
    sys.exit(code or flushed)


def _run() -> int:
    # Without arguments, print the help.
    return int(app(sys.argv[1:] or ["--help"], standalone_mode=False) or DONE)


def _flush() -> int:
    try:
        sys.stdout.flush()
    except OSError:
        # Python flushes again at exit, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
    return DONE


def _guarded(step: Callable[[], int]) -> int:
    """Run a step and return its exit status; print one line on standard error if it fails."""
    try:
        return step()
    except SapperError as problem:
        complain(str(problem))
        return BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # Typer itself exits only for a broken pipe.
        return BROKEN_PIPE
    except OSError as problem:
        complain((problem.strerror or str(problem)).lower())
        return BAD_INPUT
    except Exception as problem:
        # Typer bundles its own click, so the class of a usage error cannot be named here;
        # recognise it by its method.
        if not hasattr(problem, "format_message"):
            raise
        complain(f"{problem.format_message().rstrip('.')}; see {_help_of(problem)}")
        return BAD_INPUT


def _help_of(problem: Exception) -> str:
    context = getattr(problem, "ctx", None)
    return f"{getattr(context, 'command_path', 'sapper')} --help"
