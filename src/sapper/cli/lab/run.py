"""`sapper lab run`: run one bot for many games."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from time import time
from typing import Annotated, Any

import click

from sapper._util.interrupt import noticed
from sapper.cli.lab import options as opt
from sapper.cli.lab.progress import run_bars
from sapper.cli.lab.words import grid, head, percent
from sapper.cli.output import complain, emit
from sapper.cli.parsing import TopologyName, given_options, shaped
from sapper.cli.signatures import Option
from sapper.errors import BadSetting, SapperError

__all__ = ["EXAMPLE", "file_has_changed", "run", "saved_spec", "spec_of"]

EXAMPLE = "sapper lab run --bot exact --level expert -n 10000 --out runs/exact --plot exact.png"

Resume = Annotated[bool, Option("--resume", help="Resume the run in --out, if any.")]


def run(
    context: click.Context,
    bot: opt.Bot = "exact",
    level: opt.LevelText = "expert",
    topology: TopologyName = None,
    rules: opt.Rules = "classic",
    first_click: opt.FirstClickText = None,
    start: opt.StartText = "0,0",
    n: opt.Games = 100,
    seed: opt.Seed = 1,
    option: opt.OptionTexts = None,
    rule: opt.RuleTexts = None,
    workers: opt.Workers = None,
    dask: opt.Dask = None,
    out: opt.Out = None,
    resume: Resume = False,
    bot_seconds: opt.BotSeconds = 60.0,
    plot: opt.Plot = None,
    as_json: opt.Json = False,
) -> None:
    """Run a bot for N games and report its win rate.

    The same seed produces the same games on any number of workers and on any cluster.

    With --out, save the games as Parquet, one row per game. Finished games survive Ctrl-C and
    crashes; --resume continues the run and needs no other settings.
    """
    opt.check_plot(plot)
    from sapper.lab.runs import play

    opt.check_out(out, resume)
    settings: dict[str, Any] = {"bot": bot, "level": level, "topology": topology, "rules": rules}
    settings |= {"first_click": first_click, "start": start, "rule": rule, "option": option}
    settings |= {"seed": seed, "n": n}
    spec = None
    if resume and out is not None:
        spec = saved_spec(out, {name: settings[name] for name in given_options(context, settings)})
    spec = spec or spec_of(settings)
    began = time()
    try:
        with run_bars() as watch:
            result = play(
                spec,
                workers,
                dask,
                out,
                resume=resume,
                bot_seconds=bot_seconds,
                watch=watch,
                keep=plot is not None,
            )
    except (KeyboardInterrupt, SapperError) as problem:
        noticed.set()
        rest = _saved_games(out, began) if out is not None else ""
        if not rest:
            raise
        if isinstance(problem, SapperError):
            problem.add_note(rest)
        else:
            complain(rest)
        raise
    if as_json:
        emit(result.summary)
    else:
        print(_text(result.summary, out))
    # Plot last, so that the results are printed even if plotting fails.
    if plot is not None:
        _draw(result, plot)


def _draw(result: Any, plot: str) -> None:
    from sapper.lab.plots import save, win_rate_so_far

    won = result.table(["result"]).column("result").to_numpy() == "won"
    save(win_rate_so_far(won, f"{result.summary['bot']}, {head(result.summary)}"), plot)


def spec_of(settings: Mapping[str, Any]) -> Any:
    """Return the run with these settings, keyed by parameter name."""
    names = ("rules", "first_click", "start", "rule", "seed", "n")
    level = shaped(settings["level"], settings["topology"])
    settings_of_run = opt.GameOptions(level, *(settings[name] for name in names))
    return settings_of_run.spec(settings["bot"], settings["option"])


def saved_spec(out: str, changed: Mapping[str, Any], *, needed: bool = False) -> Any:
    """Return the spec of a saved run, with changed settings applied.

    Args:
        out: Directory of the run.
        changed: Settings from the command line, keyed by parameter name.
        needed: Whether to raise an error instead of returning None if there is no run or its games
            cannot be played here.
    """
    from sapper.lab.runs import Run
    from sapper.lab.spec import Spec
    from sapper.lab.store import RunStore

    if not needed and not RunStore(out).exists:
        return None
    spec = Run.open(out).spec
    if needed and not isinstance(spec, Spec):
        raise BadSetting(f"{out!r} has games of {spec.program}, which cannot be played again here")
    if not changed or not isinstance(spec, Spec):
        return spec
    saved = spec.head()
    settings = {name: saved[name] for name in ("bot", "level", "rules", "first_click", "seed")}
    settings["start"] = "bot" if saved["start"] is None else "{},{}".format(*saved["start"])
    for name, options in (("rule", "rule_options"), ("option", "options")):
        settings[name] = [f"{key}={json.dumps(value)}" for key, value in saved[options].items()]
    return spec_of({**settings, "topology": None, "n": spec.games, **changed})


def file_has_changed(out: str, spec: Any) -> bool:
    """Return whether the bot's file has changed since a saved run started."""
    from sapper.lab.store import RunStore

    return bool(
        RunStore(out).read_json("run.json").get("bot_sha256") != spec.to_json()["bot_sha256"]
    )


def _saved_games(out: str, began: float) -> str:
    """Describe the games saved by an interrupted run that started at `began`; empty if none."""
    from sapper.lab.errors import BadRun
    from sapper.lab.runs import Run

    try:
        result = Run.open(out)
        games, total = result.tally.games, result.spec.games
    except BadRun:
        return ""
    if result.summary.get("updated", 0) < began or games == total:
        return ""
    rest = f"sapper lab run --resume --out {shlex.quote(out)}"
    return f"{games:,} of {total:,} games saved; resume with: {rest}"


def _text(summary: dict[str, Any], out: str | None) -> str:
    from sapper.lab.tally import explains_nothing

    games = summary["games"]
    rows = [
        ("games", f"{games:,}"),
        ("won", f"{summary['wins']:,}   {percent(summary['wins'], games)}"),
        ("lost", f"{summary['lost']:,}"),
    ]
    if summary["stuck"]:
        rows.append(("stuck", f"{summary['stuck']:,}"))
    rate = summary["games_per_second"] or 0
    guesses = f"{summary['guesses']:,}, {_each(summary['guesses'], games)} per game"
    if games and explains_nothing(summary["by"], summary["guesses"]):
        guesses = "not marked by the bot"
    rows += [
        ("guesses", guesses),
        ("speed", f"{rate:,.0f} games/s, {summary['seconds']:.1f} s"),
        ("digest", str(summary["digest"])),
    ]
    rows.append(("saved", "no; --out DIR saves every game") if out is None else ("saved in", out))
    lines = [f"{summary['bot']}: {head(summary)}", ""]
    lines += [f"{name:<10}{value}" for name, value in rows]
    by = [("level", "uses", "per game", "games lost")]
    by += [
        (
            name or "(not named)",
            f"{uses:,}",
            _each(uses, games),
            f"{summary['lost_by'].get(name, 0):,}",
        )
        for name, uses in sorted(summary["by"].items(), key=lambda pair: -pair[1])
    ]
    return "\n".join([*lines, "", grid(by)])


def _each(count: int, games: int) -> str:
    return f"{count / games:.2f}" if games else "-"
