"""The name of the pattern that proves a cell, for hints and reviews."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Self

from sapper._util.json_reading import cells, reading, text
from sapper._util.work import Work
from sapper.coach.patterns import Explanation, explanations, pattern_for
from sapper.position import Position, check_position
from sapper.solver.deduction import easiest
from sapper.topology import Cell

__all__ = ["PatternName", "missed_pattern", "pattern_name"]

_MOST_CELLS: Final = 10_000
"""On larger boards, patterns are not searched, because a player waits for the answer."""
_PROOF_S: Final = 10.0
"""The budget for finding a proof, which usually takes less than a millisecond."""


@dataclass(frozen=True, slots=True)
class PatternName:
    """A named pattern at a location on the board.

    Attributes:
        id: The id of the pattern.
        title: Its name with its place and form, such as ``1-2-1 at the wall, reduced from 2-3-2``.
        numbers: Its numbers, in row order.
    """

    id: str
    title: str
    numbers: tuple[Cell, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``."""
        return {
            "id": self.id,
            "title": self.title,
            "numbers": [list(cell) for cell in self.numbers],
        }

    @classmethod
    def from_json(cls, obj: Any, position: Position) -> Self:
        """Read the JSON form of a pattern in a position.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        check_position(position)
        with reading("a pattern"):
            return cls(
                text(obj["id"], "'id'"),
                text(obj["title"], "'title'"),
                cells(obj["numbers"], position.topology),
            )


def pattern_name(position: Position, cell: tuple[int, int]) -> PatternName | None:
    r"""Return the pattern that proves a cell safe or mined.

    >>> wall = Position.parse("...\n111\n000")
    >>> print(pattern_name(wall, (0, 2)).title)
    1-1 at the wall

    Args:
        position: A consistent position; flags are ignored.
        cell: An unopened cell.

    Returns:
        None if no named pattern proves it, if one number is enough, or on boards of more than
        10,000 cells.
    """
    if position.topology.size > _MOST_CELLS:
        return None
    found = pattern_for(position, position.topology.cell(position.topology.index(cell)))
    return None if found is None else _named(found)


def missed_pattern(
    position: Position, safe: Iterable[Cell], best: Cell | None = None
) -> PatternName | None:
    """Return the pattern that proves one of the safe cells that a player missed.

    Args:
        position: The consistent position before the mistake.
        safe: The proved safe cells.
        best: The one whose pattern is preferred (default: the one that is easiest to prove).

    Returns:
        None if no named pattern proves one of them, or on boards of more than 10,000 cells.
    """
    if position.topology.size > _MOST_CELLS:
        return None
    wanted = frozenset(safe)
    if best is None:
        indices = sorted(map(position.topology.index, wanted))
        proof = easiest(position, indices, Work(_PROOF_S))
        best = None if proof is None else proof.cell
    found = [one for at, one in explanations(position).items() if at in wanted]
    if not found:
        return None

    def effort(one: Explanation) -> tuple[bool, int, int, Cell]:
        pattern = one.occurrence.pattern
        return one.cell != best, pattern.level, pattern.order, one.cell

    return _named(min(found, key=effort))


def _named(found: Explanation) -> PatternName:
    occurrence = found.occurrence
    return PatternName(occurrence.pattern.id, found.title, occurrence.numbers)
