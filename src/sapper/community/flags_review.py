"""The review of a game of Flags: the chance of each move, and the mines it gave away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sapper.board import Board
from sapper.community.flags_advice import advise_flags
from sapper.community.flags_game import FlagsGame, FlagsMove
from sapper.rules import Level
from sapper.topology import Cell

__all__ = ["FlagsDecision", "review_flags"]


@dataclass(frozen=True, slots=True)
class FlagsDecision:
    """One move of a review.

    Attributes:
        move: The move.
        expected: The mean number of mines that it finds: for a cell, the chance of a mine there.
        best: The best cell for a move of the same kind.
        best_expected: The mean number of mines there.
        gift: After a move that found nothing, the number of proved mines that the other side can
            find next; otherwise 0.
    """

    move: FlagsMove
    expected: float
    best: Cell
    best_expected: float
    gift: int

    @property
    def lost(self) -> float:
        """The mean number of additional mines that the best move of this kind would have found."""
        return max(0.0, self.best_expected - self.expected)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "move": self.move.to_json(),
            "expected": self.expected,
            "best": list(self.best),
            "best_expected": self.best_expected,
            "lost": self.lost,
            "gift": self.gift,
        }


def review_flags(board: Board, level: Level, moves: Iterable[FlagsMove]) -> list[FlagsDecision]:
    """Return the review of a finished game; it takes about two milliseconds per move.

    Raises:
        IllegalAction: If the moves break the rules.
    """
    game, decisions = FlagsGame(board, level, 0), list[FlagsDecision]()
    for move in moves:
        advice, cell = advise_flags(game.position), board.topology.index(move.cell)
        # A turn may also have passed to the other side because its time was up.
        game.turn = move.side
        if move.bomb:
            best = advice.best_bomb()
            expected, best_expected = advice.expected(move.cell), advice.expected(best)
            game.bomb(cell)
        else:
            best, best_expected = advice.best, advice.chance
            expected = float(advice.p_mine[move.cell])
            game.open(cell)
        over = game.winner is not None or move.found
        gift = 0 if over else advise_flags(game.position).proved
        decisions.append(FlagsDecision(move, expected, best, best_expected, gift))
    return decisions
