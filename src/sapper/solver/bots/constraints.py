"""The numbers of a position, and the memory of a game, shared by several bots."""

from __future__ import annotations

from collections.abc import Iterable, Set

from sapper.position import FLAGGED, NUMBERS, UNOPENED, Position
from sapper.solver.bots.base import around

__all__ = ["Constraint", "Known", "constraints", "mines_left", "unopened"]

_COVERED = (ord(UNOPENED), ord(FLAGGED))
_ZERO = NUMBERS[0]

Constraint = tuple[frozenset[int], int]
"""Some cells, by index, and how many of them hold mines."""


def unopened(position: Position) -> list[int]:
    """Return the unopened cells by index, in row order; flags are ignored."""
    return [cell for cell, char in enumerate(position.cells) if char in _COVERED]


def mines_left(position: Position, mined: Set[int]) -> int | None:
    """Return the number of mines neither known nor opened; None if the total is unknown."""
    if position.mines is None:
        return None
    return position.mines - len(mined) - position.cells.count(b"*")


def constraints(
    position: Position, mined: Set[int], safe: Set[int] = frozenset()
) -> list[Constraint]:
    """Return, for each number in row order, its unknown neighbours and their remaining mines.

    Numbers without unknown neighbours are left out. Opened mines count as known.
    """
    cells, neighbours, found = position.cells, around(position.topology), []
    for cell, char in enumerate(cells):
        # A zero has unopened neighbours if flags stopped its flood fill.
        if char not in NUMBERS:
            continue
        unknown, mines = [], char - _ZERO
        for near in neighbours[cell]:
            seen = cells[near]
            if seen in _COVERED:
                if near in mined:
                    mines -= 1
                elif near not in safe:
                    unknown.append(near)
            elif seen < _ZERO:
                # An opened mine.
                mines -= 1
        if unknown:
            found.append((frozenset(unknown), mines))
    return found


class Known:
    """The cells that a bot has proved safe, or mined, during a game.

    Proofs stay valid in every later position of the same game, because it shows the same numbers
    and more. Any other position starts a new game, so `choose` accepts positions in any order.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._last: Position | None = None
        self._cells: set[int] = set()

    def at(self, position: Position) -> set[int]:
        """Return the known unopened cells of a position."""
        if self._last is None or not _continues(position, self._last):
            self._cells = set()
        self._last = position
        self._cells = {cell for cell in self._cells if position.cells[cell] in _COVERED}
        return self._cells

    def add(self, cells: Iterable[int]) -> None:
        """Add proved cells of the last position."""
        self._cells.update(cells)


def _continues(later: Position, earlier: Position) -> bool:
    if later.topology != earlier.topology or (later.mines, later.density) != (
        earlier.mines,
        earlier.density,
    ):
        return False
    pairs = zip(earlier.cells, later.cells, strict=True)
    changed = {old for old, new in pairs if old != new}
    return all(old in _COVERED for old in changed)
