"""The rules of clicks: the cells that a click or a chord opens, flags and question marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sapper.dealer import LivePosition, Reveal
from sapper.position import EXPLODED, FLAGGED, UNOPENED
from sapper.rules import Chord

__all__ = ["Table"]

_UNOPENED, _FLAGGED, _EXPLODED, _ZERO = ord(UNOPENED), ord(FLAGGED), ord(EXPLODED), ord("0")


class Table:
    """The visible cells of a game, and the effect of clicks on them; cells are indices.

    Games, replays, and boards for several people use the same rules, but handle opened mines
    themselves: a game ends, and the others may continue.

    Args:
        seen: The player's view, which clicks change.
        reveal: Returns what opening an unopened, unflagged cell of the view shows.
        chord: The flags needed to chord a number.

    Attributes:
        seen: The player's view.
        questions: Cells with a question mark; in the view they are unopened.
    """

    def __init__(
        self,
        seen: LivePosition,
        reveal: Callable[[LivePosition, int], Reveal],
        chord: Chord = Chord.EXACT,
    ) -> None:
        self.seen = seen
        self.questions: set[int] = set()
        self._reveal = reveal
        self._more_flags = chord is Chord.AT_LEAST

    def open(self, targets: Iterable[int]) -> Iterator[tuple[int, Reveal]]:
        """Open cells in order; yield each cell that opened, with what it showed.

        Cells that are open or flagged are skipped. After a mine, the caller may stop.
        """
        seen = self.seen
        for target in targets:
            # The target may already be open, as part of an earlier target's opening.
            if seen.cells[target] != _UNOPENED:
                continue
            reveal = self._reveal(seen, target)
            if reveal.exploded:
                seen.cells[target] = _EXPLODED
                self.questions.discard(target)
            else:
                for index, number in reveal.numbers.items():
                    seen.cells[index] = _ZERO + number
                seen.opened += len(reveal.numbers)
                if self.questions:
                    self.questions.difference_update(reveal.numbers)
            seen.changed()
            yield target, reveal

    def chorded(self, cell: int) -> list[int]:
        """Return the cells that a chord on a cell opens, if it is a number whose flags match it.

        An opened mine counts as a flag.
        """
        cells, around = self.seen.cells, self.seen.topology.graph.neighbours(cell)
        number = cells[cell] - _ZERO
        if not 0 <= number <= len(around):
            return []
        near = [cells[index] for index in around]
        marked = near.count(_FLAGGED) + near.count(_EXPLODED)
        if marked < number or (marked > number and not self._more_flags):
            return []
        return [index for index in around if cells[index] == _UNOPENED]

    def is_unopened(self, cell: int) -> bool:
        """Return whether a cell is unopened, flagged or not."""
        return self.seen.cells[cell] in (_UNOPENED, _FLAGGED)

    def is_flagged(self, cell: int) -> bool:
        """Return whether a cell has a flag."""
        return self.seen.cells[cell] == _FLAGGED

    def toggle_flag(self, cell: int) -> bool:
        """Flag a cell, replacing a question mark, or unflag it; return whether it is unopened."""
        if not self.is_unopened(cell):
            return False
        sets = self.seen.cells[cell] == _UNOPENED
        self.seen.cells[cell] = _FLAGGED if sets else _UNOPENED
        self.seen.flags += 1 if sets else -1
        self.questions.discard(cell)
        self.seen.changed()
        return True

    def toggle_question(self, cell: int) -> bool:
        """Question a cell, replacing a flag, or remove the mark; return whether it is unopened."""
        if not self.is_unopened(cell):
            return False
        if self.is_flagged(cell):
            self.toggle_flag(cell)
        self.questions ^= {cell}
        return True

    def flag_mines(self, mined: bytes) -> list[int]:
        """Flag every unopened mine, as Minesweeper programs do after a win; return these cells.

        Args:
            mined: 1 for each mine and 0 for each other cell.
        """
        seen, flagged = self.seen, list[int]()
        mine = mined.find(1)
        while mine >= 0:
            if seen.cells[mine] == _UNOPENED:
                seen.cells[mine] = _FLAGGED
                flagged.append(mine)
            mine = mined.find(1, mine + 1)
        seen.flags += len(flagged)
        seen.changed()
        self.questions.difference_update(flagged)
        return flagged
