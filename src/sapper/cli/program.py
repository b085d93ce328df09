"""The `sapper` program: its commands and exit statuses."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import typer

from sapper._core import __version__
from sapper._util.interrupt import noticed
from sapper._util.shortening import shown
from sapper.cli import (
    analyze,
    arrange,
    bench,
    bot,
    doctor,
    generate,
    hint,
    read,
    review,
    train,
    tui,
)
from sapper.cli.admin import app as admin_app
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.history import app as history_app
from sapper.cli.interrupts import Interrupts
from sapper.cli.lab import app as lab_app
from sapper.cli.output import complain, complain_of, open_streams
from sapper.cli.replay import app as replay_app
from sapper.cli.usage import usage_error
from sapper.errors import SapperError

__all__ = ["app", "main"]


# Set by the shell when it requests completions, and read by Typer.
_COMPLETE = "_SAPPER_COMPLETE"

app = typer.Typer(
    name="sapper",
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


class _LogFormat(StrEnum):
    PLAIN = "plain"
    JSON = "json"


# The options that `play` and `serve` share.
_Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")]
_Port = Annotated[
    int,
    typer.Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 picks a free one."),
]
_Proxy = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS",
        help="Address or network of a reverse proxy whose X-Forwarded-For and "
        "X-Forwarded-Proto headers are trusted. May be repeated.",
    ),
]
_Site = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", help="Host name that visitors use behind a proxy. May be repeated."
    ),
]
_MetricsFrom = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS",
        help="Address or network that may read /metrics, besides this machine. May be repeated.",
    ),
]
_Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="SAPPER_DATABASE",
        show_envvar=False,
        help="PostgreSQL database of the saved games, postgresql://USER@HOST/NAME (default: "
        "SAPPER_DATABASE, or an SQLite file).",
    ),
]
_Log = Annotated[
    _LogFormat,
    typer.Option("--log-format", help="Log format; json also has a line for each request."),
]
_LogAddresses = Annotated[
    bool,
    typer.Option("--log-addresses", help="Add the addresses of visitors to the JSON log."),
]


@app.command(epilog=example("sapper play --port 8080 --no-browser"))
def play(
    host: _Host = "127.0.0.1",
    port: _Port = 8000,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser window.")
    ] = False,
    proxy: _Proxy = None,
    site: _Site = None,
    metrics_from: _MetricsFrom = None,
    database: _Database = None,
    log_format: _Log = _LogFormat.PLAIN,
    log_addresses: _LogAddresses = False,
) -> int:
    """Play Minesweeper in the browser.

    Start a web server on this machine and open its page. Press Ctrl-C to stop.
    """
    # Imported here because the server's imports are slow and no other command needs them.
    from sapper.cli.play import play as serve

    serve(
        host,
        port,
        not no_browser,
        proxy or (),
        site or (),
        metrics_from or (),
        database=database,
        json_log=log_format is _LogFormat.JSON,
        log_addresses=log_addresses,
    )
    return ExitStatus.DONE


@app.command(
    epilog=example(
        "sapper serve --database postgresql:///sapper --redis redis://127.0.0.1 --workers 2"
    )
)
def serve(
    host: _Host = "127.0.0.1",
    port: _Port = 8000,
    proxy: _Proxy = None,
    site: _Site = None,
    metrics_from: _MetricsFrom = None,
    database: _Database = None,
    redis: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="SAPPER_REDIS",
            show_envvar=False,
            help="Redis or Valkey server for messages between workers, redis://HOST:PORT "
            "(default: SAPPER_REDIS, or none).",
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=64,
            help="Number of worker processes; more than one needs --database and --redis.",
        ),
    ] = 1,
    log_format: _Log = _LogFormat.PLAIN,
    log_addresses: _LogAddresses = False,
) -> int:
    """Serve the web app as a public site.

    Like `sapper play`, without a browser, and with several worker processes if requested. SIGTERM
    or Ctrl-C stops it.
    """
    from sapper.cli.serve import serve as run

    run(
        host,
        port,
        proxy or (),
        site or (),
        metrics_from or (),
        database=database,
        redis=redis,
        workers=workers,
        json_log=log_format is _LogFormat.JSON,
        log_addresses=log_addresses,
    )
    return ExitStatus.DONE


app.command(epilog=example(tui.EXAMPLE))(tui.tui)
app.command(epilog=example(analyze.EXAMPLE))(analyze.analyze)
app.command(epilog=example(arrange.EXAMPLE), short_help="Find an arrangement of mines that fits.")(
    arrange.arrange
)
app.command(epilog=example(hint.EXAMPLE))(hint.hint)
app.command(epilog=example(generate.EXAMPLE))(generate.generate)
app.command(
    epilog=example(read.EXAMPLE),
    short_help="Print the position in a screenshot of any Minesweeper.",
)(read.read)
app.command(
    epilog=example(review.EXAMPLE),
    short_help="Review a saved game: risks taken and best choices.",
)(review.review)
app.command(epilog=example(train.EXAMPLE))(train.train)
app.command(
    epilog=example(bot.EXAMPLE), short_help="Play other programs' Minesweeper from their pixels."
)(bot.bot)
app.command(
    epilog=example(bench.EXAMPLE),
    short_help="Measure the speed of the analysis and print its signature.",
)(bench.bench)
app.command(epilog=example(doctor.EXAMPLE))(doctor.doctor)
app.add_typer(replay_app, short_help="Read, measure and convert recorded games of many programs.")
app.add_typer(history_app, short_help="Show, export, import and erase finished games.")
app.add_typer(admin_app, short_help="Administer the saved games of a server.")
app.add_typer(lab_app, short_help="Measure bots: win rates, comparisons and calibration.")


_interrupts = Interrupts()


def main() -> None:
    """Run the program and exit: 0 done, 1 negative answer, 2 bad input, 130 interrupted."""
    # At exit Python searches all objects for reference cycles several times; this takes at least
    # 0.1 s and frees nothing useful. Only at exit, because tests call this function many times.
    atexit.register(gc.freeze)
    code: int = ExitStatus.INTERRUPTED
    # Suppress it here: Ctrl-C may arrive between any two statements below.
    with contextlib.suppress(KeyboardInterrupt), _interrupts:
        code = _guarded(open_streams) or _guarded(_run)
        # Flush while a broken pipe or a full disk can still be reported.
        flushed = _guarded(_flush)
        code = code or flushed
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
        # Python flushes again at exit; that must not fail a second time.
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
        # A library converted Ctrl-C into an error of its own.
        noticed.set()
        return ExitStatus.INTERRUPTED
    except SystemExit as ended:
        # Typer exits by itself after completions, otherwise only for a broken pipe.
        if _COMPLETE in os.environ or not ended.code:
            return int(ended.code or ExitStatus.DONE)
        return ExitStatus.BROKEN_PIPE


def _failed(problem: Exception) -> int:
    """Report an error in one line, and return its exit status; a bug is raised again."""
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
        # A usage error, recognized by its method because Typer may bundle click under another name.
        complain(usage_error(problem))
    else:
        raise problem
    return ExitStatus.BAD_INPUT
