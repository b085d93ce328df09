"""Complete boards drawn at random from all that fit a position."""

from __future__ import annotations

from collections.abc import Iterable

import sapper._core as _core
from sapper._util.work import Work
from sapper.board import Board
from sapper.errors import BadSetting, InconsistentPosition, LimitReached
from sapper.position import Position, check_position
from sapper.solver.analysis import Limit
from sapper.solver.exact import located

__all__ = ["sample"]


def sample(
    position: Position,
    n: int,
    seed: int,
    *,
    safe: Iterable[tuple[int, int]] = (),
    mined: Iterable[tuple[int, int]] = (),
    limit: Limit | None = None,
) -> list[Board]:
    r"""Draw ``n`` boards, each uniformly from all that fit the position.

    Args:
        position: What every board must agree with; flags are ignored.
        n: How many to draw, with replacement.
        seed: The same seed draws the same boards.
        safe: Unopened cells to be clear in every board.
        mined: Unopened cells to hold a mine in every board.
        limit: What may be spent on counting before `LimitReached`.

    >>> [board.mine_cells() for board in sample(Position.parse("..\n11", 1), 1, 0, safe=[(0, 1)])]
    [[Cell(row=0, col=0)]]

    Raises:
        InconsistentPosition: If no board fits.
        BadSetting: If a fixed cell is opened, or fixed both ways, or ``n`` is
            negative, or the boards would take more than about a gigabyte.
        LimitReached: If the position is too wide to be counted within the limit.
    """
    if not isinstance(n, int) or not 0 <= n < 2**63:
        raise BadSetting(f"the number of boards must be a whole number of 0 or more, got {n!r:.40}")
    if not isinstance(seed, int):
        raise BadSetting(f"a seed is a whole number, got {seed!r:.40}")
    check_position(position)
    shape = position.topology
    limit = limit or Limit()
    work = Work(limit.seconds, limit.cancel)
    try:
        drawn = _core.Engine().sample(
            shape.graph,
            position.cells,
            position.mines,
            [shape.index(cell) for cell in safe],
            [shape.index(cell) for cell in mined],
            n,
            seed % 2**64,
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
    return [Board(shape, board) for board in drawn]
