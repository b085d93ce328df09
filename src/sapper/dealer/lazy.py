"""Base of dealers without a layout: a click deals a board, reveals part of it and discards it."""

from __future__ import annotations

from abc import abstractmethod

from sapper.board import Board
from sapper.dealer.base import Dealer, LivePosition, Reveal, reveals
from sapper.dealer.oracle import Oracle, check_density
from sapper.errors import BadSetting
from sapper.generation.uniform import kept_clear, most_kept
from sapper.position import Position
from sapper.rules import Settings
from sapper.solver import Analysis

__all__ = ["LazyDealer"]


class LazyDealer(Dealer):
    """Judges a click from the position alone, then deals from all boards that fit.

    The boards are equally likely, or weighted by the density of the game. Only the board shown
    after a loss is kept. Draws use the substream ``NAME/digest``, where NAME is the rule set and
    the digest that of the position without flags and the clicked cell; see `Oracle`.
    """

    def __init__(
        self, settings: Settings, position: Position | None = None, board: Board | None = None
    ) -> None:
        super().__init__(settings, position, board)
        self._oracle = Oracle(settings.seed, self.rules.name)
        self._lost_on: Board | None = None
        if position is not None:
            self._oracle.analyze(position)

    @classmethod
    def check(cls, settings: Settings) -> None:
        """Reject settings under which the first click cannot keep its promise."""
        check_density(settings)
        level, first_click = settings.level, settings.first_click
        shape = level.shape()
        kept = max(1, most_kept(shape, first_click))
        if level.mines is not None and level.mines > shape.size - kept:
            raise BadSetting(
                f"rules {settings.rules} with first click {first_click} keep up to {kept} cells of "
                f"{level} clear: mines must be at most {shape.size - kept}, "
                f"got {level.mines}"
            )

    @abstractmethod
    def opens(self, analysis: Analysis, cell: int) -> bool:
        """Return whether a click on an unopened cell, by index, opens it; otherwise it is a mine.

        The result is never True for a proved mine or False for a proved safe cell.
        """

    def open(self, seen: LivePosition, cell: int) -> Reveal:
        """Judge the click, and deal a board that fits the verdict."""
        position = seen.position
        mine = not self.opens(self._oracle.analyze(position), cell)
        clear: list[int] = []
        if not seen.opened and not mine:
            clear = kept_clear(seen.topology, self.settings.first_click, cell)[1:]
        board, mine = self._oracle.deal(position, cell, mine=mine, clear=clear)
        if mine:
            self._lost_on = board
            return Reveal({}, exploded=True)
        return reveals(board)(seen, cell)

    def is_cleared(self, seen: LivePosition) -> bool:
        """Return whether every unopened cell is a mine."""
        unopened = seen.topology.size - seen.opened
        if seen.mines is not None:
            return unopened == seen.mines
        return len(self._oracle.analyze(seen.position).mined) == unopened

    def is_flagged(self, seen: LivePosition) -> bool:
        """Return whether all flags are on proved mines and no other mine is left."""
        if seen.mines is not None and seen.flags != seen.mines:
            return False
        position = seen.position
        known = self._oracle.analyze(position)
        flagged = seen.topology.cells_at(i for i, char in enumerate(seen.cells) if char == _FLAGGED)
        unopened = seen.topology.size - seen.opened
        return flagged == known.mined and len(known.mined) + len(known.safe) == unopened

    def final_board(self, seen: LivePosition) -> Board:
        """Return the board that the last click revealed; after a win, the only one that fits."""
        if _EXPLODED in seen.cells:
            assert self._lost_on is not None
            return self._lost_on
        if seen.topology.size - seen.opened == seen.mines:
            mines = seen.position.unopened_cells()
        else:
            mines = sorted(self._oracle.analyze(seen.position).mined)
        return Board.from_mines(seen.topology, mines)

    def snapshot(self) -> None:
        """Return None: everything follows from the position, and a loss deals its own board."""

    def restore(self, snapshot: None) -> None:
        """Do nothing: there is no state to restore."""


_FLAGGED, _EXPLODED = ord("F"), ord("*")
