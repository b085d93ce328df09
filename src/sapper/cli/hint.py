"""`sapper hint`: the next cell to open."""

from __future__ import annotations

from typing import Any

from sapper import solver
from sapper.cli.answering import File, Json, Mines, answer_all
from sapper.position import Position

__all__ = ["EXAMPLE", "hint"]

EXAMPLE = r"printf '...\n.1.\n...\n' | sapper hint --mines 1"


def hint(file: File = "-", mines: Mines = None, as_json: Json = False) -> int:
    """Name a cell to open: a safe one, or the least risky.

    Of several safe cells it is the one with the easiest proof, of which the numbers are named;
    --json lists them under "because". Of equal risks it is the cell with the fewest neighbours,
    then the first. Cells are (row, column), counted from 0 at the top left.
    Exit status 1 where no arrangement fits, or nothing can be opened.
    """
    return answer_all(file, mines, as_json, _to_json, _show)


def _to_json(position: Position) -> dict[str, Any]:
    return solver.hint(position).to_json()


def _show(position: Position) -> None:
    found = solver.hint(position)
    print(f"open {found.cell}: {found.sentence}", flush=True)
