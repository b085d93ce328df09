"""`sapper generate`: boards dealt at random."""

from __future__ import annotations

from typing import Annotated

import typer

from sapper.cli.output import emit
from sapper.cli.parsing import parse_cell
from sapper.generation import Generated, Logic, Method, parse_id, prove
from sapper.generation import generate as deal
from sapper.generation.boards import record
from sapper.generation.noguess import TRIES
from sapper.metrics import bbbv
from sapper.rules import FirstClick

__all__ = ["EXAMPLE", "generate"]

EXAMPLE = "sapper generate --level 16x16:40 --start 8,8 --first-click opening --seed 7 -n 3 --json"


def generate(
    level: Annotated[
        str,
        typer.Option(
            metavar="L",
            help="beginner, intermediate, expert, WIDTHxHEIGHT:MINES or WIDTHxHEIGHT@DENSITY.",
        ),
    ] = "expert",
    start: Annotated[
        str | None,
        typer.Option(
            metavar="R,C", help="The cell of the first click (default: drawn for each board)."
        ),
    ] = None,
    first_click: Annotated[
        FirstClick | None,
        typer.Option(
            metavar="P",
            help="What the first click promises: any (nothing), safe, or opening (default: safe; "
            "opening with --no-guess).",
        ),
    ] = None,
    no_guess: Annotated[
        bool, typer.Option("--no-guess", help="Only boards that logic opens from their start.")
    ] = False,
    logic: Annotated[
        Logic,
        typer.Option(
            metavar="LEVEL",
            help="The hardest logic --no-guess allows: single (numbers), pairs (of numbers), "
            "local (all numbers of a component), total (these and the mine total).",
        ),
    ] = Logic.TOTAL,
    method: Annotated[
        Method,
        typer.Option(
            metavar="M",
            help="How --no-guess finds boards: uniform (all equally likely) or fast (biased, "
            "but much quicker where they are rare).",
        ),
    ] = Method.UNIFORM,
    tries: Annotated[
        int, typer.Option(metavar="T", min=1, help="Boards to try for each before giving up.")
    ] = TRIES,
    seed: Annotated[
        int | None,
        typer.Option(metavar="S", help="Deals the same boards again; board i has seed S + i."),
    ] = None,
    n: Annotated[int, typer.Option("-n", metavar="N", min=0, help="How many boards.")] = 1,
    game_id: Annotated[
        str | None,
        typer.Option(
            "--id",
            metavar="ID",
            help="Restore the board of a game id, Sapper's or Simon Tatham's, and deal none.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a board.")] = False,
) -> None:
    """Deal boards at random.

    They are uniform among the boards that keep the first click's promise; with --no-guess, among
    those that also need no guess.
    """
    if game_id is not None:
        _restore(game_id, logic, as_json)
        return
    boards = deal(
        level,
        n,
        first_click=first_click,
        start=None if start is None else parse_cell(start, "--start"),
        seed=seed,
        no_guess=logic if no_guess else None,
        method=method,
        tries=tries,
    )
    for number, made in enumerate(boards):
        if as_json:
            emit(made.to_json())
        else:
            print(end="\n" if number else "")
            print(_text(made), flush=True)


def _restore(text: str, logic: Logic, as_json: bool) -> None:
    board, start = parse_id(text)
    steps = prove(board, start, logic)
    if as_json:
        obj = record(board, start, None, steps is not None)
        if steps is not None:
            obj |= {"logic": str(logic), "proof_steps": len(steps)}
        emit(obj)
        return
    needs = "it needs a guess" if steps is None else f"no guess: {len(steps)} steps"
    print(f"// first click {start}, 3BV {bbbv(board)}, {needs}\n{board}")


def _text(made: Generated) -> str:
    said = f"seed {made.seed}, first click {made.start}, 3BV {bbbv(made.board)}"
    if made.proof is not None:
        said += f", no guess: {len(made.proof.steps)} steps, the hardest {made.proof.hardest}"
    return f"// {said}\n{made.board}"
