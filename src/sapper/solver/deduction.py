"""Why a safe cell is safe: a short proof that a person can follow.

First one number, then two that share cells, then as few numbers as can be found, and last the
mine total as well. The few are an unsatisfiable core, made irreducible by deletion (J. Marques-
Silva, "Minimal Unsatisfiability", ISMVL 2010): without any one of them it proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from sapper.position import FLAGGED, UNOPENED, Position
from sapper.solver.proof import clauses
from sapper.topology import Cell

__all__ = ["Deduction", "Witness", "deduce"]

_COVERED: Final = (ord(UNOPENED), ord(FLAGGED))
_MINE, _ZERO, _EIGHT = ord("*"), ord("0"), ord("8")

_CONFLICTS: Final = 2_000
"""Conflicts a question may take before it counts as unanswered."""
_MOST_COUNTED: Final = 300
"""With more unopened cells than this, what takes the total is not made shorter."""
_MOST_NAMED: Final = 4
"""More numbers than this are counted, not named."""

_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True, slots=True)
class Witness:
    """A number, and what it says of unopened cells.

    Attributes:
        cell: Where the number is.
        number: The number.
        cells: The unopened cells around it, by index.
        mines: How many of them hold mines: the number less the opened mines.
    """

    cell: Cell
    number: int
    cells: frozenset[int]
    mines: int


@dataclass(frozen=True, slots=True)
class Deduction:
    """A proof that a cell holds no mine.

    Attributes:
        cell: The cell.
        witnesses: The numbers it follows from; of two, the one that touches the cell is last.
        mines: The mine total, where the proof takes that as well; else None.
    """

    cell: Cell
    witnesses: tuple[Witness, ...]
    mines: int | None = None

    @property
    def because(self) -> tuple[Cell, ...]:
        """The cells of the numbers it follows from, in row order."""
        return tuple(sorted(witness.cell for witness in self.witnesses))

    def sentence(self, place: Callable[[Cell], str] = str) -> str:
        """The proof in words.

        Args:
            place: Names a cell; as ``(row, column)`` from 0 where left out.
        """
        told = self.witnesses if len(self.witnesses) < 3 else sorted(self.witnesses, key=_where)
        names = [f"the {witness.number} at {place(witness.cell)}" for witness in told]
        if self.mines is not None:
            if not names:
                return "The mine total leaves no mine for unopened cells."
            total = _counted(self.mines, "mine")
            return f"With {total} in all, {_together(names)} no room for a mine here."
        if len(names) == 1:
            return _single(names[0], self.witnesses[0])
        if len(names) == 2 and (said := _pair(names, *self.witnesses)):
            return said
        return _capital(f"{_together(names)} no room for a mine here.")


def deduce(position: Position, cell: tuple[int, int]) -> Deduction | None:
    r"""The shortest proof found that a cell holds no mine; flags are ignored.

    >>> found = deduce(Position.parse("...\n111\n000"), (0, 2))
    >>> found.because
    (Cell(row=1, col=0), Cell(row=1, col=1))

    Returns:
        None if there is no proof, or none was found with a bounded effort.
    """
    place = position.topology.index(cell)
    if position.cells[place] not in _COVERED:
        return None
    numbers = _Numbers(position)
    where = position.topology.cell(place)
    found = _by_one(numbers, place) or _by_two(numbers, place) or _by_several(numbers, place)
    if found is not None:
        return Deduction(where, tuple(found))
    if position.mines is None:
        return None
    counted = _by_total(numbers, place, position)
    return None if counted is None else Deduction(where, tuple(counted), position.mines)


class _Numbers:
    """The witnesses of a position, made when looked at."""

    def __init__(self, position: Position) -> None:
        self._cells, self._shape = position.cells, position.topology
        self._known: dict[int, Witness | None] = {}

    def around(self, cell: int) -> Iterator[tuple[int, Witness]]:
        """The numbers that touch a cell, with their indices."""
        for near in self._shape.graph.neighbours(cell):
            witness = self._witness(near)
            if witness is not None:
                yield near, witness

    def near(self, witnesses: Iterable[Witness]) -> dict[int, Witness]:
        """The numbers that share an unopened cell with one of these, in row order."""
        shared = sorted({cell for witness in witnesses for cell in witness.cells})
        return dict(sorted(pair for cell in shared for pair in self.around(cell)))

    def all(self) -> dict[int, Witness]:
        """Every number with an unopened cell around it, in row order."""
        found = ((cell, self._witness(cell)) for cell in range(len(self._cells)))
        return {cell: witness for cell, witness in found if witness is not None}

    def _witness(self, cell: int) -> Witness | None:
        if cell not in self._known:
            self._known[cell] = self._made(cell)
        return self._known[cell]

    def _made(self, cell: int) -> Witness | None:
        char = self._cells[cell]
        if not _ZERO <= char <= _EIGHT:
            return None
        around = self._shape.graph.neighbours(cell)
        covered = frozenset(near for near in around if self._cells[near] in _COVERED)
        opened = sum(self._cells[near] == _MINE for near in around)
        number = char - _ZERO
        if not covered:
            return None
        return Witness(self._shape.cell(cell), number, covered, number - opened)


def _by_one(numbers: _Numbers, cell: int) -> list[Witness] | None:
    for _, witness in numbers.around(cell):
        if witness.mines == 0:
            return [witness]
    return None


def _by_two(numbers: _Numbers, cell: int) -> list[Witness] | None:
    """Two numbers, the second of which has all its mines where the first has to have them."""
    found = [
        (witness.mines != len(witness.cells), bool(witness.cells - own.cells), at, [witness, own])
        for _, own in numbers.around(cell)
        for at, witness in numbers.near([own]).items()
        if cell not in witness.cells and _forced(witness, own) >= own.mines
    ]
    # What one number alone settles is easiest to see, then what lies wholly within another.
    return min(found, key=lambda pair: pair[:3])[-1] if found else None


def _forced(witness: Witness, own: Witness) -> int:
    """The least number of a witness's mines among the cells of another."""
    return witness.mines - len(witness.cells - own.cells)


def _by_several(numbers: _Numbers, cell: int) -> list[Witness] | None:
    """Few numbers that prove it together, as near to the cell as may be."""
    region = dict(numbers.around(cell))
    order = list(region)
    with _Question(cell) as question:
        question.add(region)
        while region:
            core = question.core(order)
            if core is not None:
                return [region[at] for at in core]
            wider = numbers.near(region.values())
            added = {at: witness for at, witness in wider.items() if at not in region}
            if not added:
                return None
            question.add(added)
            region.update(added)
            order += added
    return None


def _by_total(numbers: _Numbers, cell: int, position: Position) -> list[Witness] | None:
    """Few numbers that prove it together with the mine total."""
    region, unopened = numbers.all(), len(position.unopened_cells())
    assert position.mines is not None
    left = position.mines - position.cells.count(_MINE)
    if not 0 <= left <= unopened or unopened > _MOST_COUNTED:
        return None
    with _Question(cell) as question:
        question.add(region)
        question.count([i for i, char in enumerate(position.cells) if char in _COVERED], left)
        core = question.core(list(region))
    return None if core is None else [region[at] for at in core]


class _Question:
    """Whether a mine on a cell contradicts numbers, and which of them it takes for that."""

    def __init__(self, cell: int) -> None:
        self._sat = Solver(name="minisat22")
        self._variables: dict[int, int] = {}
        self._switches: dict[int, int] = {}
        self._last = 0
        self._mine = self._variable(cell)

    def __enter__(self) -> _Question:
        return self

    def __exit__(self, *_: object) -> None:
        self._sat.delete()

    def _new(self) -> int:
        self._last += 1
        return self._last

    def _variable(self, cell: int) -> int:
        if cell not in self._variables:
            self._variables[cell] = self._new()
        return self._variables[cell]

    def add(self, witnesses: dict[int, Witness]) -> None:
        """Make numbers known; each can be left out of a question."""
        for at, witness in witnesses.items():
            named = {self._variable(cell): cell for cell in sorted(witness.cells)}
            switch = self._switches[at] = self._new()
            for clause in clauses(witness.mines, [variable - 1 for variable in named]):
                self._sat.add_clause([*clause, -switch])

    def count(self, cells: list[int], mines: int) -> None:
        """Make the mine total known."""
        variables = [self._variable(cell) for cell in cells]
        encoded = CardEnc.equals(variables, mines, self._last, encoding=EncType.totalizer)
        self._sat.append_formula(encoded.clauses)

    def core(self, order: list[int]) -> list[int] | None:
        """Numbers that contradict a mine, none of them needless; None if these do not.

        Args:
            order: The numbers to use; the last are the first to be left out.
        """
        needed = self._core(order)
        if needed is None:
            return None
        for at in [at for at in reversed(order) if at in needed]:
            if at in needed:
                smaller = self._core([other for other in order if other in needed and other != at])
                needed = needed if smaller is None else smaller
        return [at for at in order if at in needed]

    def _core(self, numbers: list[int]) -> set[int] | None:
        switches = {self._switches[at]: at for at in numbers}
        self._sat.conf_budget(_CONFLICTS)
        if self._sat.solve_limited(assumptions=[self._mine, *switches]) is not False:
            return None
        return {switches[switch] for switch in self._sat.get_core() or () if switch in switches}


def _single(name: str, witness: Witness) -> str:
    if witness.number == 0:
        return _capital(f"{name} has no mine around it.")
    return _capital(f"{name} has its {_mines(witness.number)} already, and that is open.")


def _pair(names: list[str], first: Witness, own: Witness) -> str:
    """What two numbers say; nothing if it is no such pair."""
    if _forced(first, own) < own.mines:
        return ""
    if first.mines == len(first.cells):
        return _capital(
            f"{names[0]} has only {_counted(first.mines, 'unopened cell')} around it, "
            f"which must be {_mines(first.mines, 'a ')}. "
            f"So {names[1]} has its {_mines(own.number)} already."
        )
    if first.cells - own.cells:
        lying = f"at least {_counted(own.mines, 'mine')}"
    else:
        lying = "the mine" if own.mines == 1 else f"the {_counted(own.mines, 'mine')}"
    verb = "lies" if own.mines == 1 else "lie"
    return _capital(
        f"{lying} around {names[0]} {verb} in cells that {names[1]} touches as well. "
        f"So {names[1]} has no mine left for its other cells."
    )


def _together(names: list[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} leaves"
    if len(names) <= _MOST_NAMED:
        return f"{', '.join(names[:-1])} and {names[-1]} together leave"
    return f"{_counted(len(names), 'number')} together leave"


def _mines(count: int, one: str = "") -> str:
    return f"{one}mine" if count == 1 else "mines"


def _counted(count: int, noun: str) -> str:
    word = _WORDS[count] if count < len(_WORDS) else str(count)
    return f"{word} {noun}{'' if count == 1 else 's'}"


def _where(witness: Witness) -> Cell:
    return witness.cell


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
