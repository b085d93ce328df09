"""Satisfiability questions about boards whose looks have unknown meanings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from sapper.position import FLAGGED, UNOPENED
from sapper.solver.sat import Formula
from sapper.vision.looks import MINE
from sapper.vision.unthemed.gallery import Looks

__all__ = ["DIGITS", "LookFormula"]

DIGITS = "012345678"
_NO = 1
"""A variable that is always false."""
_ENOUGH = 3
"""Number of proved mines among the cells of a look after which all its cells count as mines."""


class LookFormula:
    """A formula for all boards and all looks.

    Each unopened cell has a variable that is true if the cell is a mine, and each possible meaning
    of a look has a variable that is true if the look has that meaning. A look has the same meaning
    on all cells. A look never shown during a game may be an end-of-game mark on an unopened cell,
    even a safe one, and gives no information about mines.

    Args:
        near: The neighbours of each cell, as indices.
        names: The named looks.
        live: Looks seen on boards of continuing games, which are therefore not opened mines.
        opened: Looks that a click gave to the clicked cell, which are therefore not marks.
    """

    def __init__(
        self,
        near: tuple[tuple[int, ...], ...],
        names: Mapping[int, str],
        live: set[int],
        opened: set[int],
    ) -> None:
        self._near, self._names, self._live, self._opened = near, names, live, opened
        self._formula = Formula()
        self._formula.add([-self._formula.new()])
        self._means: dict[int, dict[str, int]] = {}
        self._ended: dict[int, list[tuple[int, bool]]] = {}
        self._mines: list[int] = []
        self._first: list[int] = []

    def board(self, board: Looks, *, over: bool = False, won: bool = False) -> None:
        """Add a board; queries about mines refer to the first one."""
        looks = board.tolist()
        self._mines = [self._mine(look, over) for look in looks]
        self._first = self._first or self._mines
        for at, look in enumerate(looks):
            if over:
                self._ended.setdefault(look, []).append((self._mines[at], won))
            for digit, name in self._meanings(look).items():
                if digit in DIGITS:
                    self._count(name, int(digit), [self._mines[n] for n in self._near[at]])

    def ending(self, look: int, untouched: Iterable[int], opened: Mapping[int, int]) -> None:
        """Record that the last added board was final: a mine was opened, or only mines are left.

        Args:
            look: Look of the last clicked cell.
            untouched: Cells that were unopened before that click and cannot have been opened by it.
            opened: Cells that it may have opened by opening a zero, with their current looks.
        """
        meanings = self._meanings(look)
        lost, zero = meanings.get(MINE, _NO), meanings.get("0", _NO)
        for at in untouched:
            self._formula.add([lost, self._mines[at]])
        for at, shown_look in opened.items():
            numbers = [name for m, name in self._meanings(shown_look).items() if m in DIGITS]
            self._formula.add([lost, self._mines[at], zero], [lost, self._mines[at], *numbers])

    def possible(self) -> bool:
        """Return whether there is any solution."""
        return bool(self._formula.ask())

    def meanings(self, look: int) -> str:
        """Return the meanings of a look for which there is a solution."""
        choices = self._meanings(look)
        return "".join(m for m, name in choices.items() if self._formula.ask([name]))

    def marks_mines(self, look: int) -> bool:
        """Return whether a look on final boards marks mines, according to the numbers.

        A look marks mines if all its cells are proved mines, or if enough are proved and the others
        may be mines. Won boards count only if there are no others, because all their remaining
        cells are mines.
        """
        marked = self._ended.get(look, [])
        mines = [mine for mine, won in marked if not won] or [mine for mine, _ in marked]
        proved = sum(not self._formula.ask([-mine]) for mine in mines)
        return proved > 0 and proved >= min(len(mines), _ENOUGH)

    def safe(self, cells: Iterable[int]) -> list[int]:
        """Return the given cells that are safe under every possible meaning of the looks."""
        return self._always(cells, 1)

    def mined(self, cells: Iterable[int]) -> list[int]:
        """Return the given cells that are mines under every possible meaning of the looks."""
        return self._always(cells, -1)

    def _always(self, cells: Iterable[int], mine: int) -> list[int]:
        left = {at: mine * self._first[at] for at in cells}
        sure = []
        while left:
            at, against = left.popitem()
            if not self._formula.ask([against]):
                sure.append(at)
                continue
            is_true = self._formula.model()
            left = {n: v for n, v in left.items() if not is_true(v)}
        return sorted(sure)

    def _meanings(self, look: int) -> dict[str, int]:
        """Return the possible meanings of a look with their variables; empty if it is unopened."""
        name = self._names.get(look)
        if name in (UNOPENED, FLAGGED):
            return {}
        if name is not None:
            return {name if name in DIGITS else MINE: -_NO}
        if look not in self._means:
            allowed = DIGITS if look in self._live else DIGITS + MINE
            if look not in self._live | self._opened:
                allowed += UNOPENED
            self._means[look] = {meaning: self._formula.new() for meaning in allowed}
            choices = list(self._means[look].values())
            self._formula.add(choices)
            for one, other in combinations(choices, 2):
                self._formula.add([-one, -other])
        return self._means[look]

    def _mine(self, look: int, over: bool) -> int:
        """Return the literal for a mine on a cell with this look."""
        look_name = self._names.get(look)
        if look_name == UNOPENED or (look_name == FLAGGED and not over):
            return self._formula.new()
        if look_name == FLAGGED:
            return -_NO
        choices = self._meanings(look)
        if UNOPENED not in choices:
            return choices.get(MINE, _NO)
        # A marked cell may or may not have a mine.
        mine = self._formula.new()
        for meaning, name in choices.items():
            if meaning != UNOPENED:
                self._formula.add([-name, mine if meaning == MINE else -mine])
        return mine

    def _count(self, name: int, number: int, around: list[int]) -> None:
        """Require the number of mines around a cell if `name` is true."""
        number -= around.count(-_NO)
        open_ = [mine for mine in around if abs(mine) != _NO]
        if not 0 <= number <= len(open_):
            self._formula.add([-name])
            return
        self._formula.exactly(number, open_, name)
