"""Review of a game: the clicks that were guesses, and why the last one was a mine.

It uses only the player's view before each click, so it is valid for every rule set.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sapper.board import Board
from sapper.errors import IllegalAction, LimitReached
from sapper.game.post_mortem import Guess, Guesses, PostMortem, sentence
from sapper.game.trail import Trail, Turn
from sapper.generation import substream
from sapper.position import NUMBERS, Position
from sapper.rules import FirstClick
from sapper.solver import Analysis, Limit, Solver, sample
from sapper.topology import Cell

__all__ = ["Reviewer"]

LIMIT = Limit(seconds=2.0)
"""The budget for one position, low because a player waits for it."""


class Reviewer:
    """Reviews a growing round repeatedly.

    Analyses are kept, so a review after every click costs one analysis.
    """

    def __init__(self) -> None:
        # Created on demand, so that a game without a review can be copied.
        self._solver: Solver | None = None
        self._cells, self._opened = bytearray(), 0
        self._read = -1
        self._guesses: list[Guess] = []
        self._last: Analysis | None = None
        self._origin: Position | None = None

    def guesses(self, trail: Trail) -> Guesses:
        """Return the guesses of a round.

        Args:
            trail: The round's trail; it continues the trail of the last review.
        """
        self._begin(trail)
        for turn in trail.turns[self._read :]:
            self._follow(trail, turn)
        self._read = len(trail.turns)
        return Guesses(tuple(self._guesses))

    def post_mortem(self, trail: Trail, *, last_only: bool = False) -> PostMortem:
        """Why a round was lost.

        Args:
            trail: The round's trail.
            last_only: Whether to analyse only the last position without counting guesses: on a
                board of a million cells each analysis may take half a second.

        Raises:
            IllegalAction: If the round was not lost.
        """
        if trail.board is None:
            raise IllegalAction("there is no loss to explain: the game is not lost")
        if last_only:
            self._begin(trail)
            for turn in trail.turns[self._read : -1]:
                self._follow_unseen(turn)
            self._read = len(trail.turns) - 1
        self.guesses(trail)
        turn, known = trail.turns[-1], self._last
        assert turn.exploded
        assert known is not None
        shape = known.position.topology
        cell = shape.cell(turn.cell)
        p_mine, least = float(known.p_mine[cell]), _least(known)
        why = trail.why(known, turn.cell)
        return PostMortem(
            cell=cell,
            chord=None if turn.chord is None else shape.cell(turn.chord),
            p_mine=p_mine,
            least=least,
            safe=known.safe,
            board=trail.board,
            clear_board=None if cell in known.mined else self._with_clear(trail, known, cell),
            exact=known.exact,
            sentence=sentence(known, cell, least, why),
            forbidden=bool(why),
        )

    def _begin(self, trail: Trail) -> None:
        if self._read >= 0:
            return
        self._origin = origin = trail.origin or trail.settings.level.unopened()
        self._cells = bytearray(origin.without_flags().cells)
        self._opened = sum(map(origin.cells.count, NUMBERS))
        self._read = 0

    def _follow(self, trail: Trail, turn: Turn) -> None:
        if turn.undone:
            self._cover(turn.cells)
            return
        known: Analysis | None = None
        settings = trail.settings
        promised = settings.first_click is not FirstClick.ANY and not trail.given
        if self._opened or not promised or turn.exploded:
            assert self._origin is not None
            position = self._origin.showing(bytes(self._cells))
            self._solver = self._solver or Solver()
            known = self._last = self._solver.analyze(position, limit=LIMIT)
            cell = position.topology.cell(turn.cell)
            if cell not in known.safe:
                self._guesses.append(
                    Guess(
                        cell,
                        float(known.p_mine[cell]),
                        _least(known),
                        len(known.safe),
                        turn.exploded,
                        turn.exploded and bool(trail.why(known, turn.cell)),
                    )
                )
        self._follow_unseen(turn)

    def _follow_unseen(self, turn: Turn) -> None:
        """Apply a turn's changes without an analysis."""
        if turn.undone:
            self._cover(turn.cells)
            return
        for index, number in zip(turn.cells, turn.numbers, strict=True):
            self._cells[index] = ord("0") + number
        self._opened += len(turn.cells)

    def _cover(self, cells: Iterable[int]) -> None:
        for index in cells:
            self._opened -= self._cells[index] != ord(".")
            self._cells[index] = ord(".")

    def _with_clear(self, trail: Trail, known: Analysis, cell: Cell) -> Board | None:
        seed = substream(trail.settings.seed, "review", self._read)
        try:
            return sample(known.position, n=1, seed=seed, safe=[cell], limit=LIMIT)[0]
        except LimitReached:
            return None


def _least(known: Analysis) -> float:
    """Return the lowest risk of a click on any cell."""
    if known.safe:
        return 0.0
    if not _unproved(known):
        return 1.0
    # A proved mine has a chance of 1, so it is never the least.
    return float(np.nanmin(known.p_mine))


def _unproved(known: Analysis) -> bool:
    return len(known.mined) < len(known.position.unopened_cells())
