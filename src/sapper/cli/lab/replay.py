"""`sapper lab replay`: play one game of a run again, choice by choice."""

from __future__ import annotations

import faulthandler
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import TYPE_CHECKING, Annotated, Any

import click

from sapper.cli.lab import options as opt
from sapper.cli.lab.run import file_has_changed, saved_spec, spec_of
from sapper.cli.lab.words import head
from sapper.cli.output import complain, emit
from sapper.cli.parsing import TopologyName, given_options
from sapper.cli.signatures import Argument, Option
from sapper.errors import BadSetting, BotFailed

if TYPE_CHECKING:
    from sapper.position import Position
    from sapper.simulation import BotRunner, Match, SimulationStep

__all__ = ["EXAMPLE", "replay"]

EXAMPLE = "sapper lab replay --bot exact --level expert --seed 17"

_SHOWN = 4
"""Number of actions to print per choice."""


def replay(
    context: click.Context,
    directory: Annotated[
        str | None,
        Argument(metavar="[DIR]", help="Saved run with the settings of the game."),
    ] = None,
    bot: opt.Bot = "exact",
    level: opt.LevelText = "expert",
    topology: TopologyName = None,
    rules: opt.Rules = "classic",
    first_click: opt.FirstClickText = None,
    start: opt.StartText = "0,0",
    seed: Annotated[int, Option("--seed", metavar="S", help="Seed of the game.")] = 1,
    option: opt.OptionTexts = None,
    rule: opt.RuleTexts = None,
    choice: Annotated[
        int | None,
        Option(
            "--choice",
            metavar="N",
            min=1,
            help="Print only the position before choice N, as input for `sapper analyze`.",
        ),
    ] = None,
    bot_seconds: Annotated[
        float | None,
        Option(
            "--bot-seconds",
            metavar="T",
            help="Time limit for one choice of the bot, in seconds (default: none).",
        ),
    ] = None,
    as_json: Annotated[
        bool, Option("--json", help="Print JSON Lines, one object per choice.")
    ] = False,
) -> None:
    """Replay one game of a run, choice by choice.

    With the same bot, settings and seed, the game is the same as in `lab run`. If the bot fails,
    print the position it saw, and its traceback on standard error. The bot runs in this process, so
    you can debug it with `breakpoint()`. If it crashes the process, Python prints the line that it
    was running.
    """
    if bot_seconds is not None and not bot_seconds > 0:
        raise BadSetting(f"--bot-seconds must be greater than 0, got {bot_seconds}")
    settings: dict[str, Any] = {"bot": bot, "level": level, "topology": topology, "rules": rules}
    settings |= {"first_click": first_click, "start": start, "rule": rule, "option": option}
    settings |= {"seed": seed, "n": 1}
    spec = None
    if directory is not None:
        changed = {name: settings[name] for name in given_options(context, settings)}
        spec = saved_spec(directory, changed, needed=True)
        seed = seed if "seed" in changed else spec.seed
        if "bot" not in changed and file_has_changed(directory, spec):
            complain(f"the file of bot {spec.name} has changed since this run started")
    spec = spec or spec_of(settings)
    # Keep the bot's own output out of standard output.
    with redirect_stdout(sys.stderr):
        runner = spec.match.runner(bot_seconds)
    if choice is not None:
        print(_position_before(choice, spec.match, seed, runner))
        return
    if not as_json:
        print(f"{spec.name}: {head({**spec.head(), 'seed': seed})}\n", flush=True)
    with _crashes_shown():
        _play(spec.match, seed, runner, as_json=as_json)


@contextmanager
def _crashes_shown() -> Iterator[None]:
    """Print the bot's current line if it crashes the process, for example by endless recursion."""
    if faulthandler.is_enabled():
        yield
        return
    with suppress(OSError, ValueError):
        # This fails if standard error is not a file.
        faulthandler.enable(sys.stderr, all_threads=False)
    try:
        yield
    finally:
        faulthandler.disable()


def _position_before(choice: int, match: Match, seed: int, runner: BotRunner) -> Position:
    from sapper.simulation import steps

    choices_made = 0
    with redirect_stdout(sys.stderr), runner:
        game = match.begin(seed, runner)
        played = steps(game, runner)
        while choices_made < choice - 1 and (step := next(played, None)) is not None:
            choices_made = step.number
    if game.over or choices_made < choice - 1:
        raise BadSetting(
            f"--choice must be at most {choices_made}, as many as the game has, got {choice}"
        )
    return game.position


def _play(match: Match, seed: int, runner: BotRunner, *, as_json: bool) -> None:
    from sapper.simulation import steps

    result = ""
    out = sys.stdout
    with redirect_stdout(sys.stderr), runner:
        game = match.begin(seed, runner)
        try:
            for step in steps(game, runner):
                result = "stuck" if step.stuck else ""
                with redirect_stdout(out):
                    _print(step, as_json=as_json)
        except BotFailed:
            if not as_json:
                print(f"\nThe position before the choice that failed:\n{game.position}", file=out)
            raise
    result = result or str(game.status)
    if as_json:
        emit({"result": result, "position": game.position.to_json()})
    else:
        print(f"\n{result}\n\n{game.position}")


def _print(step: SimulationStep, *, as_json: bool) -> None:
    choice = step.choice
    if as_json:
        emit(
            {
                "choice": step.number,
                "actions": [
                    {"action": str(one.kind), "cell": None if one.cell is None else [*one.cell]}
                    for one in choice.actions
                ],
                "by": choice.by,
                "risk": choice.risk,
                "guess": choice.guess,
                "changed": step.done,
                "position": step.position.to_json(),
            }
        )
        return
    actions = [f"{one.kind} {one.cell}" for one in choice.actions]
    if len(actions) > _SHOWN:
        actions[_SHOWN:] = [f"and {len(actions) - _SHOWN} more"]
    why = [choice.by] if choice.by else []
    why += ["guess"] if choice.guess else []
    why += [] if choice.risk is None else [f"risk {choice.risk:.3f}"]
    reasons = f"   ({', '.join(why)})" if why else ""
    print(f"{step.number:>4}  {', '.join(actions) or 'nothing'}{reasons}", flush=True)
