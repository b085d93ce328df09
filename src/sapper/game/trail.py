"""The trail of a round: the cells each action opened or covered again, for reviews."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sapper.board import Board
from sapper.position import Position
from sapper.rules import Settings
from sapper.solver import Analysis

__all__ = ["Trail", "Turn"]


class Turn(NamedTuple):
    """The cells that one click opened, or that an undo covered again."""

    cell: int
    """The clicked cell; -1 for an undo."""
    cells: Sequence[int]
    """The cells that were opened, or covered again; an exploded mine is not among them."""
    numbers: bytes
    """The numbers that were opened, in the order of `cells`."""
    exploded: bool = False
    chord: int | None = None
    """The chorded number, if this was part of a chord."""

    @property
    def undone(self) -> bool:
        """Whether this is an undo."""
        return self.cell < 0


class Trail(NamedTuple):
    """All cells opened and covered again in a round so far.

    It is immutable, so one thread can review it while another continues the game.
    """

    settings: Settings
    origin: Position | None
    """The position that the round started from, if any cell was open in it."""
    given: bool
    """Whether the board was given rather than chosen by the dealer."""
    turns: tuple[Turn, ...]
    board: Board | None
    """Where the mines were, if the round is lost."""
    why: Callable[[Analysis, int], str]
    """Explains how the rules made a cell a mine; see `Dealer.why`."""
