"""Find a board that fits a position too wide to count, with a satisfiability solver."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sapper.board import Board
from sapper.errors import InconsistentPosition, LimitReached
from sapper.position import NUMBERS, Position
from sapper.solver.sat import Formula

__all__ = ["find"]

_CONFLICTS = 200_000
"""The most conflicts of a search. No time limit: games must be the same everywhere."""
_MOST_COUNTED = 3_000
"""The most cells for which a total is encoded; the formula grows with their square."""


def find(position: Position, clear: list[int], mined: list[int], seed: int) -> Board:
    """Return a board that fits, with some cells clear and others mined. Not uniform.

    Raises:
        InconsistentPosition: If no board fits.
        LimitReached: If no board was found within the budget.
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
    with Formula() as formula:
        literals = formula.variables(inner)
        for mines, around in constraints:
            formula.exactly(mines, formula.variables(around))
        for settled, sign in ((clear, -1), (mined, 1)):
            formula.add(*([sign * formula.variable(cell)] for cell in settled))
        chance = 0.5 if position.density is None else position.density
        density = chance if position.mines is None else most / max(1, len(inner) + len(outer))
        formula.prefer([v if rng.random() < density else -v for v in literals])
        found = _solve(formula)
        if not least <= len(found) <= most:
            _count(formula, literals, least, most)
            found = _solve(formula)
    if position.mines is None:
        found += [cell for cell in outer if rng.random() < chance]
    else:
        found += rng.sample(outer, position.mines - len(opened_mines) - len(found))
    board = bytearray(len(cells))
    for cell in (*opened_mines, *found):
        board[cell] = 1
    return Board(position.topology, bytes(board))


def _constraints(position: Position) -> Iterator[tuple[int, list[int]]]:
    """Return, for each number, how many of its unopened neighbours are mines."""
    cells, neighbours = position.cells, position.topology.graph.neighbours
    for i, char in enumerate(cells):
        if char in NUMBERS:
            around = neighbours(i)
            unopened = [n for n in around if cells[n] in b".F"]
            mines = char - ord("0") - sum(cells[n] == ord("*") for n in around)
            if unopened or mines:
                yield mines, unopened


def _solve(formula: Formula) -> list[int]:
    """The mines of an arrangement, in row order."""
    answer = formula.ask(conflicts=_CONFLICTS)
    if answer is None:
        raise LimitReached(
            "the position is too wide: no board that fits was found within the budget"
        )
    if not answer:
        raise InconsistentPosition("no board fits the position", "total")
    return list(formula.mined())


def _count(formula: Formula, literals: list[int], least: int, most: int) -> None:
    """Require this number of mines among the cells."""
    if least > most:
        raise InconsistentPosition("no board fits the mine total", "total")
    if len(literals) > _MOST_COUNTED:
        raise LimitReached(
            "the position is too wide: no board with its mine total was found within the budget"
        )
    clear = [-literal for literal in literals]
    for side, bound in ((clear, len(literals) - least), (literals, most)):
        if bound > 0:
            formula.at_most(side, bound)
        else:
            formula.add(*([-literal] for literal in side))
