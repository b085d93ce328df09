"""The board during a replay: the effect of each click, and the 3BV solved so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sapper.board import Board
from sapper.game.trail import Turn
from sapper.metrics import groups
from sapper.position import EXPLODED, FLAGGED, UNOPENED, Position
from sapper.rules import Chord

__all__ = ["Field"]

_UNOPENED, _FLAGGED, _EXPLODED, _ZERO = ord(UNOPENED), ord(FLAGGED), ord(EXPLODED), ord("0")

_FLAGS: Final = bytes(value == _FLAGGED for value in range(256))
"""Translates a flag to 1 and all other cells to 0."""


class Field:
    """The player's view during a replay; cells are indices.

    A flag stops an opening from spreading. A chord opens all its cells even if one is a mine.

    Args:
        board: The board.
        origin: Cells that are open or flagged at the start; these openings do not count as solved.
        chord: The flags needed to chord a number.

    Attributes:
        cells: The visible cells, as in a `Position`.
        questions: Cells with a question mark; in `cells` they are unopened.
        flags: Current number of flags.
        solved: The 3BV solved so far: openings whose zeros are all open, and open numbers outside
            openings.
        left: Number of clear cells that are not open.
        exploded: Whether a mine was opened.
    """

    def __init__(
        self, board: Board, origin: Position | None = None, chord: Chord = Chord.EXACT
    ) -> None:
        shape = board.topology
        self._around = shape.graph.neighbours
        self._mined = board.mined
        self._numbers = board.numbers
        self._opening, self._zeros_left = groups(board)
        self.cells = bytearray(UNOPENED.encode() * shape.size)
        self.questions: set[int] = set()
        self.flags = 0
        self.solved = 0
        self.left = shape.size - board.mines
        self.exploded = False
        self._more_flags = chord is Chord.AT_LEAST
        if origin is not None:
            self._begin(origin.cells)

    def _begin(self, cells: bytes) -> None:
        self.cells[:] = cells
        self.flags = cells.count(_FLAGGED)
        for cell, seen in enumerate(cells):
            if seen in (_UNOPENED, _FLAGGED):
                continue
            self.left -= 1
            if seen == _ZERO:
                self._zeros_left[self._opening[cell]] -= 1

    @property
    def won(self) -> bool:
        """Whether all clear cells are open and no mines."""
        return not self.left and not self.exploded

    @property
    def flagged_all(self) -> bool:
        """Whether exactly the mines are flagged."""
        flags = self.cells.translate(_FLAGS)
        return flags == self._mined and not self.exploded

    def is_unopened(self, cell: int) -> bool:
        """Return whether a cell is unopened, flagged or not."""
        return self.cells[cell] in (_UNOPENED, _FLAGGED)

    def shows_number(self, cell: int) -> bool:
        """Return whether a cell is open and has mines around it."""
        return self.cells[cell] - _ZERO in range(1, len(self._around(cell)) + 1)

    def flagged(self, cell: int) -> bool:
        """Return whether a cell has a flag."""
        return self.cells[cell] == _FLAGGED

    def mined(self, cell: int) -> bool:
        """Return whether a cell is a mine."""
        return self._mined[cell] == 1

    def open(self, cell: int) -> list[Turn]:
        """Open a cell; open and flagged cells are ignored."""
        return self._open([cell], None)

    def chord(self, cell: int) -> list[Turn]:
        """Open the other neighbours of a number whose flags match it."""
        number, around = self.cells[cell] - _ZERO, self._around(cell)
        if not 0 <= number <= len(around):
            return []
        flags = sum(self.cells[near] == _FLAGGED for near in around)
        if flags < number or (flags > number and not self._more_flags):
            return []
        return self._open(around, cell)

    def flaggable(self, cell: int) -> list[int]:
        """Return the unflagged neighbours of a number, if it has as many unopened ones."""
        unopened = [near for near in self._around(cell) if self.is_unopened(near)]
        if len(unopened) != self.cells[cell] - _ZERO:
            return []
        return [near for near in unopened if not self.flagged(near)]

    def toggle_flag(self, cell: int) -> bool:
        """Set or remove a flag; return whether the cell is unopened."""
        if self.cells[cell] == _UNOPENED:
            self.cells[cell] = _FLAGGED
            self.questions.discard(cell)
            self.flags += 1
        elif self.cells[cell] == _FLAGGED:
            self.cells[cell] = _UNOPENED
            self.flags -= 1
        else:
            return False
        return True

    def toggle_question(self, cell: int) -> bool:
        """Set or remove a question mark; return whether the cell is unopened."""
        if not self.is_unopened(cell):
            return False
        if self.cells[cell] == _FLAGGED:
            self.toggle_flag(cell)
        self.questions ^= {cell}
        return True

    def _open(self, targets: Iterable[int], chord: int | None) -> list[Turn]:
        turns: list[Turn] = []
        cells, around = self.cells, self._around
        for target in targets:
            # The opening of an earlier target may have opened this cell.
            if cells[target] != _UNOPENED:
                continue
            if self._mined[target]:
                cells[target] = _EXPLODED
                self.exploded = True
                turns.append(Turn(target, (), b"", True, chord))
                continue
            opened: list[int] = []
            ready = [target]
            while ready:
                cell = ready.pop()
                if cells[cell] != _UNOPENED:
                    continue
                number = self._numbers[cell]
                cells[cell] = _ZERO + number
                opened.append(cell)
                group = self._opening[cell]
                if number:
                    # Numbers outside openings have no group.
                    self.solved += group < 0
                    continue
                self._zeros_left[group] -= 1
                self.solved += not self._zeros_left[group]
                ready += around(cell)
            self.left -= len(opened)
            self.questions.difference_update(opened)
            numbers = bytes(self._numbers[cell] for cell in opened)
            turns.append(Turn(target, tuple(opened), numbers, False, chord))
        return turns
