"""Events: what a game tells its listeners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sapper.topology import Cell, Topology

__all__ = [
    "Chorded",
    "Event",
    "Exploded",
    "Flagged",
    "Hinted",
    "Opened",
    "Pressed",
    "Questioned",
    "Released",
    "Restarted",
    "Started",
    "Undone",
    "Unflagged",
    "Unquestioned",
    "Won",
]


class Event:
    """The base of all events."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The first cell is opened, and the player's clock runs."""


@dataclass(frozen=True, slots=True)
class Chorded(Event):
    """A number was chorded; what this opened follows as an event of its own."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """One click has opened cells: one number, or an opening.

    Attributes:
        topology: The shape of the board.
        numbers: The opened cells' numbers by index, the clicked cell first.
    """

    topology: Topology
    numbers: Mapping[int, int]

    @property
    def cells(self) -> dict[Cell, int]:
        """The numbers by cell; made when asked for, since an opening may be the whole board."""
        return {self.topology.cell(index): number for index, number in self.numbers.items()}


@dataclass(frozen=True, slots=True)
class Exploded(Event):
    """A mine was opened, and the game is lost."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Won(Event):
    """The game is won."""


@dataclass(frozen=True, slots=True)
class Flagged(Event):
    """A flag was put on a cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Unflagged(Event):
    """A flag was taken off a cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Questioned(Event):
    """A question mark was put on a cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Unquestioned(Event):
    """A question mark was taken off a cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Hinted(Event):
    """The player was shown a cell; whoever gives the hint announces it."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Pressed(Event):
    """The player holds a cell down on the screen; the screen announces it."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Released(Event):
    """The player holds nothing down any more; the screen announces it."""


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last action was taken back; these cells changed."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Restarted(Event):
    """The game begins anew, every cell unopened."""
