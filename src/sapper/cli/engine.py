"""`sapper engine`: run bots as engines for other programs, and check engines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, Final

import click

from sapper.cli import completing
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import emit
from sapper.cli.signatures import Argument, Group, Option
from sapper.errors import BadSetting

__all__ = ["app"]

_LONGEST: Final = 1 << 26
"""Maximum length of a request in bytes."""

app = Group(
    name="engine",
    help="Let other programs use a bot, or check a program, over the engine protocol.",
)


@app.options(invoke_without_command=True)
def run(
    context: click.Context,
    bot: Annotated[
        str | None,
        Option(
            metavar="B",
            help="Bot to run: a name or FILE.py:NAME.",
            autocompletion=completing.bot_names,
        ),
    ] = None,
    options: Annotated[
        list[str] | None,
        Option("--option", metavar="NAME=VALUE", help="Option of the bot; may be repeated."),
    ] = None,
) -> int | None:
    """Let other programs use a bot, or check a program, over the engine protocol.

    With --bot, read requests from standard input and write answers to standard output, one JSON
    object per line, until "quit" or the end of the input.
    """
    if context.invoked_subcommand is not None:
        return None
    if bot is None:
        print(context.get_help())
        return ExitStatus.DONE
    from sapper.engine import serve
    from sapper.lab.spec import parse_option
    from sapper.solver.bots import make_bot

    chosen = dict(parse_option(text) for text in options or ())
    first = [make_bot(bot, **chosen)]
    serve(lambda: first.pop() if first else make_bot(bot, **chosen), bot, _lines(), _write)
    return ExitStatus.DONE


def _lines() -> Iterator[bytes]:
    while line := sys.stdin.buffer.readline(_LONGEST):
        if len(line) == _LONGEST and not line.endswith(b"\n"):
            raise BadSetting(f"a request has more than {_LONGEST} bytes")
        yield line


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


@app.command(epilog=example("sapper engine check 'sapper engine --bot exact'"))
def check(
    command: Annotated[
        str, Argument(metavar="COMMAND", help="The engine's command, in quotation marks.")
    ],
    games: Annotated[
        int, Option("-n", metavar="GAMES", min=1, help="Number of games to play.")
    ] = 20,
    seconds: Annotated[
        float, Option(metavar="S", help="Time limit of each answer, in seconds.")
    ] = 10.0,
    as_json: Annotated[bool, Option("--json", help="Print JSON, one line per check.")] = False,
) -> int:
    """Check that a program follows the engine protocol.

    Exit status 1 if it fails a check.
    """
    if not 0 < seconds < 1e6:
        raise BadSetting(f"--seconds must be between 0 and 1000000, got {seconds}")
    from sapper.engine import check_engine

    failed = False
    for result in check_engine(command, games, seconds):
        failed |= result.passed is False
        if as_json:
            emit(result.to_json())
            continue
        word = {True: "pass", False: "FAIL", None: "skip"}[result.passed]
        print(
            f"{word}  {result.name}" + (f": {result.reason}" if result.reason else ""), flush=True
        )
    return ExitStatus.NEGATIVE if failed else ExitStatus.DONE
