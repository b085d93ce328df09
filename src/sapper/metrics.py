"""What can be measured of a board before anyone plays it."""

from __future__ import annotations

from sapper.board import Board

__all__ = ["bbbv", "openings"]


def bbbv(board: Board) -> int:
    r"""The 3BV of a board: the fewest left clicks that open it, without chords.

    >>> bbbv(Board.parse("00000\n01110\n01*10\n01110\n00000"))
    1
    """
    return board.bbbv


def openings(board: Board) -> int:
    r"""How many groups of joined zeros a board has; one click opens each.

    >>> openings(Board.parse("01*10\n01110\n00000"))
    1
    """
    return board.topology.graph.metrics(board.mined)[0]
