"""Metrics of a board that do not depend on play."""

from __future__ import annotations

from sapper.board import Board

__all__ = ["bbbv", "openings"]


def bbbv(board: Board) -> int:
    r"""Return the 3BV of a board: the fewest left clicks that open it, without chords.

    >>> bbbv(Board.parse("00000\n01110\n01*10\n01110\n00000"))
    1
    """
    return board.bbbv


def openings(board: Board) -> int:
    r"""Return the number of openings: groups of connected zeros that one click opens.

    >>> openings(Board.parse("01*10\n01110\n00000"))
    1
    """
    return board.topology.graph.metrics(board.mined)[0]
