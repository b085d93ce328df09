"""The board during a replay: the effect of each click, and the 3BV solved so far."""

from __future__ import annotations

from typing import Final

from sapper.board import Board
from sapper.dealer.base import LivePosition, reveals
from sapper.game.table import Table
from sapper.game.trail import Turn
from sapper.metrics import groups
from sapper.position import FLAGGED, NUMBERS, UNOPENED, Position
from sapper.rules import Chord

__all__ = ["Field"]

_FLAGGED, _ZERO = ord(FLAGGED), ord("0")

_FLAGS: Final = bytes(value == _FLAGGED for value in range(256))
"""Translates a flag to 1 and all other cells to 0."""


class Field(Table):
    """The player's view during a replay, with the 3BV solved so far; cells are indices.

    A chord opens all its cells even if one is a mine.

    Args:
        board: The board.
        origin: Cells that are open or flagged at the start; these openings do not count as solved.
        chord: The flags needed to chord a number.

    Attributes:
        solved: The 3BV solved so far: openings whose zeros are all open, and open numbers outside
            openings.
        exploded: Whether a mine was opened.
    """

    def __init__(
        self, board: Board, origin: Position | None = None, chord: Chord = Chord.EXACT
    ) -> None:
        shape, self._mined = board.topology, board.mined
        if origin is None:
            origin = Position.trusted(shape, UNOPENED.encode() * shape.size, board.mines)
        super().__init__(LivePosition(origin), reveals(board), chord)
        self._opening, self._zeros_left = groups(board)
        self._clear = shape.size - board.mines
        self.solved = 0
        self.exploded = False
        for cell, seen in enumerate(origin.cells):
            if seen == _ZERO:
                self._zeros_left[self._opening[cell]] -= 1

    @property
    def cells(self) -> bytearray:
        """The visible cells, as in a `Position`."""
        return self.seen.cells

    @property
    def flags(self) -> int:
        """Current number of flags."""
        return self.seen.flags

    @property
    def left(self) -> int:
        """Number of clear cells that are not open."""
        return self._clear - self.seen.opened

    @property
    def won(self) -> bool:
        """Whether all clear cells are open and no mines."""
        return not self.left and not self.exploded

    @property
    def flagged_all(self) -> bool:
        """Whether exactly the mines are flagged."""
        return self.cells.translate(_FLAGS) == self._mined and not self.exploded

    def shows_number(self, cell: int) -> bool:
        """Return whether a cell is open and has mines around it."""
        return self.cells[cell] in NUMBERS and self.cells[cell] != _ZERO

    def mined(self, cell: int) -> bool:
        """Return whether a cell is a mine."""
        return self._mined[cell] == 1

    def click(self, cell: int) -> list[Turn]:
        """Open a cell; open and flagged cells are ignored."""
        return self._turns([cell], None)

    def chord(self, cell: int) -> list[Turn]:
        """Open the other neighbours of a number whose flags match it."""
        return self._turns(self.chorded(cell), cell)

    def flaggable(self, cell: int) -> list[int]:
        """Return the unflagged neighbours of a number, if it has as many unopened ones."""
        around = self.seen.topology.graph.neighbours(cell)
        unopened = [near for near in around if self.is_unopened(near)]
        if len(unopened) != self.cells[cell] - _ZERO:
            return []
        return [near for near in unopened if not self.is_flagged(near)]

    def _turns(self, targets: list[int], chord: int | None) -> list[Turn]:
        turns: list[Turn] = []
        for target, shown in self.open(targets):
            self.exploded |= shown.exploded
            for cell, number in shown.numbers.items():
                group = self._opening[cell]
                if number:
                    # Numbers outside openings have no group.
                    self.solved += group < 0
                else:
                    self._zeros_left[group] -= 1
                    self.solved += not self._zeros_left[group]
            numbers = bytes(shown.numbers.values())
            turns.append(Turn(target, tuple(shown.numbers), numbers, shown.exploded, chord))
        return turns
