"""``windows-xp``: dealt before the first click, which moves a mine out of the way."""

from __future__ import annotations

from typing import ClassVar

from sapper.board import Board
from sapper.dealer.fixed import FixedDealer
from sapper.errors import BadSetting
from sapper.generation.uniform import deal
from sapper.position import Position
from sapper.rules import FirstClick, Rules, Settings
from sapper.translation import t

__all__ = ["WindowsDealer"]


class WindowsDealer(FixedDealer):
    """Deals like Minesweeper on Windows XP.

    A mine under the first click moves to the first clear cell, row by row from the top left. The
    first click is therefore safe, and the top left corner holds a mine more often than other cells.
    """

    rules: ClassVar[Rules] = Rules(
        name="windows-xp",
        summary=t("A mine under the first click moves to the first free cell from the top left."),
        first_clicks=(FirstClick.SAFE,),
        reasons="never",
    )

    def __init__(
        self, settings: Settings, position: Position | None = None, board: Board | None = None
    ) -> None:
        super().__init__(settings, position, board)
        # A given board is played unchanged.
        self._moves = self._board is None
        if self._board is None:
            self._lay(deal(settings.level, FirstClick.ANY, 0, settings.seed))

    @classmethod
    def check(cls, settings: Settings) -> None:
        """Reject a board without a free cell to move the mine to."""
        level = settings.level
        if level.mines == level.shape().size or level.density == 1:
            raise BadSetting(
                f"{level} has no free cell for a mine under the first click to move to"
            )

    def _dealt(self, cell: int) -> None:
        if not self._moves or not self._mined[cell]:
            return
        free = self._mined.find(0)
        # With a density instead of a total, every cell may be a mine.
        if free >= 0:
            moved = bytearray(self._mined)
            moved[cell], moved[free] = 0, 1
            self._lay(Board(self.settings.level.shape(), bytes(moved)))
