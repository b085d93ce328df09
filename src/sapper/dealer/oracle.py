"""What a position proves, and boards drawn from all that fit: the basis of the dealers."""

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
"""The limit of each analysis. No seconds: a game must be the same on every machine."""


class Oracle:
    """Answers questions about the positions of one game, and remembers them from click to click.

    A draw depends only on the seed, the position and the clicked cell. So undoing, flagging or
    waiting does not change it: the same click in the same position always has the same result.

    Args:
        seed: The game's seed.
        purpose: The name of the substream that draws come from.
    """

    def __init__(self, seed: int, purpose: str) -> None:
        self._seed, self._purpose = seed, purpose
        self._solver = Solver()
        self._engine = _core.Engine()
        # Past the budget an answer takes seconds, and undo or a flag may ask for it again.
        self._uncounted: dict[bytes, Analysis] = {}
        self._found: dict[tuple[int, bool], Board] = {}

    def __reduce__(self) -> tuple[type[Oracle], tuple[int, str]]:
        """Pickle without what it remembers, which only saves time."""
        return Oracle, (self._seed, self._purpose)

    def analyze(self, position: Position) -> Analysis:
        """Return what the position proves.

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

        The draw is uniform, or as the position's density weighs the boards.

        Where the position is too wide to be counted, some board that fits, as satisfiability
        finds it from a random start: sound, but not uniform.

        Args:
            position: What the board must agree with.
            cell: The clicked cell, by index.
            mine: Whether it is to hold a mine.
            clear: Other cells to be clear if it is.

        Returns:
            The board, and whether the cell holds a mine in it. This is as requested, unless the
            position proves otherwise, which only one too wide to be counted can have hidden.

        Raises:
            InconsistentPosition: If no board fits.
            LimitReached: If satisfiability gave up as well.
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
    """Return the cells of a position without its flags."""
    return position.cells.replace(b"F", b".")


def check_density(settings: Settings) -> None:
    """Reject a density of 1, with which the first click has no clear cell to open.

    Raises:
        BadSetting: For this density.
    """
    if settings.level.density == 1:
        raise BadSetting(
            f"rules {settings.rules} need a density below 1, got {settings.level.density}"
        )
