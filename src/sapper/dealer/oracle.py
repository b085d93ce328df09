"""Proofs about a position, and boards drawn from all that fit: the basis of the dealers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

import sapper._core as _core
from sapper._util.cancel_flag import cancel_flag
from sapper.board import Board
from sapper.dealer import arrangement
from sapper.errors import BadSetting, InconsistentPosition
from sapper.generation import substream
from sapper.position import Position
from sapper.rules import Settings
from sapper.solver import Analysis, Limit, Solver

__all__ = ["LIMIT", "Oracle", "check_density"]

LIMIT = Limit()
"""The limit of each analysis. No time limit: a game must be the same on every machine."""


class Oracle:
    """Analyses the positions of one game, and caches results between clicks.

    A draw depends only on the seed, the position and the clicked cell, not on undo, flags or time:
    the same click in the same position always has the same result.

    Args:
        seed: The game's seed.
        purpose: The name of the substream for draws.
    """

    def __init__(self, seed: int, purpose: str) -> None:
        self._seed, self._purpose = seed, purpose
        self._solver = Solver()
        self._engine = _core.Engine()
        # Results over the budget take seconds to compute, and undo or a flag may need them again.
        self._uncounted: dict[bytes, Analysis] = {}
        self._found: dict[tuple[int, bool], Board] = {}

    def __reduce__(self) -> tuple[type[Oracle], tuple[int, str]]:
        """Pickle without the cache, which can be recomputed."""
        return Oracle, (self._seed, self._purpose)

    def analyze(self, position: Position) -> Analysis:
        """Return the analysis of the position.

        Raises:
            InconsistentPosition: If no board fits.
        """
        cells = _plain(position)
        if self._uncounted and cells in self._uncounted:
            return replace(self._uncounted[cells], position=position)
        cancel = cancel_flag()
        limit = LIMIT if cancel is None else replace(LIMIT, cancel=cancel)
        known = self._solver.analyze(position, limit=limit)
        if not known.exact:
            self._uncounted[cells] = known
        return known

    def deal(
        self, position: Position, cell: int, *, mine: bool, clear: Iterable[int] = ()
    ) -> tuple[Board, bool]:
        """Draw a board from all that fit, with the cell as requested if possible.

        The draw is uniform, or weighted by the position's density.

        If the position is too wide to count, a satisfiability solver finds a board from a random
        start, which is sound but not uniform.

        Args:
            position: The position that the board must fit.
            cell: The clicked cell, by index.
            mine: Whether it should hold a mine.
            clear: Other cells that should be clear if the clicked cell is.

        Returns:
            The board, and whether the cell holds a mine on it. It is as requested unless the
            position proves the opposite, which may go undetected in positions too wide to count.

        Raises:
            InconsistentPosition: If no board fits.
            LimitReached: If the satisfiability solver reached its limit as well.
        """
        try:
            return self._draw(position, cell, mine, clear), mine
        except InconsistentPosition:
            if clear:
                raise
            return self._draw(position, cell, not mine, ()), not mine

    def _draw(self, position: Position, cell: int, mine: bool, others: Iterable[int]) -> Board:
        clear, mined = ([], [cell]) if mine else ([cell, *others], [])
        shape, seed = position.topology, self._substream(position, cell)
        if (seed, mine) in self._found:
            return self._found[seed, mine]
        drawn = self._engine.sample(
            shape.graph,
            position.cells,
            position.mines,
            position.density,
            position.running,
            clear,
            mined,
            1,
            seed,
            LIMIT.states,
            LIMIT.seconds,
            cancel_flag(),
        )
        if drawn is None:
            board = self._found[seed, mine] = arrangement.find(position, clear, mined, seed)
            return board
        return Board(shape, drawn[0])

    def _substream(self, position: Position, cell: int) -> int:
        seen = _plain(position) + cell.to_bytes(4, "little")
        digest = hashlib.blake2b(seen, digest_size=8).digest()
        return substream(self._seed, self._purpose, int.from_bytes(digest, "little"))


def _plain(position: Position) -> bytes:
    """Return the cells of a position without flags."""
    return position.cells.replace(b"F", b".")


def check_density(settings: Settings) -> None:
    """Reject a density of 1, which leaves no clear cell for the first click.

    Raises:
        BadSetting: For this density.
    """
    if settings.level.density == 1:
        raise BadSetting(
            f"rules {settings.rules} need a density below 1, got {settings.level.density}"
        )
