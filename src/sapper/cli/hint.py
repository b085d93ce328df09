"""`sapper hint`: the next cell to open."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from sapper import solver
from sapper._grid import Known
from sapper._util.work import Work
from sapper.board import Board
from sapper.cli.answering import Density, File, Json, Mines, answer_all
from sapper.cli.signatures import Option
from sapper.coach.pattern_name import pattern_name
from sapper.errors import BadSetting, InconsistentPosition, LimitReached
from sapper.position import Position
from sapper.solver import Limit
from sapper.topology import Cell

__all__ = ["EXAMPLE", "hint"]

EXAMPLE = r"printf '...\n.1.\n...\n' | sapper hint --mines 1"


def hint(
    file: File = "-",
    mines: Mines = None,
    density: Density = None,
    seconds: Annotated[
        float | None,
        Option(metavar="S", help="Time limit per position; beyond it, risks are estimated."),
    ] = None,
    steps: Annotated[
        bool,
        Option(
            "--steps",
            help="Walk through the proof; without one, show two boards that fit.",
        ),
    ] = False,
    as_json: Json = False,
) -> int:
    """Suggest a cell to open: a proved safe one, or the least risky.

    If several cells are safe, suggest the one with the easiest proof and print the pattern, if it
    has a name, and the numbers that prove it ("pattern" and "because" in JSON). Otherwise suggest
    a cell with the lowest risk; ties go to the cell with the fewest neighbours, then to the first.
    Cells are (row, column), counted from 0 at the top left.
    With --steps, also print the proof step by step ("steps" in JSON) or, if nothing is proved,
    two boards that fit, one with a mine on the cell and one without ("boards"). If no arrangement
    fits, the error lists a minimal set of numbers that contradict each other. Exit status 1 if no
    arrangement fits or there is nothing to open.
    """
    if seconds is not None and not seconds > 0:
        raise BadSetting(f"--seconds must be greater than 0, got {seconds}")

    def best_hint(position: Position, work: Work) -> solver.Hint:
        # Leave some of the time for the two boards.
        share = 0.5 if steps else 1.0
        try:
            return solver.hint(position, limit=Limit(seconds=work.part(share)))
        except InconsistentPosition as error:
            clash = solver.conflict(position, limit=Limit(seconds=work.left)) if steps else None
            if clash is None:
                raise
            raise InconsistentPosition(clash.sentence, error.cause, clash.cells) from None

    def to_json(position: Position) -> dict[str, Any]:
        work = Work(seconds)
        clue = best_hint(position, work)
        answer = clue.to_json()
        pattern = pattern_name(position, clue.cell) if clue.proved else None
        answer["pattern"] = None if pattern is None else pattern.to_json()
        if steps and clue.proof is not None:
            answer["steps"] = [step.to_json() for step in solver.proof_steps(position, clue.proof)]
        if steps and not clue.proved and (boards := _boards(position, clue.cell, work)):
            answer["boards"] = {"mined": boards[0].rows, "clear": boards[1].rows}
        return answer

    def show(position: Position) -> None:
        work = Work(seconds)
        clue = best_hint(position, work)
        pattern = pattern_name(position, clue.cell) if clue.proved else None
        named = "" if pattern is None else f"{pattern.title}. "
        print(f"open {clue.cell}: {named}{clue.sentence}")
        if steps and clue.proof is not None:
            for number, step in enumerate(solver.proof_steps(position, clue.proof), start=1):
                print(f"{number:>3}. {step.text}")
        if steps and not clue.proved and (boards := _boards(position, clue.cell, work)):
            print(f"Two boards that fit, with a mine on {clue.cell} and without:")
            for left, right in zip(boards[0].rows, boards[1].rows, strict=True):
                print(f"  {left}  {right}")
        sys.stdout.flush()

    return answer_all(file, Known(mines, density), as_json, to_json, show)


def _boards(position: Position, cell: Cell, work: Work) -> tuple[Board, Board] | None:
    """Return two boards that show that the cell is not proved, if they are found in time."""
    try:
        return solver.both_ways(position, cell, seed=0, limit=Limit(seconds=work.left))
    except LimitReached:
        return None
