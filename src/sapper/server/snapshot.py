"""The state of a game after an action: taken by the job, readable anywhere."""

from __future__ import annotations

from typing import NamedTuple, Self

from sapper.game import Game, Status
from sapper.metrics import bbbv, solved
from sapper.position import Position
from sapper.server import cell_view

__all__ = ["Snapshot"]


class Snapshot(NamedTuple):
    """Everything the event loop sends about a game, so that it never touches one being played.

    Attributes:
        cells: The browser's view, one character per cell.
        position: The player's view.
        status: The status of the game.
        mines_left: The mine total less the flags.
        can_undo: Whether there is an action to undo.
        actions: Number of actions since the start of the game.
        seed: The seed after the end of the game; before, it would reveal the mines.
        bbbv: The 3BV of the board once the game is over.
        solved: The part of it that is open, likewise.
    """

    cells: bytes
    position: Position
    status: Status
    mines_left: int | None
    can_undo: bool
    actions: int
    seed: int | None
    bbbv: int | None
    solved: int | None = None

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return the current state of a game."""
        return cls(
            cells=cell_view.seen(game),
            position=game.position,
            status=game.status,
            mines_left=game.mines_left,
            can_undo=game.can_undo,
            actions=len(game.log),
            seed=game.seed if game.over else None,
            bbbv=bbbv(game.board) if game.over else None,
            solved=solved(game.board, game.position) if game.over else None,
        )

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.status in (Status.WON, Status.LOST)

    @property
    def running(self) -> bool:
        """Whether the game has begun and is not over.

        After an undo the status may be ``ready`` again, but the player has seen cells.
        """
        return not self.over and (self.status is not Status.READY or self.actions > 0)
