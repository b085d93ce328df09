"""Complete boards drawn at random from all that fit a position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

import sapper._core as _core
from sapper._util.arguments import seed_or_new, whole
from sapper.board import Board
from sapper.errors import BadSetting, InconsistentPosition, LimitReached
from sapper.position import Position, check_position
from sapper.solver.limit import Limit, checked
from sapper.solver.locating import located

__all__ = ["both_ways", "sample"]

_TRIES: Final = 24
"""Boards drawn for each case, to find two that are similar."""


def sample(
    position: Position,
    *,
    n: int = 1,
    seed: int | None = None,
    safe: Iterable[tuple[int, int]] = (),
    mined: Iterable[tuple[int, int]] = (),
    limit: Limit | None = None,
) -> list[Board]:
    r"""Draw ``n`` boards from all that fit the position, according to their probabilities.

    All are equally likely, unless a density gives them weights.

    Args:
        position: The position that every board must fit; flags are ignored.
        n: Number of boards to draw, with replacement.
        seed: From 0 to 2**64 - 1; equal seeds draw equal boards (default: a random one).
        safe: Unopened cells that must be clear in every board.
        mined: Unopened cells that must hold a mine in every board.
        limit: The budget for counting; beyond it, `LimitReached` is raised.

    >>> [board.mine_cells() for board in sample(Position.parse("..\n11", 1), safe=[(0, 1)])]
    [[Cell(row=0, col=0)]]

    Raises:
        InconsistentPosition: If no board fits.
        BadSetting: If a fixed cell is open or fixed both ways, ``n`` is negative, ``seed`` is out
            of range, or the boards would take more than about a gigabyte.
        LimitReached: If the position is too wide to be counted within the limit.
        Cancelled: If the limit's flag is set.
    """
    n, seed = whole(n, "the number of boards", most=2**63 - 1), seed_or_new(seed)
    check_position(position)
    shape = position.topology
    limit = checked(limit)
    work = limit.work()
    try:
        drawn = _core.Engine().sample(
            shape.graph,
            position.cells,
            position.mines,
            position.density,
            position.running,
            shape.indices(safe),
            shape.indices(mined),
            n,
            seed,
            limit.states,
            work.left,
            limit.cancel,
        )
    except InconsistentPosition as error:
        raise located(error, shape) from None
    if drawn is None:
        raise LimitReached(
            "the position is too wide, or too many boards were asked for, for the limit"
        )
    return [Board.trusted(shape, board) for board in drawn]


def both_ways(
    position: Position,
    cell: tuple[int, int],
    *,
    seed: int | None = None,
    limit: Limit | None = None,
) -> tuple[Board, Board] | None:
    r"""Return two boards that fit, one with a mine on the cell and one without.

    They show that nothing is proved about the cell. They are the two most similar boards of a
    random sample.

    >>> mined, clear = both_ways(Position.parse("..\n11", mines=1), (0, 1))
    >>> mined.mine_cells(), clear.mine_cells()
    ([Cell(row=0, col=1)], [Cell(row=0, col=0)])

    Args:
        position: The position; flags are ignored.
        cell: An unopened cell.
        seed: From 0 to 2**64 - 1; equal seeds give equal boards (default: a random one).
        limit: The budget for counting; beyond it, `LimitReached` is raised.

    Returns:
        None if the cell is proved safe or mined.

    Raises:
        InconsistentPosition: If no board fits.
        BadCell: If the cell is not on the board.
        BadSetting: If the cell is opened.
        LimitReached: If the position is too wide to be counted within the limit.
    """
    check_position(position)
    shape, at = position.topology, position.topology.index(cell)
    limit = checked(limit)
    work, seed = limit.work(), seed_or_new(seed)

    def draw(**fixed: list[tuple[int, int]]) -> list[Board]:
        left = replace(limit, seconds=work.left)
        return sample(position, n=_TRIES, seed=seed, limit=left, **fixed)

    drawn = draw()
    if not position.is_unopened(cell):
        raise BadSetting(f"{shape.cell(at)} is opened")
    try:
        mined = draw(mined=[cell])
        clear = draw(safe=[cell])
    except InconsistentPosition:
        return None
    mined += [board for board in drawn if board.mined[at]]
    clear += [board for board in drawn if not board.mined[at]]
    rows = [np.frombuffer(b"".join(b.mined for b in group), np.uint8) for group in (mined, clear)]
    with_mine, without = (row.reshape(-1, shape.size) for row in rows)
    differing = (with_mine[:, None, :] != without[None, :, :]).sum(axis=2)
    first, second = np.unravel_index(int(differing.argmin()), differing.shape)
    return mined[int(first)], clear[int(second)]
