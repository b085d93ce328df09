"""The dealer interface: only the dealer knows, or decides, where the mines are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from sapper._util.renamed import renamed_argument
from sapper.board import Board
from sapper.errors import BadSetting
from sapper.position import NUMBERS, UNOPENED, Position
from sapper.rules import Rules, Settings
from sapper.solver import Analysis
from sapper.topology import Topology

__all__ = ["Dealer", "LivePosition", "Reveal", "can_be_clear", "reveals"]

_UNOPENED = ord(UNOPENED)


class LivePosition:
    """A position that changes during its game, so that moves need not copy the board.

    Attributes:
        topology: The shape of the board.
        cells: The cells as in `Position`, but writable. Only the game writes to it.
        mines: The mine total known to the player, or None.
        density: The density known to the player, or None.
        running: As in `Position`. Only the game writes to it.
        opened: Number of open numbers.
        flags: Number of flags.
    """

    __slots__ = ("_frozen", "cells", "density", "flags", "mines", "opened", "running", "topology")

    def __init__(self, position: Position, *, running: bool = True) -> None:
        self.topology: Topology = position.topology
        self.cells = bytearray(position.cells)
        self.mines, self.density = position.mines, position.density
        self.running = running
        self.flags = position.cells.count(b"F")
        self.opened = sum(map(position.cells.count, NUMBERS))
        self._frozen: Position | None = position if running == position.running else None

    def changed(self) -> None:
        """Record that `cells` were changed."""
        self._frozen = None

    @property
    def position(self) -> Position:
        """The player's current view; built on access."""
        if self._frozen is None:
            self._frozen = Position.trusted(
                self.topology, bytes(self.cells), self.mines, self.density, self.running
            )
        return self._frozen


@dataclass(frozen=True, slots=True)
class Reveal:
    """The result of a click.

    Attributes:
        numbers: The opened cells' numbers by index, the clicked cell first; empty if it was a mine.
        exploded: Whether the clicked cell was a mine.
    """

    numbers: Mapping[int, int]
    exploded: bool = False


class Dealer(ABC):
    """Decides what each click reveals, and when the game is won.

    A new rule set is one file with one subclass, which `sapper.dealer.register` registers. A dealer
    is deterministic: equal settings and equal clicks give equal games. It may keep a board
    (`FixedDealer`), or deal at each click from all boards that fit.

    Args:
        settings: The settings, already checked against `rules`.
        position: The position to continue from, if any cell is open.
        board: The mines, if not chosen by the dealer.

    Raises:
        BadSetting: If the dealer does not support the settings.
    """

    rules: ClassVar[Rules]
    """The rule set: its name and properties."""

    def __init__(
        self, settings: Settings, position: Position | None = None, board: Board | None = None
    ) -> None:
        if board is not None:
            raise BadSetting(
                f"rules {self.rules.name} place their own mines and do not accept a board"
            )
        self.settings = settings

    @classmethod
    @abstractmethod
    def check(cls, settings: Settings) -> None:
        """Reject settings under which a first click could break its promise.

        Raises:
            BadSetting: With the reason.
        """

    @abstractmethod
    def open(self, seen: LivePosition, cell: int) -> Reveal:
        """Open an unopened, unflagged cell, given by index."""

    @abstractmethod
    def is_cleared(self, seen: LivePosition) -> bool:
        """Return whether every clear cell is open."""

    @abstractmethod
    def is_flagged(self, seen: LivePosition) -> bool:
        """Return whether exactly the mines are flagged."""

    @abstractmethod
    def final_board(self, seen: LivePosition) -> Board:
        """Return where the mines were; called only after the game has ended."""

    def why(self, analysis: Analysis, cell: int) -> str:
        """Explain why the rules made the cell at this index a mine.

        Args:
            analysis: The analysis of the position before that click.
            cell: The mine.

        Returns:
            Return a clause that names the rule that forbids the guess; empty if none does.
        """
        return ""

    @classmethod
    def granted(cls, analysis: Analysis, settings: Settings) -> list[int]:
        """Return the indices of cells that these rules open although they are not proved safe."""
        return []

    @classmethod
    def advice(cls, analysis: Analysis, settings: Settings) -> str | None:
        """Return a hint specific to these rules, which takes flags into account, or None."""
        return None

    def kept_board(self) -> Board | None:
        """Return the board to keep for replaying the same game; None if the seed is enough."""
        return None

    @abstractmethod
    def snapshot(self) -> Any:
        """Return the dealer's state as an immutable value, for undo."""

    @abstractmethod
    def restore(self, snapshot: Any) -> None:
        """Restore a snapshot, after which the same clicks give the same results."""


def reveals(board: Board) -> Callable[[LivePosition, int], Reveal]:
    """Return what opening an unopened cell of a board shows: a mine, a number or an opening.

    Flagged cells stay closed, as in all versions since Windows 3.1, and stop the flood fill.
    """
    return partial(_reveal, board.mined, board.numbers)


def _reveal(mined: bytes, numbers: bytes, seen: LivePosition, start: int) -> Reveal:
    if mined[start]:
        return Reveal({}, exploded=True)
    found = {start: numbers[start]}
    if numbers[start]:
        return Reveal(found)
    cells, neighbours = seen.cells, seen.topology.graph.neighbours
    zeros = [start]
    while zeros:
        for cell in neighbours(zeros.pop()):
            if cell not in found and cells[cell] == _UNOPENED:
                number = found[cell] = numbers[cell]
                if not number:
                    zeros.append(cell)
    return Reveal(found)


@renamed_argument("known", "analysis")
def can_be_clear(analysis: Analysis) -> list[int]:
    """The unopened cells, by index, that are not proved mines."""
    index = analysis.position.topology.index
    return [
        index(cell) for cell in analysis.position.unopened_cells() if cell not in analysis.mined
    ]
