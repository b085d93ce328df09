"""The numbers that a cell may show, with their probabilities and the resulting win chances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from sapper._util.arguments import whole
from sapper._util.json_reading import fraction, reading
from sapper._util.renamed import renamed
from sapper.coach.decisions import Value
from sapper.coach.values import Values, numbers
from sapper.errors import BadSetting, LimitReached
from sapper.position import Position, check_position
from sapper.solver import Limit, Solver
from sapper.solver.limit import checked

__all__ = ["Outcome", "outcomes"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A number that a cell may show.

    Attributes:
        number: The number; None for a mine.
        chance: Its probability, from 0 to 1; the chances of a cell add up to 1.
        safe_count: The number of unopened cells that would then be proved safe.
        value: The win chance after opening it: 0 for a mine, None if unknown.
    """

    number: int | None
    chance: float
    safe_count: int
    value: Value | None

    safe = renamed("safe", "safe_count")

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "number": self.number,
            "chance": self.chance,
            "safe": self.safe_count,
            "value": None if self.value is None else self.value.to_json(),
        }

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Read the JSON form.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        with reading("an outcome"):
            number, value = obj["number"], obj["value"]
            return cls(
                None if number is None else whole(number, "'number'"),
                fraction(obj["chance"], "'chance'"),
                whole(obj["safe"], "'safe'"),
                None if value is None else Value.from_json(value),
            )


def outcomes(
    position: Position,
    cell: tuple[int, int],
    *,
    values: bool = True,
    sample: bool = False,
    limit: Limit | None = None,
) -> tuple[Outcome, ...]:
    r"""Return the possible outcomes of opening a cell: numbers in order, then a mine.

    A zero means the cell alone, before it opens its neighbours.

    >>> found = outcomes(Position.parse("..\n11", mines=1), (0, 0))
    >>> [(one.number, one.chance) for one in found]
    [(1, 0.5), (None, 0.5)]

    Args:
        position: The position; flags are ignored.
        cell: An unopened cell.
        values: Whether to compute win chances.
        sample: Whether to simulate games, which is slow, if win chances are neither exact nor
            learned.
        limit: The budget: states for each analysis, and seconds in total. When it is exceeded, win
            chances are left out, and a number not yet counted raises an error.

    Raises:
        BadCell: If the cell is not on the board.
        BadSetting: If the cell is opened.
        InconsistentPosition: If no arrangement of mines fits.
        LimitReached: If the position is too wide to count.
    """
    check_position(position)
    if not position.is_unopened(cell):
        raise BadSetting(f"{position.topology.cell(position.topology.index(cell))} is opened")
    limit, solver = checked(limit), Solver()
    work = limit.work()
    known = solver.analyze(position.without_flags(), limit=limit)
    if not known.exact:
        raise LimitReached("the position is too wide for its numbers to be counted")
    index = position.topology.index(cell)
    finder = Values(limit, solver, work) if values else None
    found = [
        Outcome(
            int(after.position.cells[index]) - ord("0"),
            chance,
            len(after.safe_indices),
            None if finder is None else finder.of(after.position, sample=sample),
        )
        for chance, after in numbers(known, index, solver, limit, work)
    ]
    p_mine = float(known.p_mine.flat[index])
    if p_mine > 0:
        found.append(Outcome(None, p_mine, 0, Value(0.0, "exact") if values else None))
    return tuple(found)
