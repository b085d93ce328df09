"""`sapper lab compare`: compare bots on the same boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import click

from sapper.cli import completing
from sapper.cli.lab import options as opt
from sapper.cli.lab.progress import run_bars
from sapper.cli.lab.words import grid, head, interval, percent
from sapper.cli.output import emit
from sapper.cli.parsing import TopologyName, given_options, parse_points, shaped
from sapper.cli.signatures import Argument, Option
from sapper.errors import BadSetting

if TYPE_CHECKING:
    from sapper.lab.compare import Comparison
    from sapper.lab.margin_test import MarginTest
    from sapper.lab.sprt import Sprt, SprtVerdict

__all__ = ["EXAMPLE", "compare"]

EXAMPLE = "sapper lab compare exact swift --level beginner --detect 0.5pp"


_BOARDS: Final = 10_000
_BOARDS_TO_DETECT: Final = 100_000
"""A small difference in win rate takes many boards."""


def compare(
    context: click.Context,
    bots: Annotated[
        list[str],
        Argument(
            metavar="BOT...",
            help="Two or more bots, with options: NAME,OPTION=VALUE.",
            autocompletion=completing.bot_names,
        ),
    ],
    level: opt.LevelText = "expert",
    topology: TopologyName = None,
    rules: opt.Rules = "classic",
    first_click: opt.FirstClickText = None,
    start: opt.StartText = "0,0",
    n: Annotated[
        int | None,
        Option(
            "-n",
            metavar="BOARDS",
            min=1,
            help="Maximum number of boards (default: 10,000, or 100,000 with --detect).",
        ),
    ] = None,
    seed: opt.Seed = 1,
    rule: opt.RuleTexts = None,
    play_all: Annotated[bool, Option("--all", help="Play all boards; do not stop early.")] = False,
    detect: Annotated[
        str | None,
        Option(
            metavar="POINTS",
            help="Difference in win rate to detect, in percentage points, such as 0.5pp "
            "(default: test by --h1).",
        ),
    ] = None,
    h1: Annotated[
        float,
        Option(
            metavar="SHARE",
            help="Difference to detect: the better bot's share of the boards that only one of the "
            "two wins.",
        ),
    ] = 0.55,
    alpha: Annotated[
        float,
        Option(metavar="A", help="Maximum rate of calling equal bots different."),
    ] = 0.05,
    beta: Annotated[
        float,
        Option(metavar="B", help="Maximum rate of missing this difference."),
    ] = 0.05,
    batch: Annotated[
        int,
        Option(metavar="N", min=1, help="Number of boards between two checks of the test."),
    ] = 500,
    workers: opt.Workers = None,
    dask: opt.Dask = None,
    out: opt.Out = None,
    resume: opt.ResumeRuns = False,
    bot_seconds: opt.BotSeconds = 60.0,
    as_json: opt.Json = False,
) -> None:
    """Compare bots on the same boards and report which one is better.

    Each bot is compared with the first. A sequential test stops as soon as the result is clear, or
    after -n boards. By default, the test counts the boards that only one bot wins (--h1). With
    --detect, it tests the difference in win rate, and the interval is valid whenever the games
    stop.
    """
    opt.check_out(out, resume)
    from sapper.lab.compare import compare as play

    for name in given_options(context, ["h1", "play_all"]):
        if detect is not None:
            option = {"h1": "--h1", "play_all": "--all"}[name]
            raise BadSetting(f"--detect and {option} cannot be used together")
    most = n or (_BOARDS if detect is None else _BOARDS_TO_DETECT)
    settings = opt.GameOptions(shaped(level, topology), rules, first_click, start, rule, seed, most)
    test = _test(detect, h1, alpha, beta)
    with run_bars() as watch:
        comparison = play(
            [settings.spec(bot) for bot in bots],
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
        emit(comparison.to_json())
    else:
        print(_text(comparison))


def _test(detect: str | None, h1: float, alpha: float, beta: float) -> Sprt | MarginTest:
    from sapper.lab.margin_test import MarginTest
    from sapper.lab.sprt import Sprt

    if detect is None:
        return Sprt(h1, alpha, beta)
    return MarginTest(parse_points(detect, "--detect"), alpha, beta)


def _text(comparison: Comparison) -> str:
    names, base = comparison.names, comparison.names[0]
    rows = [("bot", "boards", "won", "win rate, %")]
    rows += [
        (name, f"{comparison.boards:,}", f"{wins:,}", percent(wins, comparison.boards))
        for name, wins in zip(names, comparison.wins, strict=True)
    ]
    lines = [head(comparison.specs[0].head()), "", grid(rows)]
    rows_of = zip(
        names[1:], comparison.pairs, comparison.intervals, comparison.verdicts, strict=True
    )
    for number, (name, pairs, ends, verdict) in enumerate(rows_of):
        lines += [
            "",
            f"{name} compared with {base}: {_difference(comparison, pairs.difference, ends)}",
            f"  only {base} won {pairs.first:,} boards, only {name} {pairs.second:,}"
            # McNemar's test requires a number of boards that is fixed in advance.
            + ("" if _margin(comparison) else f"; McNemar's exact p = {pairs.p_value:.2g}"),
        ]
        if verdict is not None:
            lines.append(f"  sequential test: {_verdict_text(comparison, number, verdict)}")
    return "\n".join([*lines, *_explanations(comparison)])


def _margin(comparison: Comparison) -> MarginTest | None:
    from sapper.lab.margin_test import MarginTest

    return comparison.test if isinstance(comparison.test, MarginTest) else None


def _difference(comparison: Comparison, difference: float, ends: tuple[float, float]) -> str:
    digits = 2 if _margin(comparison) else 1
    return f"{100 * difference:+.{digits}f} points {interval(*ends, scale=100, digits=digits)}"


def _verdict_text(comparison: Comparison, number: int, verdict: SprtVerdict) -> str:
    """Describe the verdict on a bot, given by its index; 0 is the second bot."""
    from sapper.lab.sprt import SprtVerdict

    undecided = "undecided; more boards are needed"
    if test := _margin(comparison):
        needed = test.boards_for(comparison.outcomes[number])
        undecided = (
            f"undecided; a difference of this size takes about {needed:,} boards, and equal win "
            f"rates about {round(1.5 * needed):,}"
        )
    return {
        SprtVerdict.FIRST: f"{comparison.names[0]} is better",
        SprtVerdict.SECOND: f"{comparison.names[1 + number]} is better",
        SprtVerdict.EQUAL: "no difference of this size",
        SprtVerdict.OPEN: undecided,
    }[verdict]


def _explanations(comparison: Comparison) -> list[str]:
    """Describe the hypotheses and the error rates of the test."""
    from sapper.lab.sprt import Sprt

    test = comparison.test
    if test is None:
        return []
    if isinstance(test, Sprt):
        question = (
            "of the boards that only one of two bots wins, the better one wins half (H0) or "
            f"{100 * test.h1:g} % (H1)."
        )
    else:
        size = f"{100 * test.margin:g}"
        points = "1 point" if size == "1" else f"{size} points"
        question = f"equal win rates (H0) or a difference of {points} or more (H1)."
    lines = [
        "",
        f"Test: {question}",
        f"Error rates: at most {100 * test.alpha:g} % for calling equal bots different and "
        f"{100 * test.beta:g} % for missing a difference.",
    ]
    if _margin(comparison):
        lines.append(f"The {100 - 100 * test.alpha:g} % intervals hold whenever the games stop.")
    return [*lines, "If the test stopped early, the estimated difference is biased away from 0."]
