"""`sapper hint`: the next cell to open."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from sapper import solver
from sapper.cli.answering import File, Json, Mines, answer_all
from sapper.errors import BadSetting
from sapper.position import Position
from sapper.solver import Limit

__all__ = ["EXAMPLE", "hint"]

EXAMPLE = r"printf '...\n.1.\n...\n' | sapper hint --mines 1"


def hint(
    file: File = "-",
    mines: Mines = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Time limit per position; beyond it, risks are estimated."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Suggest a cell to open: a proved safe one, or the least risky.

    If several cells are safe, suggest the one with the easiest proof and name the numbers that
    prove it ("because" in JSON). Otherwise suggest a cell with the lowest risk; ties go to the
    cell with the fewest neighbours, then to the first. Cells are (row, column), counted from 0
    at the top left.
    Exit status 1 if no arrangement fits or there is nothing to open.
    """
    if seconds is not None and not seconds > 0:
        raise BadSetting(f"--seconds must be greater than 0, got {seconds}")
    limit = None if seconds is None else Limit(seconds=seconds)

    def to_json(position: Position) -> dict[str, Any]:
        return solver.hint(position, limit).to_json()

    def show(position: Position) -> None:
        found = solver.hint(position, limit)
        print(f"open {found.cell}: {found.sentence}", flush=True)

    return answer_all(file, mines, as_json, to_json, show)
