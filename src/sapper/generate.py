"""Boards dealt at random, uniformly among those that keep what the first click promises."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper import _core
from sapper.board import Board
from sapper.errors import BadSetting
from sapper.metrics import bbbv
from sapper.rules import Level, Start
from sapper.topology import Cell, Topology

__all__ = ["Generated", "check_seed", "deal", "generate", "kept_clear", "new_seed", "substream"]

_SEEDS = 2**64


def new_seed() -> int:
    """A fresh seed from the system, below 2**53 so that JavaScript reads it exactly."""
    return secrets.randbits(53)


def check_seed(seed: object) -> int:
    """The seed itself, if it is a whole number from 0 to 2**64 - 1.

    Raises:
        BadSetting: If not.
    """
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < _SEEDS:
        raise BadSetting(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r:.40}")
    return seed


def substream(seed: int, purpose: str, number: int = 0) -> int:
    """A seed for one purpose, made from a game's seed; unrelated for other purposes.

    It is the first 8 bytes, little-endian, of the BLAKE2b hash (8-byte digest) of the ASCII
    text ``"SEED/PURPOSE/NUMBER"``. This never changes, so that a seed names one game for ever.

    >>> substream(7, "deal") == substream(7, "deal") != substream(8, "deal")
    True
    """
    text = f"{seed}/{purpose}/{number}".encode("ascii")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def kept_clear(shape: Topology, start: Start, first: int) -> list[int]:
    """The cells that a start keeps free of mines when `first`, an index, is clicked first."""
    if start is Start.ANY:
        return []
    if start is Start.SAFE:
        return [first]
    return [first, *shape.graph.neighbours(first)]


def deal(level: Level, start: Start, first: int, seed: int) -> Board:
    """A board for a first click on `first`, an index: what a ``classic`` game deals.

    Raises:
        BadSetting: If the mines do not fit beside the cells kept clear.
    """
    shape = level.shape()
    clear = kept_clear(shape, start, first)
    if level.mines is None:
        assert level.density is not None
        mined = _core.independent_mines(shape.size, level.density, clear, substream(seed, "deal"))
        return Board(shape, mined)
    if level.mines > shape.size - len(clear):
        raise BadSetting(
            f"a {start} start on {shape.cell(first)} keeps {len(clear)} cells clear: "
            f"{level.mines} mines do not fit on the other {shape.size - len(clear)}"
        )
    mined = _core.uniform_mines(shape.size, level.mines, clear, substream(seed, "deal"))
    return Board(shape, mined)


@dataclass(frozen=True, slots=True)
class Generated:
    """A dealt board, and how to get it again.

    Attributes:
        board: Where the mines are.
        start: The cell for the first click.
        seed: Gives this board again, with the same level, promise and first cell.
        no_guess: Whether logic alone solves it from its start.
    """

    board: Board
    start: Cell
    seed: int
    no_guess: bool = False

    def to_json(self) -> dict[str, Any]:
        """The board's JSON form, with where it came from and its 3BV."""
        return {
            **self.board.to_json(),
            "start": list(self.start),
            "seed": self.seed,
            "no_guess": self.no_guess,
            "bbbv": bbbv(self.board),
        }


def generate(
    level: Level | str,
    n: int = 1,
    *,
    start: Start | str = Start.SAFE,
    first: tuple[int, int] | None = None,
    seed: int | None = None,
) -> Iterator[Generated]:
    """Deal `n` boards, each uniformly among the boards that keep the promise.

    Board number *i* has seed ``seed + i``, and is the board that a ``classic`` game of that
    seed deals when `first` is clicked first.

    Args:
        level: A `Level` or its text form.
        n: How many boards; they are dealt one by one as they are asked for.
        start: What the first click promises.
        first: The cell of the first click; None draws one for each board, evenly among the
            cells that can keep the promise. With ``safe`` and a mine total, the boards are
            then uniform among all.
        seed: From 0 to 2**64 - 1; None takes a fresh one.

    >>> [board] = generate("beginner", seed=7)
    >>> board.board.mines, board.board.is_mine(board.start)
    (10, False)

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If no board keeps the promise, or an argument is out of range.
    """
    level = Level.of(level)
    promise = as_start(start)
    base = new_seed() if seed is None else check_seed(seed)
    if n < 0:
        raise BadSetting(f"the number of boards must be 0 or more, not {n}")
    shape = level.shape()
    if first is not None:
        firsts: Sequence[int] = [shape.index(first)]
        deal(level, promise, firsts[0], base)
    else:
        firsts = _firsts(level, promise)
    seeds = ((base + i) % _SEEDS for i in range(n))
    return (_generated(level, promise, firsts, seed) for seed in seeds)


def as_start(start: Start | str) -> Start:
    """The start of this name.

    Raises:
        BadSetting: If there is none.
    """
    try:
        return Start(start)
    except ValueError:
        raise BadSetting(f"there is no start {start!r}; there are: {', '.join(Start)}") from None


def largest_neighbourhood(shape: Topology) -> int:
    """How many cells the largest opening click keeps clear: a cell and its neighbours."""
    return 1 + int(_degrees(shape).max())


@lru_cache(maxsize=16)
def _degrees(shape: Topology) -> npt.NDArray[np.uint32]:
    return np.diff(shape.adjacency()[0])


def _generated(level: Level, start: Start, firsts: Sequence[int], seed: int) -> Generated:
    first = firsts[substream(seed, "first") % len(firsts)]
    return Generated(deal(level, start, first, seed), level.shape().cell(first), seed)


def _firsts(level: Level, start: Start) -> Sequence[int]:
    """The cells whose first click can keep the promise, by index."""
    shape = level.shape()
    free = shape.size - (level.mines or 0)
    if start is Start.OPENING and free < largest_neighbourhood(shape):
        found: Sequence[int] = np.flatnonzero(_degrees(shape) < free).tolist()
    else:
        found = range(shape.size) if start is Start.ANY or free else ()
    if not found:
        raise BadSetting(f"no first click on {level} can promise a start that is {start}")
    return found
