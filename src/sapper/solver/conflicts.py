"""Explain an impossible position with a minimal set of contradictory numbers.

The exact engine finds the set by deletion: a number is left out if the rest still has no solution
(J. Marques-Silva, "Minimal Unsatisfiability", ISMVL 2010).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

import sapper._core as _core
from sapper._util.arguments import check_callable, switch, whole
from sapper._util.json_reading import cells, reading, text
from sapper._util.work import Work
from sapper.errors import InconsistentPosition
from sapper.position import EXPLODED, NUMBERS, Position, check_position
from sapper.solver.exact import analyze
from sapper.solver.limit import Limit, checked
from sapper.solver.witnesses import COVERED
from sapper.solver.wording import counted_numbers, listed, number_at
from sapper.topology import Cell
from sapper.translation import capital, sentences, t

__all__ = ["Conflict", "conflict"]

_MOST_NAMED: Final = 6
"""Above this number of numbers, messages give only the count."""
_STATES: Final = 200_000
"""States for one query, a few hundredths of a second; beyond that the result is unknown."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Numbers that contradict each other, possibly only together with the mine total.

    Attributes:
        cells: The cells of the numbers, in row order; empty if the mine total alone is impossible.
        mines: The mine total, if it is needed for the contradiction; otherwise None.
        minimal: Whether all of them are needed: if any one of them, or the total, is left out, some
            arrangement fits the rest.
        sentence: The conflict in words, with a remark if the set is not minimal.
    """

    cells: tuple[Cell, ...]
    mines: int | None
    minimal: bool
    sentence: str

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``."""
        return {
            "cells": [list(cell) for cell in self.cells],
            "mines": self.mines,
            "minimal": self.minimal,
            "sentence": self.sentence,
        }

    @classmethod
    def from_json(cls, obj: Any, position: Position) -> Self:
        """Read the JSON form of a conflict in a position.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        check_position(position)
        with reading("a conflict"):
            return cls(
                cells(obj["cells"], position.topology),
                None if obj["mines"] is None else whole(obj["mines"], "'mines'"),
                switch(obj["minimal"], "'minimal'"),
                text(obj["sentence"], "'sentence'"),
            )


def conflict(
    position: Position,
    *,
    place: Callable[[Cell], str] = str,
    limit: Limit | None = None,
) -> Conflict | None:
    r"""Return a minimal set of numbers that contradict each other; flags are ignored.

    >>> found = conflict(Position.parse("...\n143\n..."))
    >>> found.sentence
    'The 1 at (1, 0) and the 4 at (1, 1) contradict each other.'

    Args:
        position: The position.
        limit: The budget; when it is exceeded, the set may not be minimal.
        place: Formats a cell (default: ``(row, column)``, counted from 0).

    Returns:
        None if some arrangement of mines fits, or if no conflict was found within the limit.
    """
    check_position(position)
    check_callable(place, "place")
    limit = checked(limit)
    work = limit.work()
    try:
        analyze(position, limit=limit)
    except InconsistentPosition as error:
        problem = error
    else:
        return None
    if problem.cause == "number":
        return _Search(position, place, work).told(problem.cells[:1], None, minimal=True)
    return _Search(position, place, work).smallest(problem)


class _Search:
    """Queries about parts of a position: some of its numbers, with or without the total."""

    def __init__(self, position: Position, place: Callable[[Cell], str], work: Work) -> None:
        self._position, self._place, self._work = position, place, work
        shape, cells = position.topology, position.cells
        self._hidden = [i for i, char in enumerate(cells) if char in COVERED]
        at = {index: number for number, index in enumerate(self._hidden)}
        opened = {i for i, char in enumerate(cells) if char == ord(EXPLODED)}
        self._left = None if position.mines is None else position.mines - len(opened)
        self._around: dict[int, list[int]] = {}
        self._need: dict[int, int] = {}
        for index, char in enumerate(cells):
            if char in NUMBERS:
                near = shape.graph.neighbours(index)
                around = sorted(at[one] for one in near if one in at)
                if around:
                    self._around[index] = around
                    self._need[index] = char - ord("0") - sum(one in opened for one in near)
        self._sure = True

    def smallest(self, problem: InconsistentPosition) -> Conflict:
        """Return the smallest minimal set from a few orders of deletion."""
        shape, total = self._position.topology, problem.cause == "total"
        if total and self._left is not None and not 0 <= self._left <= len(self._hidden):
            return self.told((), self._position.mines, minimal=True)
        named = [shape.index(cell) for cell in problem.cells if shape.index(cell) in self._around]
        # The engine reports a whole component, or none if the total is at fault.
        start = list(self._around) if total or not named else named
        pair = None if total else self._pair(start)
        if pair is not None:
            return self._as_conflict(pair, total=False, minimal=True)
        best: list[int] | None = None
        for order in self._orders(start):
            self._sure = True
            found = self._reduced(order, total=total)
            if self._sure and (best is None or len(found) < len(best)):
                best = found
            if self._work.is_late() or (best is not None and len(best) <= 3):
                break
        if best is None:
            return self._as_conflict(start, total=total, minimal=False)
        return self._as_conflict(best, total=total, minimal=True)

    def told(
        self, cells: Iterable[tuple[int, int]], mines: int | None, *, minimal: bool
    ) -> Conflict:
        """Describe a set in words."""
        where = tuple(sorted(Cell(*cell) for cell in cells))
        names = [number_at(self._position.number(cell) or 0, self._place(cell)) for cell in where]
        if not where:
            said = t("The mine total of {mines} does not fit the number of cells.", mines=mines)
        elif len(where) == 1 and mines is None:
            said = t("{number} is impossible with the cells around it.", number=names[0])
        elif len(where) == 1:
            said = t(
                "{number} contradicts the mine total of {mines}.", number=names[0], mines=mines
            )
        else:
            known = listed(names) if len(names) <= _MOST_NAMED else counted_numbers(len(names))
            if mines is None:
                said = t("{numbers} contradict each other.", numbers=known)
            else:
                said = t(
                    "{numbers} contradict the mine total of {mines}.", numbers=known, mines=mines
                )
        told = capital(said)
        if not minimal:
            told = sentences(told, t("A subset may be enough."))
        return Conflict(where, mines, minimal, told)

    def _as_conflict(self, indices: Sequence[int], *, total: bool, minimal: bool) -> Conflict:
        cells = map(self._position.topology.cell, indices)
        return self.told(cells, self._position.mines if total else None, minimal=minimal)

    def _orders(self, start: list[int]) -> list[list[int]]:
        """Return orders of deletion: by row, reversed, and by distance, nearest last."""
        width = self._position.width
        orders = [start, start[::-1]]
        for centre in (start[0], start[len(start) // 2], start[-1]):
            row, col = divmod(centre, width)
            orders.append(
                sorted(start, key=lambda i: -max(abs(i // width - row), abs(i % width - col)))
            )
        return orders

    def _pair(self, start: list[int]) -> list[int] | None:
        """Return two numbers that contradict each other, if any."""
        touching: dict[int, list[int]] = {}
        for index in start:
            for cell in self._around[index]:
                touching.setdefault(cell, []).append(index)
        for index in start:
            near = {other for cell in self._around[index] for other in touching[cell]}
            for other in sorted(near):
                if other > index and self._clash(index, other):
                    return [index, other]
        return None

    def _clash(self, first: int, second: int) -> bool:
        a, b = set(self._around[first]), set(self._around[second])
        least, most = 0, len(a & b)
        for own, index in ((a, first), (b, second)):
            least = max(least, self._need[index] - len(own - (a & b)))
            most = min(most, self._need[index])
        return least > most

    def _reduced(self, order: list[int], *, total: bool) -> list[int]:
        """Remove each number in turn if the others still contradict each other."""
        kept = list(order)
        # Try halves first, because most of a large set is not needed.
        size = max(1, len(kept) // 2)
        while size >= 1 and not self._work.is_late():
            at = 0
            while at < len(kept):
                rest = kept[:at] + kept[at + size :]
                if self._fails(rest, total=total):
                    kept = rest
                else:
                    at += size
            size //= 2
        # A number needed in a larger set is also needed in a smaller one.
        self._sure = self._sure and not self._work.is_late()
        return kept

    def _fails(self, numbers: Sequence[int], *, total: bool) -> bool:
        """Return whether these numbers alone have no solution; False if unknown."""
        rows: list[list[int]] = [[] for _ in self._hidden]
        for at, number in enumerate(numbers):
            for cell in self._around[number]:
                rows[cell].append(len(self._hidden) + at)
            rows.append(self._around[number])
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.uint32)
        flat = [cell for row in rows for cell in row]
        graph = _core.Graph(offsets, np.array(flat, dtype=np.uint32))
        cells = b"." * len(self._hidden) + bytes(ord("0") + self._need[n] for n in numbers)
        mines = self._left if total else None
        try:
            found = _core.analyze(
                graph, cells, mines, None, False, _STATES, self._work.left, self._work.cancel
            )
        except InconsistentPosition:
            return True
        self._sure = self._sure and found.exact
        return False
