"""Shared code for bots that analyse a position."""

from __future__ import annotations

from sapper.errors import LimitReached
from sapper.position import Position
from sapper.solver.analysis import Analysis
from sapper.solver.bots.base import Choice, flags, opens
from sapper.solver.limit import Limit
from sapper.solver.search.end_game import EndGame

__all__ = ["perfect_cell", "settled"]


def settled(position: Position, found: Analysis) -> Choice | None:
    """Return the choice if no guess is needed: the proved safe cells, or the remaining mines."""
    if found.safe_indices:
        return Choice(tuple(opens(position, found.safe_indices)), "proved", 0.0)
    if len(found.mined_indices) == len(position.unopened_cells()):
        return Choice(tuple(flags(position, found.mined_indices)), "nothing left", 0.0)
    return None


def perfect_cell(
    end_game: EndGame, position: Position, found: Analysis, limit: Limit, solutions: int
) -> int | None:
    """Return a best cell of perfect play, or None if it is unknown or not found in time.

    Args:
        end_game: The search for perfect play.
        position: A position.
        found: Its analysis.
        limit: The limit of the search.
        solutions: The maximum number of arrangements that fit the position.
    """
    count = found.solutions
    known = position.mines is not None or position.density is not None
    if not known or count is None or count > solutions:
        return None
    try:
        return end_game.cell(position, solutions=solutions, limit=limit)
    except LimitReached:
        return None
