"""Some board that fits a position too wide to be counted, found by satisfiability."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver as SatSolver

from sapper.board import Board
from sapper.errors import InconsistentPosition, LimitReached
from sapper.position import Position
from sapper.solver.proof import clauses

__all__ = ["find"]

_CONFLICTS = 200_000
"""Conflicts after which a search is given up. No clock: a game must go the same everywhere."""
_MOST_COUNTED = 3_000
"""Cells over which a total is still encoded; the formula grows with their square."""


def find(position: Position, clear: list[int], mined: list[int], seed: int) -> Board:
    """A board that fits, with these cells clear and those mined. Not uniform.

    Raises:
        InconsistentPosition: If none fits.
        LimitReached: If none was found within the budget.
    """
    rng = random.Random(seed)
    cells = position.cells
    constraints = list(_constraints(position))
    inner = sorted({*clear, *mined, *(cell for _, around in constraints for cell in around)})
    fixed = set(inner)
    outer = [i for i, char in enumerate(cells) if char in b".F" and i not in fixed]
    opened_mines = [i for i, char in enumerate(cells) if char == ord("*")]
    least, most = 0, len(inner)
    if position.mines is not None:
        left = position.mines - len(opened_mines)
        least, most = max(0, left - len(outer)), min(most, left)
    with SatSolver(name="minisat22") as sat:
        for mines, around in constraints:
            for clause in clauses(mines, around):
                sat.add_clause(clause)
        for settled, sign in ((clear, -1), (mined, 1)):
            for cell in settled:
                sat.add_clause([sign * (cell + 1)])
        density = 0.5 if position.mines is None else most / max(1, len(inner) + len(outer))
        sat.set_phases([cell + 1 if rng.random() < density else -cell - 1 for cell in inner])
        found = _solve(sat, inner)
        if not least <= len(found) <= most:
            _count(sat, inner, least, most, len(cells))
            found = _solve(sat, inner)
    if position.mines is None:
        found += [cell for cell in outer if rng.random() < 0.5]
    else:
        found += rng.sample(outer, position.mines - len(opened_mines) - len(found))
    board = bytearray(len(cells))
    for cell in (*opened_mines, *found):
        board[cell] = 1
    return Board(position.topology, bytes(board))


def _constraints(position: Position) -> Iterator[tuple[int, list[int]]]:
    """For each number the mines among its unopened neighbours."""
    cells, neighbours = position.cells, position.topology.graph.neighbours
    for i, char in enumerate(cells):
        if char in b"012345678":
            around = neighbours(i)
            unopened = [n for n in around if cells[n] in b".F"]
            mines = char - ord("0") - sum(cells[n] == ord("*") for n in around)
            if unopened or mines:
                yield mines, unopened


def _solve(sat: SatSolver, inner: list[int]) -> list[int]:
    """The mines of a model."""
    sat.conf_budget(_CONFLICTS)
    answer = sat.solve_limited()
    if answer is None:
        raise LimitReached("the position is too wide: no board that fits was found in the budget")
    if not answer:
        raise InconsistentPosition("no board fits the position", "total")
    model = set(sat.get_model())
    return [cell for cell in inner if cell + 1 in model]


def _count(sat: SatSolver, inner: list[int], least: int, most: int, top: int) -> None:
    """Demand so many mines among the cells."""
    if least > most:
        raise InconsistentPosition("no board fits the mine total", "total")
    if len(inner) > _MOST_COUNTED:
        raise LimitReached("the position is too wide for its mine total to be met in the budget")
    literals = [cell + 1 for cell in inner]
    for encode, bound in ((CardEnc.atleast, least), (CardEnc.atmost, most)):
        formula = encode(literals, bound, top_id=top, encoding=EncType.totalizer)
        top = max(top, formula.nv)
        for clause in formula.clauses:
            sat.add_clause(clause)
