"""`sapper generate`: generate random boards."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Annotated

import click

from sapper.cli import completing
from sapper.cli.output import complain, emit
from sapper.cli.parsing import TopologyName, given_options, parse_cell, shaped
from sapper.cli.signatures import Option
from sapper.errors import BadSetting
from sapper.generation import Generated, Logic, Method, parse_id, prove
from sapper.generation import generate as deal
from sapper.generation.boards import record
from sapper.generation.daily import daily, parse_day
from sapper.generation.noguess import TRIES
from sapper.rules import FirstClick

__all__ = ["EXAMPLE", "generate"]

EXAMPLE = "sapper generate --level 16x16:40 --start 8,8 --first-click opening --seed 7 -n 3 --json"


_OTHER = (
    "level", "topology", "start", "first_click", "no_guess", "method", "tries", "seed", "n",
)  # fmt: skip
"""Options that do not apply to existing boards."""
_OPTIONS = {"n": "-n", "day": "--daily"}


def generate(
    context: click.Context,
    level: Annotated[
        str,
        Option(
            metavar="L",
            help="Level: beginner, intermediate, expert, WIDTHxHEIGHT:MINES or "
            "WIDTHxHEIGHT@DENSITY.",
            autocompletion=completing.level_names,
        ),
    ] = "expert",
    topology: TopologyName = None,
    start: Annotated[
        str | None,
        Option(metavar="R,C", help="Cell of the first click (default: random for each board)."),
    ] = None,
    first_click: Annotated[
        FirstClick | None,
        Option(
            metavar="P",
            help="Guarantee for the first click: any (none), safe or opening (default: safe; "
            "opening with --no-guess).",
        ),
    ] = None,
    no_guess: Annotated[
        bool, Option("--no-guess", help="Generate only boards that logic alone solves.")
    ] = False,
    logic: Annotated[
        Logic,
        Option(
            metavar="LEVEL",
            help="Hardest logic allowed by --no-guess: single (single numbers), pairs (pairs of "
            "numbers), local (all numbers of a component) or total (these and the mine total).",
        ),
    ] = Logic.TOTAL,
    method: Annotated[
        Method | None,
        Option(
            metavar="M",
            help="Method of --no-guess: uniform (all boards equally likely) or fast (biased, but "
            "much faster for dense boards). Default: uniform, or fast if uniform finds no board.",
        ),
    ] = None,
    tries: Annotated[
        int,
        Option(metavar="T", min=1, help="Boards to try per result and method before giving up."),
    ] = TRIES,
    seed: Annotated[
        int | None,
        Option(
            metavar="S", help="Seed of the first board; board i has seed S + i (default: random)."
        ),
    ] = None,
    n: Annotated[int, Option("-n", metavar="N", min=0, help="Number of boards.")] = 1,
    game_id: Annotated[
        str | None,
        Option(
            "--id",
            metavar="ID",
            help="Game id to restore instead, from Sapper or Simon Tatham's Mines.",
        ),
    ] = None,
    day: Annotated[
        str | None,
        Option(
            "--daily",
            metavar="DATE",
            help="Date of a daily board to generate instead: YYYY-MM-DD, before today (UTC). "
            "Give the seed that the site has published, or none for the site on this computer.",
        ),
    ] = None,
    as_json: Annotated[bool, Option("--json", help="Print one JSON object per board.")] = False,
) -> None:
    """Generate random boards.

    Boards are drawn uniformly from all that satisfy --first-click and, with --no-guess, need no
    guess. If dealing finds no such board, the fast method creates one, which is biased; a note on
    standard error says so.
    """
    _check(given_options(context, (*_OTHER, "logic", "game_id", "day")))
    if game_id is not None:
        _restore(game_id, logic, as_json)
        return
    if day is not None:
        now = datetime.now(UTC).date()
        past = parse_day(day, now)
        _print(daily(_published_seed(past, now) if seed is None else seed), as_json)
        return
    boards = deal(
        shaped(level, topology),
        n,
        first_click=first_click,
        start=None if start is None else parse_cell(start, "--start"),
        seed=seed,
        no_guess=logic if no_guess else None,
        method=method,
        tries=tries,
    )
    fell_back = False
    for number, generated in enumerate(boards):
        if method is None and generated.method is Method.FAST and not fell_back:
            fell_back = True
            complain(
                f"no board was found in {tries} tries by method uniform; method fast is used "
                "where that happens, and its boards are not uniform"
            )
        if number and not as_json:
            print()
        _print(generated, as_json)


def _check(options: list[str]) -> None:
    """Reject options that would have no effect.

    Raises:
        BadSetting: If there are any such options.
    """
    for only, name, others in (
        ("game_id", "--id", (*_OTHER, "day")),
        ("day", "--daily", (*(one for one in _OTHER if one != "seed"), "logic")),
    ):
        if only in options and (clash := [one for one in options if one in others]):
            other = _OPTIONS.get(clash[0], f"--{clash[0].replace('_', '-')}")
            raise BadSetting(f"{name} and {other} cannot be used together")
    if "logic" in options and not {"no_guess", "game_id"} & {*options}:
        raise BadSetting("--logic needs --no-guess or --id")


def _published_seed(day: date, today: date) -> int:
    """Return the seed of a past daily board of the site on this computer.

    Raises:
        BadSetting: If the board is still secret, or there is no site on this computer.
    """
    # Imported here because the database would slow down other uses of the command.
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.daily_secret import daily_boards

    if day >= today:
        raise BadSetting(f"the daily board of {day} is secret until {day + timedelta(1)} (UTC)")
    try:
        with opened_beside(None) as database:
            return daily_boards(database).seed(day)
    except FileNotFoundError:
        raise BadSetting(
            f"there is no daily board on this computer; for that of a site, add the seed that it "
            f"has published: --daily {day} --seed SEED"
        ) from None


def _restore(text: str, logic: Logic, as_json: bool) -> None:
    board, start = parse_id(text)
    steps = prove(board, start, logic)
    if as_json:
        obj = record(board, start, None, steps is not None)
        if steps is not None:
            obj |= {"logic": str(logic), "proof_steps": len(steps)}
        emit(obj)
        return
    needs = "needs a guess" if steps is None else f"no guess: {len(steps)} steps"
    print(f"// first click {start}, 3BV {board.bbbv}, {needs}\n{board}")


def _print(generated: Generated, as_json: bool) -> None:
    if as_json:
        emit(generated.to_json())
    else:
        print(_text(generated), flush=True)


def _text(generated: Generated) -> str:
    comment = f"seed {generated.seed}, first click {generated.start}, 3BV {generated.board.bbbv}"
    if generated.proof is not None:
        comment += (
            f", no guess: {len(generated.proof.steps)} steps, hardest {generated.proof.hardest}"
        )
    return f"// {comment}\n{generated.board}"
