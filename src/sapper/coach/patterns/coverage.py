"""Measure how much of the logic in games is covered by named patterns.

A game is played like a player who knows the patterns. Single numbers, or the mine total alone,
settle cells as long as they can. At a stop, where they settle nothing more, every cell that a
pattern proves counts as one deduction, explained by that pattern. If no pattern proves anything,
the exact engine finds proved cells; the numbers of the shortest proof found then settle all cells
that they prove, one unexplained deduction each. If the mine total is needed, all proved cells are
unexplained deductions. If nothing is proved, the game guesses or ends.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from typing import Final

import numpy as np

from sapper.board import Board
from sapper.coach.patterns.definitions import Form
from sapper.coach.patterns.explaining import explanations
from sapper.coach.patterns.normal_form import simplest
from sapper.coach.patterns.occurrence import Found
from sapper.coach.patterns.planes import Planes
from sapper.coach.patterns.proving import conclusions
from sapper.coach.patterns.reading import MOST_SIDE, patterns
from sapper.coach.patterns.recognition import find
from sapper.coach.patterns.templates import Matcher
from sapper.position import Position
from sapper.solver.deduction import Deduction, deduce
from sapper.solver.exact import Solver
from sapper.stats import Z95
from sapper.topology import Cell

__all__ = ["BY_TOTAL", "TOO_LARGE", "Coverage", "play"]

BY_TOTAL: Final = ("mine total",)
TOO_LARGE: Final = ("large",)
"""Entries of `Coverage.unexplained` for deductions without a picture."""

_MINED: Final = bytes(ord("1") if value == 1 else ord("0") for value in range(256))
"""Translates the bytes of `Board.mined`."""
_TRIED: Final = 6
"""The number of proved cells whose shortest proof is used."""


@dataclass
class Coverage:
    """Counts of the deductions in games; counts of several games can be added.

    Attributes:
        games: Number of games.
        single: Cells settled by one number, or by the mine total alone.
        explained: Deductions by the id of their pattern.
        unexplained: Other deductions by the simplest picture that proves them, the same for all
            symmetries, or by `BY_TOTAL` or `TOO_LARGE`.
        stops: Positions in which no single number settles a cell, but something is proved.
        stops_explained: Those in which a pattern proves a cell.
        guesses: Number of guesses.
        proved: If requested, all cells that the exact engine proves at the stops.
        named: Those that patterns and single numbers prove one after the other, without opening a
            cell.
        by_game: Games by their explained and all deductions.
    """

    games: int = 0
    single: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    unexplained: Counter[tuple[str, ...]] = field(default_factory=Counter)
    stops: int = 0
    stops_explained: int = 0
    guesses: int = 0
    proved: int = 0
    named: int = 0
    by_game: Counter[tuple[int, int]] = field(default_factory=Counter)

    @property
    def deductions(self) -> int:
        """The deductions that need more than one number."""
        return self.explained.total() + self.unexplained.total()

    @property
    def share(self) -> float:
        """The share of deductions that a pattern explains."""
        return self.explained.total() / self.deductions if self.deductions else 0.0

    @property
    def share_interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, with games as the independent units."""
        share, games = self.share, self.by_game.total()
        spread = sum(n * (named - share * every) ** 2 for (named, every), n in self.by_game.items())
        if games < 2 or not self.deductions:
            return 0.0, 1.0
        error = Z95 * sqrt(spread * games / (games - 1)) / self.deductions
        return max(0.0, share - error), min(1.0, share + error)

    def add(self, other: Coverage) -> None:
        """Add the counts of other games."""
        self.games += other.games
        self.single += other.single
        self.explained += other.explained
        self.unexplained += other.unexplained
        self.stops += other.stops
        self.stops_explained += other.stops_explained
        self.guesses += other.guesses
        self.proved += other.proved
        self.named += other.named
        self.by_game += other.by_game


@cache
def _matcher() -> Matcher:
    """Return the matcher of the patterns that prove something.

    Reduced patterns are left out: they are the same as those without known mines.
    """
    return Matcher(
        pattern
        for pattern in patterns().values()
        if pattern.proves and not any(form.at("*") for form in pattern.forms[:1])
    )


def play(
    board: Board, start: tuple[int, int], *, guess: bool = False, at_stops: bool = False
) -> Coverage:
    """Play a game by logic, and count its deductions.

    Args:
        board: The board, a rectangle.
        start: The first cell to open.
        guess: Whether to open the least risky cell, the first in row order, when nothing is proved;
            otherwise the game ends there.
        at_stops: Whether to count `Coverage.proved` and `Coverage.named`, which takes as long as
            the game itself.
    """
    made = _Walk(board, at_stops).play(start, guess)
    made.by_game[made.explained.total(), made.deductions] += 1
    return made


class _Walk:
    def __init__(self, board: Board, at_stops: bool) -> None:
        shape, self._at_stops = board.topology, at_stops
        self._board, self._shape, self._solver = board, shape, Solver()
        self._made = Coverage(games=1)
        cells = np.frombuffer(board.numbers, np.uint8) + ord("0")
        everything = Position.trusted(shape, cells.tobytes(), board.mines)
        unopened = Position.unopened(shape, board.mines)
        self._planes = Planes(unopened)
        frame = self._planes.frame
        self._digits = Planes.digits_of(everything)
        self._mined = frame.plane(board.mined, _MINED)
        d0, d1, d2, d3 = self._digits
        self._zeros = frame.board & ~(d0 | d1 | d2 | d3 | self._mined)

    def play(self, start: tuple[int, int], guess: bool) -> Coverage:
        planes, made = self._planes, self._made
        self._open(1 << planes.frame.bit(*start))
        while planes.shown | self._mined != planes.frame.board:
            safe, mined = planes.step()
            if planes.remaining == 0:
                safe = planes.unknown
            if safe | mined:
                made.single += (safe | mined).bit_count()
            else:
                safe, mined = self._proved()
            if not safe | mined:
                if not guess:
                    break
                safe = self._least_risky()
                if safe & self._mined:
                    break
            self._settle(safe, mined)
        return made

    def _settle(self, safe: int, mined: int) -> None:
        if safe & self._mined or mined & ~self._mined:
            raise AssertionError(f"a false proof in\n{self._position()}")
        self._planes.unknown &= ~mined
        self._planes.mines |= mined
        self._open(safe)

    def _open(self, cells: int) -> None:
        planes = self._planes
        shown = planes.shown | cells
        grown = cells & self._zeros
        while grown:
            new = planes.near(grown) & planes.frame.board & ~shown
            shown |= new
            grown = new & self._zeros
        planes.shown = shown
        planes.unknown &= ~shown
        d0, d1, d2, d3 = self._digits
        planes.digits = d0 & shown, d1 & shown, d2 & shown, d3 & shown

    def _proved(self) -> tuple[int, int]:
        """Return the cells proved at a stop, and count them."""
        made = self._made
        if self._at_stops:
            self._count_named()
        found = find(self._planes, _matcher())
        if found:
            made.stops += 1
            made.stops_explained += 1
            return self._explained(found)
        position = self._position()
        by_total = False
        numbers_only = Position.trusted(self._shape, position.cells, None, running=False)
        for known in (numbers_only, position):
            analysis = self._solver.analyze(known)
            safe, mined = sorted(analysis.safe), sorted(analysis.mined)
            if safe or mined:
                made.stops += 1
                return self._unexplained(known, safe, mined, by_total)
            by_total = True
        return 0, 0

    def _count_named(self) -> None:
        position = self._position()
        analysis = self._solver.analyze(position)
        proved = analysis.safe | analysis.mined
        self._made.proved += len(proved)
        if proved:
            self._made.named += len(proved & set(explanations(position)))

    def _explained(self, found: list[Found]) -> tuple[int, int]:
        safe = mined = 0
        for at in sorted(found, key=lambda at: at.template.rank):
            new = (at.safe | at.mined) & ~(safe | mined)
            if new:
                self._made.explained[at.template.pattern.id] += new.bit_count()
            safe |= at.safe
            mined |= at.mined
        return safe, mined

    def _unexplained(
        self, position: Position, safe: list[Cell], mined: list[Cell], by_total: bool
    ) -> tuple[int, int]:
        made, bit = self._made, self._planes.frame.bit
        if by_total:
            made.unexplained[BY_TOTAL] += len(safe) + len(mined)
            return sum(1 << bit(*cell) for cell in safe), sum(1 << bit(*cell) for cell in mined)
        proof = self._shortest(position, safe, mined)
        picture, cells = self._picture(proof)
        picture_safe, picture_mined = cells
        made.unexplained[picture] += (picture_safe | picture_mined).bit_count()
        return picture_safe, picture_mined

    def _shortest(self, position: Position, safe: list[Cell], mined: list[Cell]) -> Deduction:
        chosen = [(cell, False) for cell in safe] + [(cell, True) for cell in mined]
        proofs = (deduce(position, cell, mined=is_mined) for cell, is_mined in chosen[:_TRIED])
        return min(
            (proof for proof in proofs if proof is not None), key=lambda proof: len(proof.because)
        )

    def _picture(self, proof: Deduction) -> tuple[tuple[str, ...], tuple[int, int]]:
        """Return the simplest picture of a proof, and the cells that its numbers prove."""
        planes, numbers = self._planes, proof.because
        top, left = (min(cell[axis] for cell in numbers) - 1 for axis in (0, 1))
        bottom, right = (max(cell[axis] for cell in numbers) + 1 for axis in (0, 1))
        rows = [["o"] * (right - left + 1) for _ in range(top, bottom + 1)]
        for cell in planes.frame.cells(planes.unknown):
            if top <= cell.row <= bottom and left <= cell.col <= right:
                rows[cell.row - top][cell.col - left] = "?"
        for row, col in numbers:
            bit = planes.frame.bit(row, col)
            left_mines = sum((plane >> bit & 1) << digit for digit, plane in enumerate(planes.left))
            rows[row - top][col - left] = str(left_mines)
        form = Form(tuple(map("".join, rows)))
        found = conclusions(form)
        bits = [
            sum(1 << planes.frame.bit(top + row, left + col) for row, col in cells)
            for cells in (found.safe, found.mined)
        ]
        is_small = max(len(form.rows), len(form.rows[0])) <= MOST_SIDE
        return simplest(form.rows) if is_small else TOO_LARGE, (bits[0], bits[1])

    def _least_risky(self) -> int:
        self._made.guesses += 1
        chances = self._solver.analyze(self._position()).p_mine.ravel()
        least = float(np.nanmin(chances))
        cell = int(np.flatnonzero(chances <= least + 1e-9)[0])
        return 1 << self._planes.frame.bit(*divmod(cell, self._shape.width))

    def _position(self) -> Position:
        """Return the position with known mines as opened ones."""
        planes = self._planes
        cells = bytearray(b"." * self._shape.size)
        numbers, width = self._board.numbers, self._shape.width
        for row, col in planes.frame.cells(planes.shown):
            cells[row * width + col] = ord("0") + numbers[row * width + col]
        for row, col in planes.frame.cells(planes.mines):
            cells[row * width + col] = ord("*")
        return Position.trusted(self._shape, bytes(cells), self._board.mines)
