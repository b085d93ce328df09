"""Short proofs that a cell is safe or a mine, for people to follow.

The search tries one number, then two that share cells, then as few numbers near the cell as
possible, and finally the mine total or, without one, that the game is not over.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import Any, Final, Self

from sapper._util.arguments import switch, whole
from sapper._util.json_reading import cell as cell_of
from sapper._util.json_reading import cells, reading
from sapper._util.work import Work
from sapper.position import EXPLODED, NUMBERS, Position, check_position
from sapper.solver.contradiction import ConflictQuery
from sapper.solver.limit import Limit, checked
from sapper.solver.witnesses import COVERED, Witness, Witnesses
from sapper.solver.wording import last_clear_cell, sentence
from sapper.topology import Cell

__all__ = ["Deduction", "deduce", "easiest"]

_MOST_COUNTED: Final = 300
"""Above this number of unopened cells, proofs do not use the mine total."""

_MOST_TRIED: Final = 6
"""Number of cells tried for the shortest proof from more than two numbers."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """A proof that a cell is clear or a mine.

    Attributes:
        cell: The cell.
        witnesses: The numbers that imply it; if there are two, the one that touches the cell is
            last.
        mines: The mine total if the proof uses it, otherwise None.
        mined: Whether it proves a mine.
        running: Whether it uses that the game is not over, so that not all unopened cells are
            mines.
    """

    cell: Cell
    witnesses: tuple[Witness, ...]
    mines: int | None = None
    mined: bool = False
    running: bool = False

    @property
    def because(self) -> tuple[Cell, ...]:
        """The cells of the numbers used, in row order."""
        return tuple(sorted(witness.cell for witness in self.witnesses))

    def sentence(self, place: Callable[[Cell], str] = str) -> str:
        """The proof in words.

        Args:
            place: Formats a cell (default: ``(row, column)``, counted from 0).
        """
        if self.running:
            return last_clear_cell(alone=not self.witnesses)
        return sentence(self.witnesses, self.mines, place, mined=self.mined)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``.

        ``mined`` and ``running`` are included only if true.
        ``because`` lists the numbers in row order, ``witnesses`` in the order of the proof.
        """
        return {
            **({"mined": True} if self.mined else {}),
            **({"running": True} if self.running else {}),
            "cell": list(self.cell),
            "because": [list(cell) for cell in self.because],
            "witnesses": [list(witness.cell) for witness in self.witnesses],
            "mines": self.mines,
            "sentence": self.sentence(),
        }

    @classmethod
    def from_json(cls, obj: Any, position: Position) -> Self:
        r"""Read the JSON form of a proof in a position; it is not verified.

        >>> position = Position.parse("...\n111\n000")
        >>> proof = deduce(position, (0, 2))
        >>> Deduction.from_json(proof.to_json(), position) == proof
        True

        Raises:
            BadSave: If the JSON form is invalid, or a number used is not in the position.
        """
        check_position(position)
        with reading("a proof"):
            mines = None if obj["mines"] is None else whole(obj["mines"], "'mines'")
            if mines not in (None, position.mines):
                raise ValueError(f"the position does not have a total of {mines} mines")
            numbers = Witnesses(position)
            return cls(
                cell_of(obj["cell"], position.topology),
                tuple(
                    _witness(numbers, at, position)
                    for at in cells(obj["witnesses"], position.topology)
                ),
                mines,
                switch(obj.get("mined", False), "'mined'"),
                switch(obj.get("running", False), "'running'"),
            )


def _witness(numbers: Witnesses, at: Cell, position: Position) -> Witness:
    witness = numbers.at(position.topology.index(at))
    if witness is None:
        raise ValueError(f"{at} is not a number next to unopened cells")
    return witness


def deduce(
    position: Position,
    cell: tuple[int, int],
    *,
    mined: bool = False,
    limit: Limit | None = None,
    numbers: Iterable[tuple[int, int]] | None = None,
) -> Deduction | None:
    r"""Return the shortest proof found that a cell is clear or a mine; flags are ignored.

    >>> found = deduce(Position.parse("...\n111\n000"), (0, 2))
    >>> found.because
    (Cell(row=1, col=0), Cell(row=1, col=1))

    Args:
        position: The position.
        cell: The cell.
        limit: The budget; when it is exceeded, a proof may not be found. `Limit.states` is ignored.
        mined: Whether to prove a mine.
        numbers: The cells of the numbers that the proof may use (default: all numbers).

    Returns:
        None if there is no proof, or none was found within the limits.

    Raises:
        InconsistentPosition: If a number used is impossible. Other contradictions are not detected,
            and may lead to false proofs.
        BadCell: If the cell is not on the board.
        Cancelled: If the limit's flag is set.
    """
    check_position(position)
    index = position.topology.index
    only = None if numbers is None else frozenset(map(index, numbers))
    return _shortest(position, index(cell), checked(limit).work(), mined, only)


def _shortest(
    position: Position,
    place: int,
    work: Work | None,
    mined: bool = False,
    only: Container[int] | None = None,
) -> Deduction | None:
    if position.cells[place] not in COVERED:
        return None
    numbers = Witnesses(position, only)
    where = position.topology.cell(place)
    found = _by_one(numbers, place, mined) or _by_two(numbers, place, mined)
    found = found or _by_several(numbers, place, mined, work)
    if found is not None:
        return Deduction(where, tuple(found), mined=mined)
    if position.mines is None:
        last = None if mined else _by_running(numbers, place, position)
        return None if last is None else Deduction(where, tuple(last), running=True)
    if work and work.is_late():
        return None
    counted = _by_total(numbers, place, position, mined, work)
    return None if counted is None else Deduction(where, tuple(counted), position.mines, mined)


def easiest(position: Position, cells: Iterable[int], work: Work | None = None) -> Deduction | None:
    r"""Return the easiest proof that one of these cells is safe; ties go to the first in row order.

    >>> position = Position.parse("...\n111\n000")
    >>> easiest(position, [0, 2]).cell
    Cell(row=0, col=0)

    Args:
        position: The position.
        cells: The cells by index, in row order.
        work: The deadline.

    Returns:
        None if no proof was found within the time and effort limits.

    Raises:
        InconsistentPosition: As `deduce`.
    """
    work = work or Work()
    numbers, order, shape = Witnesses(position), list(cells), position.topology
    for prove in (_by_one, _by_two):
        for cell in order:
            if work.is_late():
                return None
            found = prove(numbers, cell, False)
            if found is not None:
                return Deduction(shape.cell(cell), tuple(found))
    tried = filter(None, (_shortest(position, c, work) for c in order[:_MOST_TRIED]))
    return min(tried, key=lambda proof: (proof.mines is not None, len(proof.because)), default=None)


def _by_one(numbers: Witnesses, cell: int, mined: bool) -> list[Witness] | None:
    for _, witness in numbers.around(cell):
        if witness.mines == (len(witness.cells) if mined else 0):
            return [witness]
    return None


def _by_two(numbers: Witnesses, cell: int, mined: bool) -> list[Witness] | None:
    """Find a proof by two numbers: the first settles the second's cells that it does not touch."""
    found = [
        # Proofs by a single number are the easiest to see, then those where one number's cells are
        # among another's.
        (
            witness.mines != (0 if mined else len(witness.cells)),
            bool(witness.cells - own.cells),
            at,
            [witness, own],
        )
        for _, own in numbers.around(cell)
        for at, witness in numbers.near([own]).items()
        if cell not in witness.cells and _settles(witness, own, mined)
    ]
    return min(found, key=lambda pair: pair[:3])[-1] if found else None


def _settles(witness: Witness, own: Witness, mined: bool) -> bool:
    """Return whether a number settles the remaining cells of another, as clear or as mines."""
    if mined:
        return own.mines - witness.most_in(own) >= len(own.cells - witness.cells)
    return witness.least_in(own) >= own.mines


def _by_several(
    numbers: Witnesses, cell: int, mined: bool, work: Work | None
) -> list[Witness] | None:
    """Find a proof from few numbers, as close to the cell as possible."""
    region = dict(numbers.around(cell))
    order = list(region)
    with ConflictQuery(cell, work, mined=mined) as question:
        question.add(region)
        while region and not (work and work.is_late()):
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


def _by_running(numbers: Witnesses, cell: int, position: Position) -> list[Witness] | None:
    """Find a proof from numbers that make all other unopened cells mines, if the game is not over.

    Without a mine total, only an unopened cell that no number touches has such a proof.
    """
    if not position.running or position.density in (0, 1):
        return None
    if not any(map(position.cells.count, NUMBERS)):
        return None
    open_to = {i for i, char in enumerate(position.cells) if char in COVERED and i != cell}
    full = [w for _, w in sorted(numbers.all().items()) if w.mines == len(w.cells)]
    if frozenset().union(*(witness.cells for witness in full)) != open_to:
        return None
    needed = full
    for witness in reversed(full):
        others = [other for other in needed if other is not witness]
        if frozenset().union(*(other.cells for other in others)) == open_to:
            needed = others
    return needed


def _by_total(
    numbers: Witnesses, cell: int, position: Position, mined: bool, work: Work | None
) -> list[Witness] | None:
    """Find a proof from few numbers and the mine total."""
    region, unopened = numbers.all(), len(position.unopened_cells())
    assert position.mines is not None
    left = position.mines - position.cells.count(EXPLODED.encode())
    if not 0 <= left <= unopened or unopened > _MOST_COUNTED:
        return None
    with ConflictQuery(cell, work, mined=mined) as question:
        question.add(region)
        question.count([i for i, char in enumerate(position.cells) if char in COVERED], left)
        core = question.core(list(region))
    return None if core is None else [region[at] for at in core]
