"""``classic``: the board is dealt at the first click and never changes."""

from __future__ import annotations

from typing import ClassVar

from sapper._util.cancel_flag import cancel_flag
from sapper.board import Board
from sapper.dealer.base import Dealer, LivePosition, Reveal, reveals
from sapper.errors import BadSetting
from sapper.generation.uniform import deal, most_kept
from sapper.position import FLAGGED, Position
from sapper.rules import Rules, Settings
from sapper.solver import Limit, sample
from sapper.translation import t

__all__ = ["ClassicDealer", "FixedDealer"]

_FLAGGED = ord(FLAGGED)


class FixedDealer(Dealer):
    """Base class of dealers whose board never changes once dealt."""

    def __init__(
        self, settings: Settings, position: Position | None = None, board: Board | None = None
    ) -> None:
        super().__init__(settings)
        if position is not None:
            board = _fitting(position, settings) if board is None else board
            _check_fit(position, board)
        self._board: Board | None = None
        if board is not None:
            self._lay(board)

    def _lay(self, board: Board) -> None:
        self._board = board
        self._mined, self._reveal = board.mined, reveals(board)
        self._mines = board.mines
        self._clear = len(board.mined) - self._mines

    def _dealt(self, cell: int) -> None:
        """Deal the board for a click on `cell`, if there is none."""

    def open(self, seen: LivePosition, cell: int) -> Reveal:
        """Open a cell; the first one may deal the board."""
        if not seen.opened:
            self._dealt(cell)
        return self._reveal(seen, cell)

    def is_cleared(self, seen: LivePosition) -> bool:
        """Return whether every clear cell is open."""
        return self._board is not None and seen.opened == self._clear

    def is_flagged(self, seen: LivePosition) -> bool:
        """Return whether exactly the mines are flagged."""
        if self._board is None or seen.flags != self._mines:
            return False
        flagged = seen.cells.find(_FLAGGED)
        while flagged >= 0:
            if not self._mined[flagged]:
                return False
            flagged = seen.cells.find(_FLAGGED, flagged + 1)
        return True

    def final_board(self, seen: LivePosition) -> Board:
        """Return where the mines are."""
        assert self._board is not None
        return self._board

    def kept_board(self) -> Board | None:
        """The board, once dealt."""
        return self._board

    def snapshot(self) -> Board | None:
        """Return the board, which is the entire state."""
        return self._board

    def restore(self, snapshot: Board | None) -> None:
        """Restore this board, or none."""
        if snapshot is not self._board:
            self._board = None
            if snapshot is not None:
                self._lay(snapshot)


class ClassicDealer(FixedDealer):
    """Deals at the first click, uniformly among the boards that keep the promise."""

    rules: ClassVar[Rules] = Rules(
        name="classic",
        summary=t("Mines never move; the board is dealt at the first click."),
        reasons="never",
    )

    @classmethod
    def check(cls, settings: Settings) -> None:
        """Reject too many mines for the first-click promise."""
        level, first_click = settings.level, settings.first_click
        shape = level.shape()
        kept = most_kept(shape, first_click)
        if level.mines is not None and level.mines > shape.size - kept:
            raise BadSetting(
                f"first click {first_click} keeps up to {kept} cells of {level} clear: "
                f"mines must be at most {shape.size - kept}, got {level.mines}"
            )

    def _dealt(self, cell: int) -> None:
        if self._board is None:
            self._lay(
                deal(self.settings.level, self.settings.first_click, cell, self.settings.seed)
            )


def _check_fit(position: Position, board: Board) -> None:
    """Reject a board whose numbers differ from the position."""
    numbers = board.numbers
    for cell, char in enumerate(position.cells):
        if char not in b".F" and (board.mined[cell] or numbers[cell] != char - ord("0")):
            raise BadSetting(f"the board does not fit the number on {board.topology.cell(cell)}")


def _fitting(position: Position, settings: Settings) -> Board:
    """Draw a board from those that fit the position, according to their probabilities."""
    # With neither a total nor a density, all arrangements are equally likely, which corresponds to
    # a density of 1/2.
    density = 0.5 if position.density is None else position.density
    if settings.level.density not in (None, density):
        raise BadSetting(
            f"a position of density {density} needs a level of the same density, "
            f"got {settings.level.density}"
        )
    [board] = sample(position, n=1, seed=settings.seed, limit=Limit(cancel=cancel_flag()))
    return board
