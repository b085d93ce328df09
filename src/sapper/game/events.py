"""Events that a game sends to its listeners."""

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
    """Base class of all events."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The first cell is opened, and the player's clock starts."""


@dataclass(frozen=True, slots=True)
class Chorded(Event):
    """A number was chorded; the opened cells follow as separate events."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """A click opened cells: one number, or an opening.

    Attributes:
        topology: The shape of the board.
        numbers: The opened cells' numbers by index, the clicked cell first.
    """

    topology: Topology
    numbers: Mapping[int, int]

    @property
    def cells(self) -> dict[Cell, int]:
        """The numbers by cell; computed on access, since an opening may be the whole board."""
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
    """A flag was set on a cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Unflagged(Event):
    """A flag was removed from a cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Questioned(Event):
    """A question mark was set on a cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Unquestioned(Event):
    """A question mark was removed from a cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Hinted(Event):
    """A hint showed the player a cell; sent by the source of the hint."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Pressed(Event):
    """The player is pressing a cell on the screen; sent by the screen."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Released(Event):
    """The player released the pressed cell; sent by the screen."""


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last action was undone, which changed these cells."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Restarted(Event):
    """The game restarts with every cell unopened."""
