"""Positions to measure, generated from a seed and the same on every machine.

*Natural*: the player starts on an opening and opens random safe frontier cells until a share of the
board is open. *Scattered*: in addition, a random share of the remaining safe cells is opened, which
makes frontiers wide.

``python benchmarks/positions.py`` prints the fixed suite of `sapper bench`, which the package
stores as a file, so that its signature depends on the solver alone.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable

from sapper import Board, Cell, Position, Topology, sample
from sapper.topology import topology

__all__ = ["dealt", "flooded", "natural", "one_more", "scattered", "sprinkled", "suite"]


def dealt(shape: Topology, mines: int, rng: random.Random) -> Board:
    """Return a uniform board that has at least one zero."""
    while True:
        mined = bytearray(shape.size)
        for index in rng.sample(range(shape.size), mines):
            mined[index] = 1
        board = Board(shape, bytes(mined))
        if any(not n and not mine for n, mine in zip(board.numbers, board.mined, strict=True)):
            return board


class _Opener:
    """Opens cells of a board; a zero also opens its neighbours."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.numbers = board.numbers
        self.cells = bytearray(b"." * board.topology.size)
        self.opened = 0
        # A list to draw from. It may include cells that have been opened since; these are skipped.
        self.frontier: list[int] = []

    def open(self, start: int, track: bool = True) -> None:
        graph = self.board.topology.graph
        stack = [start]
        while stack:
            cell = stack.pop()
            if self.cells[cell] != ord("."):
                continue
            self.cells[cell] = ord("0") + self.numbers[cell]
            self.opened += 1
            around = graph.neighbours(cell)
            if not self.numbers[cell]:
                stack.extend(around)
            elif track:
                self.frontier.extend(
                    n for n in around if self.cells[n] == ord(".") and not self.board.mined[n]
                )

    def position(self, mines: int | None) -> Position:
        return Position(self.board.topology, bytes(self.cells), mines)


def _played(board: Board, share: float, rng: random.Random) -> _Opener:
    zeros = [i for i, n in enumerate(board.numbers) if not n and not board.mined[i]]
    player = _Opener(board)
    player.open(rng.choice(zeros))
    while player.opened < share * board.topology.size and player.frontier:
        at = rng.randrange(len(player.frontier))
        player.frontier[at], player.frontier[-1] = player.frontier[-1], player.frontier[at]
        player.open(player.frontier.pop())
    return player


def natural(
    width: int, height: int, mines: int, seed: int, share: tuple[float, float] = (0.2, 0.7)
) -> Position:
    """Return a natural position; its share of open cells is drawn uniformly between the two."""
    rng = random.Random(f"natural/{width}x{height}:{mines}/{seed}")
    board = dealt(topology("rectangle", width, height), mines, rng)
    return _played(board, rng.uniform(*share), rng).position(mines)


def scattered(width: int, height: int, mines: int, seed: int, part: float) -> Position:
    """Return a natural position with each remaining safe cell opened with probability `part`."""
    rng = random.Random(f"scattered/{width}x{height}:{mines}/{part}/{seed}")
    board = dealt(topology("rectangle", width, height), mines, rng)
    player = _played(board, rng.uniform(0.2, 0.7), rng)
    _sprinkle(player, part, rng)
    return player.position(mines)


def one_more(position: Position, safe: frozenset[Cell], rng: random.Random) -> Position:
    """Return the position with one more cell opened on a fitting board, a safe one if possible."""
    [board] = sample(position, n=1, seed=rng.getrandbits(32))
    clear = sorted(safe) or [c for c in position.unopened_cells() if not board.is_mine(c)]
    player = _Opener(board)
    player.cells = bytearray(position.cells)
    player.open(position.topology.index(rng.choice(clear)), track=False)
    return player.position(position.mines)


def sprinkled(width: int, height: int, mines: int, seed: int, part: float = 0.5) -> Position:
    """Open each safe cell of an untouched board with probability `part`; zeros do not flood.

    The mine total is known.
    """
    rng = random.Random(f"sprinkled/{width}x{height}:{mines}/{part}/{seed}")
    board = dealt(topology("rectangle", width, height), mines, rng)
    cells = bytes(
        ord("0") + number if not mine and rng.random() < part else ord(".")
        for number, mine in zip(board.numbers, board.mined, strict=True)
    )
    return Position(board.topology, cells, mines)


def flooded(width: int, height: int, mines: int, seed: int, share: float = 0.5) -> Position:
    """Open random whole openings until a share of all cells is open.

    When no opening is left, safe frontier cells follow, as in natural play.
    """
    rng = random.Random(f"flooded/{width}x{height}:{mines}/{seed}")
    board = dealt(topology("rectangle", width, height), mines, rng)
    zeros = [i for i, n in enumerate(board.numbers) if not n and not board.mined[i]]
    rng.shuffle(zeros)
    player = _Opener(board)
    target = share * board.topology.size
    for zero in zeros:
        if player.opened >= target:
            break
        player.open(zero)
    while player.opened < target and player.frontier:
        at = rng.randrange(len(player.frontier))
        player.frontier[at], player.frontier[-1] = player.frontier[-1], player.frontier[at]
        player.open(player.frontier.pop())
    return player.position(mines)


def _sprinkle(player: _Opener, part: float, rng: random.Random) -> None:
    clear: Iterable[int] = (i for i, mine in enumerate(player.board.mined) if not mine)
    for cell in clear:
        if player.cells[cell] == ord(".") and rng.random() < part:
            player.open(cell, track=False)


def suite() -> list[Position]:
    """Return the positions of `sapper bench`: mostly common boards, some with wide frontiers."""
    return [
        *(natural(30, 16, 99, seed) for seed in range(60)),
        *(natural(16, 16, 40, seed) for seed in range(30)),
        *(natural(9, 9, 10, seed) for seed in range(20)),
        *(natural(30, 30, 190, seed) for seed in range(6)),
        *(scattered(30, 30, 190, seed, 0.15) for seed in range(4)),
    ]


if __name__ == "__main__":
    for position in suite():
        print(json.dumps(position.to_json(), separators=(",", ":")))
