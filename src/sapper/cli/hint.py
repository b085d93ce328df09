"""`sapper hint`: the next cell to open."""

from __future__ import annotations

from typing import Any

from sapper import solver
from sapper.cli.answering import File, Json, Mines, answer_all
from sapper.position import Position

__all__ = ["EXAMPLE", "hint"]

EXAMPLE = r"printf '...\n.1.\n...\n' | sapper hint --mines 1"


def hint(file: File = "-", mines: Mines = None, as_json: Json = False) -> int:
    """Suggest a cell to open: a proved safe one, or the least risky.

    If several cells are safe, suggest the one with the easiest proof and name the numbers that
    prove it ("because" in JSON). Otherwise suggest a cell with the lowest risk; ties go to the
    cell with the fewest neighbours, then to the first. Cells are (row, column), counted from 0
    at the top left.
    Exit status 1 if no arrangement fits or there is nothing to open.
    """
    return answer_all(file, mines, as_json, _to_json, _show)


def _to_json(position: Position) -> dict[str, Any]:
    return solver.hint(position).to_json()


def _show(position: Position) -> None:
    found = solver.hint(position)
    print(f"open {found.cell}: {found.sentence}", flush=True)
