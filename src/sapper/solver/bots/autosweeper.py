"""``autosweeper``: corners, then three levels; the second is unsound, as published.

Source: Autosweeper, a Czech year project by Adam Suchý (2021), its documentation and its program
(gyarab/2020-1e-suchy-autosweeper, ``Solver.java``); won 79 % of games on 20x20 at a mine density of
0.10, 50 % at 0.15 and 17 % at 0.20, without a safe first click. Where the two differ, this bot
follows the program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

from sapper._util.arguments import switch
from sapper.position import FLAGGED, NUMBERS, UNOPENED, Position
from sapper.rules import Level
from sapper.solver.bots._buckets import Bucket, published, sound
from sapper.solver.bots.base import Choice, around, flags, opens
from sapper.topology import Topology
from sapper.translation import t

__all__ = ["Autosweeper"]

_COVERED = (ord(UNOPENED), ord(FLAGGED))
_ZERO, _MINE = NUMBERS[0], ord("*")
_OPENING_CELLS = 4
"""Corners are opened until this many cells or a zero are open."""


class Autosweeper:
    """Opens corners until a zero or four cells are open, then uses the first level that applies.

    1. A number equal to the count of its unopened neighbours marks them as mines; a number equal to
    the count of its marked neighbours opens the others. 2. Buckets within buckets; see
    `sapper.solver.bots._buckets`. 3. A cell's risk is the largest ratio of remaining mines to
    unknown cells among the numbers that
       touch it. It opens a cell with the lowest risk, at random among ties or, if no number touches
       an unknown cell, any unknown cell.

    Marked mines are flagged. Apart from randomness, choices do not depend on earlier ones.

    Args:
        sound: Whether to use a sound level 2 instead of the original one.
    """

    label = t("Autosweeper")

    def __init__(self, *, sound: bool = False) -> None:
        self._sound = switch(sound, "sound")
        self._random = Random(0)

    def begin(self, level: Level, seed: int) -> None:
        """Seed the random choices for a game."""
        self._random.seed(seed)

    def choose(self, position: Position) -> Choice:
        """Return the choice of the first level that finds something."""
        corner = _opening(position)
        if corner is not None:
            return Choice(tuple(opens(position, [corner])), "corner", guess=True)
        view = _View(position)
        marks = flags(position, sorted(view.mined))
        if view.clear:
            return Choice((*marks, *opens(position, sorted(view.clear))), "level 1", 0.0)
        level2 = sound if self._sound else published
        safe = level2(view.buckets, view.owners, view.buckets)
        if safe:
            return Choice((*marks, *opens(position, sorted(safe))), "level 2", 0.0)
        if not view.unknown:
            return Choice(tuple(marks), "nothing left")
        cell, risk = self._least(view)
        return Choice((*marks, *opens(position, [cell])), "level 3", risk, guess=True)

    def _least(self, view: _View) -> tuple[int, float | None]:
        """Level 3: return a cell with the lowest risk, and the risk."""
        risks: dict[int, float] = {}
        for bucket in view.buckets.values():
            risk = bucket.mines / len(bucket.cells)
            for cell in bucket.cells:
                risks[cell] = max(risk, risks.get(cell, 0.0))
        if not risks:
            return self._random.choice(view.unknown), None
        least = min(risks.values())
        # The original takes whichever cell its hash table returns first, which is effectively
        # random.
        return self._random.choice([c for c in sorted(risks) if risks[c] == least]), least


class _View:
    """The levels' view of a position, after level 1 has marked its mines.

    Attributes:
        mined: Marked as mines.
        clear: Cells opened by level 1.
        unknown: Unopened and not marked, in row order.
        buckets: The bucket of every number with unknown neighbours, by the number's index; in the
            original's order, by column.
        owners: For each unknown cell that a number touches, all the numbers that touch it.
    """

    def __init__(self, position: Position) -> None:
        cells, order = position.cells, _by_column(position.topology)
        covered: dict[int, tuple[int, list[int]]] = {}
        self.mined: set[int] = set()
        for cell, neighbours in order.items():
            # A zero has unopened neighbours if flags stopped its flood fill.
            if cells[cell] not in NUMBERS:
                continue
            unopened = [near for near in neighbours if cells[near] in _COVERED]
            if unopened:
                # Treat an opened mine like a marked one.
                lost = sum([cells[near] == _MINE for near in neighbours])
                number = cells[cell] - _ZERO - lost
                covered[cell] = number, unopened
                if number == len(unopened):
                    self.mined.update(unopened)
        self.clear: set[int] = set()
        self.buckets: dict[int, Bucket] = {}
        owners: dict[int, list[int]] = {}
        for cell, (number, unopened) in covered.items():
            unknown = tuple([near for near in unopened if near not in self.mined])
            if not unknown:
                continue
            left = number - (len(unopened) - len(unknown))
            if left == 0:
                self.clear.update(unknown)
            self.buckets[cell] = Bucket(unknown, left)
            for near in unknown:
                owners.setdefault(near, []).append(cell)
        self.owners: Mapping[int, Sequence[int]] = owners
        self.unknown = [
            cell for cell, char in enumerate(cells) if char in _COVERED and cell not in self.mined
        ]


def _opening(position: Position) -> int | None:
    """Return the corner to open, at the start of the game."""
    cells, width = position.cells, position.width
    if _ZERO in cells or sum(map(cells.count, NUMBERS)) >= _OPENING_CELLS:
        return None
    last = len(cells) - width
    for corner in (0, last, width - 1, last + width - 1):
        if cells[corner] in _COVERED:
            return corner
    return None


@lru_cache(maxsize=16)
def _by_column(shape: Topology) -> dict[int, tuple[int, ...]]:
    """Return every cell's neighbours, by index, in order of column, then row."""

    def place(cell: int) -> tuple[int, int]:
        return cell % shape.width, cell

    neighbours = around(shape)
    return {
        cell: tuple(sorted(neighbours[cell], key=place))
        for cell in sorted(range(shape.size), key=place)
    }
