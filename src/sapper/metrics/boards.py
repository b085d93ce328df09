"""The 3BV, openings, islands and numbers of a board."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from sapper._util.arguments import whole
from sapper._util.json_reading import reading
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
        hzini: Human ZiNi; None on boards of more than 100,000 cells.
        numbers: Number of clear cells with each number, from 0 to 8 or to the maximum number of
            neighbours, if larger.
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

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Read the JSON form.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        with reading("the metrics of a board"):
            zini, hzini = obj["zini"], obj["hzini"]
            return cls(
                bbbv=whole(obj["bbbv"], "'bbbv'"),
                openings=whole(obj["openings"], "'openings'"),
                islands=whole(obj["islands"], "'islands'"),
                zini=None if zini is None else whole(zini, "'zini'"),
                hzini=None if hzini is None else whole(hzini, "'hzini'"),
                numbers=tuple(whole(count, "a number of cells") for count in obj["numbers"]),
            )


def bbbv(board: Board) -> int:
    """Return `board.bbbv`; deprecated."""
    message = "bbbv(board) is deprecated; use board.bbbv"
    warnings.warn(message, DeprecationWarning, stacklevel=2)
    check_board(board)
    return board.bbbv


def solved(board: Board, position: Position) -> int:
    r"""Return the 3BV solved by the open cells of a position.

    It counts openings whose zeros are all open, and open numbers outside openings.

    >>> board = Board.parse("01*10\n01110")
    >>> solved(board, Position.parse("01...\n01...", mines=1)), board.bbbv
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
    return board.topology.graph.metrics(board.mined).openings


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
        bbbv=board.bbbv,
        openings=openings(board),
        islands=islands(board),
        zini=zini(board) if small else None,
        hzini=hzini(board) if small else None,
        numbers=tuple(
            counts[number] for number in range(max(8, board.topology.most_neighbours) + 1)
        ),
    )
