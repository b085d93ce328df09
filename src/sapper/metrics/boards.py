"""The 3BV, openings, islands and numbers of a board."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Final

from sapper.board import Board, check_board
from sapper.errors import BadPosition
from sapper.metrics.estimates import MOST_CELLS, hzini, zini
from sapper.metrics.regions import groups, joined
from sapper.position import FLAGGED, Position, check_position

__all__ = ["BoardMetrics", "bbbv", "groups", "islands", "measure", "openings", "solved"]

_OPEN: Final = bytes(ord("0") <= value < ord(FLAGGED) for value in range(256))
"""Translates numbers to 1, and other cells to 0."""


@dataclass(frozen=True, slots=True)
class BoardMetrics:
    """The metrics of a board; see docs/glossary.md.

    Attributes:
        bbbv: 3BV.
        openings: Number of openings.
        islands: Number of islands.
        zini: Greedy ZiNi; None on boards of more than 100,000 cells.
        hzini: Human ZiNi, likewise.
        numbers: Number of clear cells with each number, from 0 to 8, or to the most neighbours if
            larger.
    """

    bbbv: int
    openings: int
    islands: int
    zini: int | None
    hzini: int | None
    numbers: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**asdict(self), "numbers": list(self.numbers)}


def bbbv(board: Board) -> int:
    r"""Return the 3BV of a board: the fewest left clicks that open it, without chords.

    >>> bbbv(Board.parse("00000\n01110\n01*10\n01110\n00000"))
    1
    """
    check_board(board)
    return board.bbbv


def solved(board: Board, position: Position) -> int:
    r"""Return the 3BV solved by the open cells of a position.

    It counts openings whose zeros are all open, and open numbers outside openings.

    >>> board = Board.parse("01*10\n01110")
    >>> solved(board, Position.parse("01...\n01...", mines=1)), bbbv(board)
    (1, 3)

    Raises:
        BadPosition: If the position and the board differ in shape.
    """
    check_board(board)
    check_position(position)
    if position.topology != board.topology:
        raise BadPosition(f"the board is {board.topology}, but the position {position.topology}")
    return board.topology.graph.solved(board.mined, position.cells.translate(_OPEN))


def openings(board: Board) -> int:
    r"""Return the number of openings: groups of connected zeros that one click opens.

    >>> openings(Board.parse("01*10\n01110\n00000"))
    1
    """
    check_board(board)
    return board.topology.graph.metrics(board.mined)[0]


def islands(board: Board) -> int:
    r"""Return the number of islands: groups of connected numbers outside openings.

    >>> islands(Board.parse("1*1"))
    2
    """
    labels, _ = groups(board)
    alone = [not mine and label < 0 for mine, label in zip(board.mined, labels, strict=True)]
    return len(joined(board.topology, alone))


def measure(board: Board) -> BoardMetrics:
    r"""Return the metrics of a board.

    >>> measure(Board.parse("00000\n12321\n1***1\n12321\n00000")).islands
    2
    """
    check_board(board)
    small = board.topology.size <= MOST_CELLS
    counts = Counter(
        number for number, mine in zip(board.numbers, board.mined, strict=True) if not mine
    )
    return BoardMetrics(
        bbbv=bbbv(board),
        openings=openings(board),
        islands=islands(board),
        zini=zini(board) if small else None,
        hzini=hzini(board) if small else None,
        numbers=tuple(
            counts[number] for number in range(max(8, board.topology.most_neighbours) + 1)
        ),
    )
