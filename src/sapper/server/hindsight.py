"""Looking back on a game from another thread, while it goes on."""

from __future__ import annotations

from typing import cast

from sapper.board import Board
from sapper.errors import IllegalAction
from sapper.game import Game, Status
from sapper.game.review import Guesses, PostMortem, Reviewer
from sapper.game.round import Round, Turn
from sapper.solver import Analysis

__all__ = ["Hindsight"]


class Hindsight:
    """The guess account and the post-mortem of a game, as it was when last taken in.

    `Game.guesses` reads the game while it counts, so it cannot be asked in one thread while the
    game is played in another. This looks at what was noted instead, which stays as it is.

    Args:
        game: The game; `note` and this are to be called in the thread that plays it.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._still = _Still(game._round)
        self._reviewer = Reviewer(game.settings, cast(Round, self._still))

    def note(self) -> None:
        """Take in what has happened since the last time."""
        lost = self._game.status is Status.LOST
        self._still.note(self._game.board if lost else None)

    def guesses(self) -> Guesses:
        """The guess account up to what was noted."""
        return self._reviewer.guesses()

    def post_mortem(self) -> PostMortem:
        """Why the game that was noted was lost."""
        return self._reviewer.post_mortem()


class _Still:
    """A round as it was at some moment, as far as a reviewer looks at it."""

    def __init__(self, round_: Round) -> None:
        self._round = round_
        self._board: Board | None = None
        self.origin, self.given = round_.origin, round_.given
        self.trail: list[Turn] = []

    def note(self, board: Board | None) -> None:
        self.trail += self._round.trail[len(self.trail) :]
        self._board = board

    def final_board(self) -> Board:
        if self._board is None:
            raise IllegalAction("the game was not lost")
        return self._board

    def why(self, known: Analysis, cell: int) -> str:
        # Reads only what never changes: the settings.
        return self._round.why(known, cell)
