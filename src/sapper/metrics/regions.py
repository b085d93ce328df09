"""Find connected parts of a board, such as openings."""

from __future__ import annotations

from collections.abc import Sequence

from sapper.board import Board, check_board
from sapper.topology import Topology

__all__ = ["groups", "joined"]


def joined(shape: Topology, wanted: Sequence[bool]) -> list[list[int]]:
    """Return the connected parts of the wanted cells, as indices."""
    around = shape.graph.neighbours
    left = bytearray(wanted)
    parts: list[list[int]] = []
    for start in range(shape.size):
        if not left[start]:
            continue
        left[start] = 0
        part = [start]
        for cell in part:
            for near in around(cell):
                if left[near]:
                    left[near] = 0
                    part.append(near)
        parts.append(part)
    return parts


def groups(board: Board) -> tuple[list[int], list[int]]:
    """Return the opening of each cell, and the number of zeros of each opening.

    Cells in no opening have -1. A number in several openings is assigned to one of them.
    """
    check_board(board)
    shape = board.topology
    around = shape.graph.neighbours
    zero = [
        not number and not mine for number, mine in zip(board.numbers, board.mined, strict=True)
    ]
    labels = [-1] * shape.size
    parts = joined(shape, zero)
    for label, part in enumerate(parts):
        for cell in part:
            labels[cell] = label
            for near in around(cell):
                labels[near] = label
    return labels, [len(part) for part in parts]
