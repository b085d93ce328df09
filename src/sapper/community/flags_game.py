"""The rules of Flags: two sides take turns to find mines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Self

from sapper.board import Board
from sapper.community.live_board import Changes, LiveBoard
from sapper.errors import BadSetting, IllegalAction
from sapper.position import UNOPENED, Position
from sapper.rules import Level
from sapper.topology import Cell, Topology

__all__ = ["FLAGS_LEVEL", "FlagsGame", "FlagsMove", "bombed", "check_flags_level"]

FLAGS_LEVEL: Final = Level(16, 16, 51)
_REACH: Final = 2
"""A bomb opens this many rows and columns on each side of its cell: 5x5 cells."""
_UNOPENED: Final = ord(UNOPENED)


@dataclass(frozen=True, slots=True)
class FlagsMove:
    """A move.

    Attributes:
        side: The side that moved, 0 or 1.
        cell: The cell.
        bomb: Whether it was the bomb.
        found: Number of mines found.
        at_ms: Time since the start of the game.
    """

    side: int
    cell: Cell
    bomb: bool
    found: int
    at_ms: int = 0

    def to_json(self) -> list[Any]:
        """Return the JSON form: ``[side, row, col, bomb, found, at_ms]``."""
        return [self.side, *self.cell, self.bomb, self.found, self.at_ms]


def check_flags_level(level: Level) -> None:
    """Reject levels that may have no winner: those without a mine total or with an even one.

    Raises:
        BadSetting: With the reason.
    """
    if level.mines is None or level.mines % 2 == 0:
        raise BadSetting(f"Flags needs an odd mine total, so that one side has more; got {level}")


def bombed(shape: Topology, cell: int) -> list[int]:
    """Return the indices of cells that a bomb on a cell opens: 5x5, or fewer at the sides."""
    row, col = divmod(cell, shape.width)
    rows = range(max(0, row - _REACH), min(shape.height, row + _REACH + 1))
    cols = range(max(0, col - _REACH), min(shape.width, col + _REACH + 1))
    return [r * shape.width + c for r in rows for c in cols]


class FlagsGame:
    """A game of Flags between side 0 and side 1.

    Opening a mine finds it, and the side that found it moves again. Any other cell ends the turn.
    The side with more than half of the mines wins.

    Args:
        board: The mines.
        level: The level, with an odd mine total.
        first: The side that begins.

    Attributes:
        turn: The side to move.
        scores: The mines found by each side.
        bombs: Whether each side still has its bomb.
        moves: The moves so far.
        owners: The side that found each mine, by index.
    """

    def __init__(self, board: Board, level: Level, first: int) -> None:
        check_flags_level(level)
        self.turn = self.first = first
        self.scores = [0, 0]
        self.bombs = [True, True]
        self.moves: list[FlagsMove] = []
        self.owners: dict[int, int] = {}
        self._board = board
        self._live = LiveBoard(board, level)

    @property
    def position(self) -> Position:
        """The view of both sides; mines already found are opened mines."""
        return self._live.position

    @property
    def winner(self) -> int | None:
        """The side with more than half of the mines, or None."""
        half = self._board.mines // 2
        return next((side for side in (0, 1) if self.scores[side] > half), None)

    @property
    def can_bomb(self) -> bool:
        """Whether the side to move has its bomb, and is behind."""
        return self.bombs[self.turn] and self.scores[self.turn] < self.scores[1 - self.turn]

    def open(self, cell: int, at_ms: int = 0) -> Changes:
        """Open a cell, by index.

        Raises:
            IllegalAction: If the game is over, or the cell is open.
        """
        self._check()
        if self.position.cells[cell] != _UNOPENED:
            raise IllegalAction(f"{self.position.topology.cell(cell)} is open already")
        changes = self._live.open([cell])
        self._moved(cell, changes, at_ms, bomb=False)
        return changes

    def bomb(self, cell: int, at_ms: int = 0) -> Changes:
        """Open all cells around a cell, which finds all mines there.

        Raises:
            IllegalAction: If the side to move is not behind or has used its bomb, if all these
                cells are open, or if the game is over.
        """
        self._check()
        if not self.can_bomb:
            raise IllegalAction("the bomb is for one use, by the side that is behind")
        changes: Changes = {}
        for one in bombed(self.position.topology, cell):
            changes |= self._live.open([one])
        if not changes:
            raise IllegalAction("all cells around it are open already")
        self.bombs[self.turn] = False
        self._moved(cell, changes, at_ms, bomb=True)
        return changes

    def skip(self) -> None:
        """Pass the turn to the other side, after its time is up."""
        self._check()
        self.turn = 1 - self.turn

    def _check(self) -> None:
        if self.winner is not None:
            raise IllegalAction("the game is over")

    def _moved(self, cell: int, changes: Changes, at_ms: int, *, bomb: bool) -> None:
        found = list(changes.values()).count("*")
        place = self.position.topology.cell(cell)
        self.moves.append(FlagsMove(self.turn, place, bomb, found, at_ms))
        self.scores[self.turn] += found
        self.owners |= {index: self.turn for index, char in changes.items() if char == "*"}
        if not found:
            self.turn = 1 - self.turn

    def board_rows(self) -> list[str]:
        """Return the board; call this only after the end."""
        return self._board.rows

    def to_json(self) -> dict[str, Any]:
        """Return the moves and other data to be saved, without the board."""
        return {
            "first": self.first,
            "turn": self.turn,
            "moves": [move.to_json() for move in self.moves],
        }

    @classmethod
    def from_json(cls, board: Board, level: Level, obj: dict[str, Any]) -> Self:
        """Replay the moves of a saved game."""
        game = cls(board, level, obj["first"])
        for side, row, col, bomb, _, at_ms in obj["moves"]:
            game.turn = side
            index = game.position.topology.index((row, col))
            (game.bomb if bomb else game.open)(index, at_ms)
        game.turn = obj["turn"]
        return game
