"""What others see of a racer's progress proves no cell that the start does not prove."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import ceil, floor
from random import Random
from typing import NamedTuple

import numpy as np

from sapper import analyze
from sapper.board import Board
from sapper.community.live_board import LiveBoard, deal_opened
from sapper.community.progress_map import STEPS, _blocks, progress_map, progress_share
from sapper.generation import GameId
from sapper.rules import INTERMEDIATE, Level

_NUMBERS = b"012345678"


class Seen(NamedTuple):
    """The information in a message: bounds of the opened cells of each block, and of all of them.

    Attributes:
        block: The block of each cell.
        least: The least number of opened cells of each block.
        most: The greatest one.
        total: Bounds of the number of all opened cells.
        unfinished: Blocks in which some clear cell is still unopened.
    """

    block: np.ndarray
    least: list[int]
    most: list[int]
    total: tuple[int, int]
    unfinished: list[int]


def coarse(board: Board, cells: bytes) -> Seen:
    """Return what the messages of a race say."""
    block = _blocks(board.topology)[0]
    sizes = np.bincount(block)
    letters = "".join(progress_map(board, cells))
    half = [ceil(size / 2) for size in sizes]
    clear = len(cells) - board.mines
    opened = sum(char in _NUMBERS for char in cells)
    low = ceil(progress_share(opened, clear) * clear - 1e-9)
    high = ceil((progress_share(opened, clear) + 1 / STEPS) * clear) - 1
    return Seen(
        block,
        [least if char == "o" else 0 for char, least in zip(letters, half, strict=True)],
        [
            size if char == "o" else least - 1
            for char, size, least in zip(letters, sizes, half, strict=True)
        ],
        (low, min(clear, high)),
        [],
    )


def fine(board: Board, cells: bytes) -> Seen:
    """Return what 3x3 blocks that also show when they are done say, with whole percents."""
    shape = board.topology
    rows, cols = (np.arange(n) * (n // 3) // n for n in (shape.height, shape.width))
    block = (rows[:, None] * (shape.width // 3) + cols[None, :]).ravel()
    is_open = np.array([char in _NUMBERS for char in cells])
    opened, sizes = np.bincount(block, is_open), np.bincount(block)
    clear = len(cells) - board.mines
    share = round(is_open.sum() / clear, 2)
    low, high = ceil((share - 0.005) * clear - 1e-9), floor((share + 0.005) * clear + 1e-9)
    least = [min(1, int(n)) for n in opened]
    most = [int(size) if n else 0 for n, size in zip(opened, sizes, strict=True)]
    all_clear = np.bincount(block, np.array(list(board.mined)) == 0)
    unfinished = [at for at, n in enumerate(opened) if 0 < n < all_clear[at]]
    return Seen(block, least, most, (low, min(clear, high)), unfinished)


def progress(dealt: GameId, level: Level, rng: Random) -> Iterator[bytes]:
    """Yield the cells of a racer after the start and each action."""
    board = LiveBoard(dealt.board, level)
    at = dealt.board.topology.index(dealt.start)
    board.open([at])
    while True:
        yield board.cells.encode()
        safe = sorted(analyze(board.position).safe_indices)
        if board.is_cleared or not safe:
            return
        width = level.width

        def distance(cell: int, width: int = width, at: int = at) -> tuple[int, float]:
            away = max(abs(cell // width - at // width), abs(cell % width - at % width))
            return away, rng.random()

        at = min(safe, key=distance)
        board.open([at])


def pointed_at(seen: Seen, start: bytes, mined: frozenset[int]) -> set[int]:
    """Return the unopened cells of the start that must all be open according to a message."""
    blocks = len(seen.least)
    can_open = [0] * blocks
    for cell, block in enumerate(seen.block):
        can_open[block] += cell not in mined
    most = [min(pair) for pair in zip(seen.most, can_open, strict=True)]
    found: set[int] = set()
    for block in range(blocks):
        others = sum(most) - most[block]
        if max(seen.least[block], seen.total[0] - others) >= can_open[block]:
            found |= {cell for cell, one in enumerate(seen.block) if one == block}
    open_to = {n for n in range(len(start)) if start[n] not in _NUMBERS and n not in mined}
    for block in seen.unfinished:
        left = {cell for cell in open_to if seen.block[cell] == block}
        found |= left if len(left) == 1 else set()
    return found & open_to


def boards_attacked(shown: Callable[[Board, bytes], Seen], boards: Iterable[int]) -> int:
    """Return on how many boards a message points at a cell that the start does not prove safe.

    Messages about the end of the board do not count: then the race is over.
    """
    attacked = 0
    for seed in boards:
        dealt, rng = deal_opened(INTERMEDIATE, "no-guess", seed), Random(seed)
        steps = list(progress(dealt, INTERMEDIATE, rng))
        start = steps[0]
        analysis = analyze(INTERMEDIATE.unopened().showing(start))
        mined, proved = analysis.mined_indices, analysis.safe_indices
        attacked += any(
            pointed_at(shown(dealt.board, step), start, frozenset(mined)) - set(proved)
            for step in steps[:-1]
        )
    return attacked


def test_the_progress_of_others_points_at_no_cell() -> None:
    """Neither the map nor the share, nor both together."""
    assert boards_attacked(coarse, [*range(20), 167, 197]) == 0


def test_the_attack_works_on_a_finer_map() -> None:
    """Blocks of 3x3 cells and whole percents point at cells on two of these boards."""
    assert boards_attacked(fine, [0, 1, 167, 197]) == 2
