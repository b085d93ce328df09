"""`sapper lab compare`: compare bots on the same boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.lab import options as opt
from sapper.cli.lab.progress import shown
from sapper.cli.lab.words import grid, head, interval, percent
from sapper.cli.output import emit
from sapper.cli.parsing import TopologyName, shaped

if TYPE_CHECKING:
    from sapper.lab.compare import Comparison

__all__ = ["EXAMPLE", "compare"]

EXAMPLE = "sapper lab compare exact groups autosweeper,sound=true --level beginner -n 20000"


def compare(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT...", help="Two or more bots, with options: NAME,OPTION=VALUE."),
    ],
    level: opt.LevelText = "expert",
    topology: TopologyName = None,
    rules: opt.Rules = "classic",
    first_click: opt.FirstClickText = None,
    start: opt.StartText = "0,0",
    n: Annotated[
        int, typer.Option("-n", metavar="BOARDS", min=1, help="Maximum number of boards.")
    ] = 10_000,
    seed: opt.Seed = 1,
    rule: opt.RuleTexts = None,
    play_all: Annotated[
        bool, typer.Option("--all", help="Play all boards; do not stop early.")
    ] = False,
    h1: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            help="Difference to detect: the share that the better bot wins of the boards that only "
            "one of the two wins.",
        ),
    ] = 0.55,
    alpha: Annotated[
        float,
        typer.Option(metavar="A", help="Maximum rate of calling equal bots different."),
    ] = 0.05,
    beta: Annotated[
        float,
        typer.Option(metavar="B", help="Maximum rate of missing such a difference."),
    ] = 0.05,
    batch: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="Number of boards between two checks of the test."),
    ] = 500,
    workers: opt.Workers = None,
    dask: opt.Dask = None,
    out: opt.Out = None,
    resume: opt.ResumeRuns = False,
    bot_seconds: opt.BotSeconds = 60.0,
    as_json: opt.Json = False,
) -> None:
    """Compare bots on the same boards and report which one is better.

    Each bot is compared with the first. A sequential test (SPRT) stops as soon as the result is
    clear, or after -n boards.
    """
    opt.check_out(out, resume)
    from sapper.lab.compare import compare as play
    from sapper.lab.sprt import Sprt

    wanted = opt.Wanted(shaped(level, topology), rules, first_click, start, rule, seed, n)
    test = Sprt(h1, alpha, beta)
    with shown() as watch:
        found = play(
            [wanted.spec(bot) for bot in bots],
            None if play_all else test,
            batch,
            workers=workers,
            dask=dask,
            out=out,
            resume=resume,
            bot_seconds=bot_seconds,
            watch=watch,
        )
    if as_json:
        emit(found.to_json())
    else:
        print(_text(found))


def _text(found: Comparison) -> str:
    from sapper.lab.sprt import Verdict

    names, base = found.names, found.names[0]
    rows = [("bot", "boards", "won", "win rate, %")]
    rows += [
        (name, f"{found.boards:,}", f"{wins:,}", percent(wins, found.boards))
        for name, wins in zip(names, found.wins, strict=True)
    ]
    lines = [head(found.specs[0].head()), "", grid(rows)]
    for name, pairs, verdict in zip(names[1:], found.pairs, found.verdicts, strict=True):
        low, high = pairs.interval
        lines += [
            "",
            f"{name} compared with {base}: {100 * pairs.difference:+.1f} points "
            f"{interval(low, high, scale=100)}",
            f"  only {base} won {pairs.first:,} boards, only {name} {pairs.second:,}; "
            f"McNemar's exact p = {pairs.p_value:.2g}",
        ]
        said = {
            Verdict.FIRST: f"{base} is better",
            Verdict.SECOND: f"{name} is better",
            Verdict.EQUAL: "no difference of this size",
            Verdict.OPEN: "undecided; more boards are needed",
        }
        if verdict is not None:
            lines.append(f"  sequential test: {said[verdict]}")
    if test := found.test:
        lines += [
            "",
            "Test: of the boards that only one of two bots wins, the better one wins half (H0) or "
            f"{100 * test.h1:g} % (H1).",
            f"Error rates: at most {100 * test.alpha:g} % for calling equal bots different and "
            f"{100 * test.beta:g} % for missing a difference.",
            "If the test stopped early, the estimated difference is biased away from 0.",
        ]
    return "\n".join(lines)
