"""The win probability of a position and its cells: exact, sampled or estimated."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, Self, get_args

import numpy as np

import sapper._core as _core
from sapper._util.arguments import seed_or_new, whole
from sapper._util.json_reading import cell, fraction, reading
from sapper._util.names import either
from sapper._util.work import Work
from sapper.errors import InconsistentPosition, LimitReached
from sapper.position import Position, check_position
from sapper.solver.locating import located
from sapper.solver.search.guesses import CHAMPION, GRANDMASTER, SWIFT, Effort, Searcher
from sapper.stats import share_error
from sapper.topology import Cell

__all__ = [
    "STATES",
    "CellChance",
    "Kind",
    "WinChance",
    "compared",
    "most_solutions",
    "win_chance_of",
]

Kind = Literal["exact", "sampled", "estimated"]

_SAMPLES = 200
"""Default number of games if there is no estimate."""
_MOST_SAMPLES = 1_000_000
_PERFECT = 0.5
"""The fraction of the remaining time for perfect play."""
_BEFORE_GAMES = 0.3
"""The fraction of the time left then for choosing the cells to sample."""
_EVERY = replace(CHAMPION, every=True)
"""The search of `champion`, with a win chance for each considered cell."""
_SOLUTIONS = 5_000
STATES = 500_000
_SIZE = 3_400_000
"""Limits of perfect play for every cell: solutions, states, and solutions times unopened cells
squared. The cost of a state grows with its solutions and cells, and with few mines on a long board
most states keep most solutions. These limits take at most 1 s.
"""


@dataclass(frozen=True, slots=True)
class CellChance:
    """The value of opening a cell.

    Attributes:
        cell: The cell.
        p_mine: The chance of a mine, from 0 to 1.
        win_chance: The chance to win by opening it, including its risk.
        error: The 95 % half-width of `win_chance`: 0 if exact, None if unknown.
    """

    cell: Cell
    p_mine: float
    win_chance: float
    error: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with the cell as ``[row, col]``."""
        return {
            "cell": list(self.cell),
            "p_mine": self.p_mine,
            "win_chance": self.win_chance,
            "error": self.error,
        }

    @classmethod
    def from_json(cls, obj: Any, position: Position) -> Self:
        """Read the JSON form of a cell in a position.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        with reading("a chance of a cell"):
            return cls(
                cell(obj["cell"], position.topology),
                fraction(obj["p_mine"], "'p_mine'"),
                fraction(obj["win_chance"], "'win_chance'"),
                None if obj["error"] is None else fraction(obj["error"], "'error'"),
            )


@dataclass(frozen=True, slots=True)
class WinChance:
    """The probability of winning a position.

    Attributes:
        position: The position.
        win_chance: The win chance, from 0 to 1, of the best cell found.
        kind: ``exact`` for perfect play, ``sampled`` from complete games, or ``estimated`` by
            search with the learned chance at its leaves.
        error: The 95 % half-width of `win_chance`: 0 if exact, None if estimated.
        cells: The candidate cells, best first; if exact, every cell that can be opened.
    """

    position: Position
    win_chance: float
    kind: Kind
    error: float | None
    cells: tuple[CellChance, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, without the position."""
        return {
            "win_chance": self.win_chance,
            "kind": self.kind,
            "error": self.error,
            "cells": [at.to_json() for at in self.cells],
        }

    @classmethod
    def from_json(cls, obj: Any, position: Position) -> Self:
        """Read the JSON form of the win chance of a position.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        check_position(position)
        with reading("a win chance"):
            kind, error = obj["kind"], obj["error"]
            if kind not in get_args(Kind):
                raise ValueError(f"'kind' must be {either(get_args(Kind))}")
            return cls(
                position,
                fraction(obj["win_chance"], "'win_chance'"),
                kind,
                None if error is None else fraction(error, "'error'"),
                tuple(CellChance.from_json(chance, position) for chance in obj["cells"]),
            )


def win_chance_of(
    position: Position,
    risks: np.ndarray,
    mined: Collection[int],
    samples: int,
    seed: int | None,
    work: Work,
) -> WinChance:
    """Return the probability of winning a position that has been analysed; see `win_chance`.

    Args:
        position: The position.
        risks: Each cell's chance of a mine, in row order.
        mined: The cells proved to hold mines, by index.
        samples: Games for each of the three best cells.
        seed: For the samples.
        work: The deadline and the cancel flag.

    Raises:
        BadSetting: If `samples` or `seed` is not an integer, or out of range.
        LimitReached: If the position is too wide, or no chance was found in time.
    """
    samples, seed = whole(samples, "samples", most=_MOST_SAMPLES), seed_or_new(seed)
    if len(mined) == sum(map(position.cells.count, b".F")):
        # Every clear cell is open: the game is won.
        return WinChance(position, 1.0, "exact", 0.0, ())
    exact = _exact(position, risks, work=work)
    if exact is not None:
        return exact
    if not samples and not _learned(position):
        samples = _SAMPLES
    share = _BEFORE_GAMES if samples else 1.0
    estimated = _estimated(position, risks, GRANDMASTER, work, share=share)
    if estimated is None:
        raise _past_limit("estimated", work)
    if not samples:
        return estimated
    found = []
    for left, at in zip((3, 2, 1), estimated.cells[:3], strict=False):
        played = _sampled(position, at, samples, seed, work, 1 / left)
        found += [] if played is None else [played]
    if not found:
        raise _past_limit("sampled", work)
    found.sort(key=lambda at: -at.win_chance)
    return WinChance(position, found[0].win_chance, "sampled", found[0].error, tuple(found))


def compared(
    position: Position,
    risks: np.ndarray,
    states: int = STATES,
    work: Work | None = None,
    searched: int | None = None,
) -> WinChance | None:
    """Return the win probabilities of the candidate cells, if known without sampling.

    None if they are neither exact nor learned.

    Args:
        position: A consistent position.
        risks: Each cell's chance of a mine, in row order.
        states: The maximum number of states for perfect play.
        work: The deadline and the cancel flag.
        searched: The maximum number of states for the analyses of a search.
    """
    exact = _exact(position, risks, states, work)
    if exact is not None:
        return exact
    if not _learned(position):
        return None
    return _estimated(position, risks, _EVERY, work, states=searched)


def _past_limit(how: str, work: Work) -> LimitReached:
    if work.is_late():
        return LimitReached(f"no win chance was {how} within the limit of {work.seconds:g} s")
    return LimitReached(f"the position is too wide for its win chance to be {how}")


def _learned(position: Position) -> bool:
    """Whether the win chance was learned on boards like this one."""
    return _core.SearchPlayer.knows(position.topology.size, position.mines, position.density)


def most_solutions(position: Position) -> int:
    """Return the maximum number of solutions for which perfect play is tried."""
    unopened = sum(map(position.cells.count, b".F"))
    return min(_SOLUTIONS, _SIZE // max(1, unopened) ** 2)


def _estimated(
    position: Position,
    risks: np.ndarray,
    effort: Effort,
    work: Work | None,
    *,
    share: float = 1.0,
    states: int | None = None,
) -> WinChance | None:
    cell = position.topology.cell
    picks = _searcher(effort).guess(position, work, share=share, states=states).picks
    found = [CellChance(cell(p.index), float(risks[p.index]), p.win_chance, None) for p in picks]
    if not found:
        return None
    return WinChance(position, found[0].win_chance, "estimated", None, tuple(found))


def _exact(
    position: Position, risks: np.ndarray, states: int = STATES, work: Work | None = None
) -> WinChance | None:
    if position.mines is None and position.density is None:
        return None
    work = work or Work()
    shape = position.topology
    try:
        solved = _core.EndGame().solve(
            shape.graph,
            position.cells,
            position.mines,
            position.density,
            position.running,
            most_solutions(position),
            states,
            work.part(_PERFECT),
            best=True,
            wins=True,
            cancel=work.cancel,
        )
    except InconsistentPosition as error:
        raise located(error, shape) from None
    if solved is None:
        return None
    cells = [
        CellChance(shape.cell(index), float(risks[index]), win_chance, 0.0)
        for index, win_chance in solved.win_chances
    ]
    cells.sort(key=lambda at: (-at.win_chance, at.p_mine))
    return WinChance(position, solved.win_chance, "exact", 0.0, tuple(cells))


def _sampled(
    position: Position, at: CellChance, samples: int, seed: int, work: Work, share: float
) -> CellChance | None:
    """Play games from a cell for a share of the remaining time; None if none was completed."""
    shape = position.topology
    # There are at most a million samples, so they never reach the next multiple of 2**32.
    first = (seed << 32) % 2**64
    found = _searcher(SWIFT).core.survivals(
        shape.graph,
        position.cells,
        position.mines,
        position.density,
        position.running,
        shape.index(at.cell),
        first,
        samples,
        None,
        work.part(share),
        work.cancel,
    )
    if not found:
        return None
    return CellChance(at.cell, at.p_mine, float(np.mean(found)), share_error(found))


@cache
def _searcher(effort: Effort) -> Searcher:
    return Searcher(effort)
