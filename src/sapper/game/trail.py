"""The trail of a round: what each action opened or covered again, for the review."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sapper.board import Board
from sapper.position import Position
from sapper.rules import Settings
from sapper.solver import Analysis

__all__ = ["Trail", "Turn"]


class Turn(NamedTuple):
    """What opening one cell revealed, or what an undo covered again."""

    cell: int
    """The clicked cell; -1 for an undo."""
    cells: Sequence[int]
    """The cells that were opened, or covered again; an exploded mine is not among them."""
    numbers: bytes
    """The numbers that were opened, in the order of `cells`."""
    exploded: bool = False
    chord: int | None = None
    """The number that was chorded, if this was part of a chord."""

    @property
    def undone(self) -> bool:
        """Whether this is an undo."""
        return self.cell < 0


class Trail(NamedTuple):
    """Everything opened and covered again in a round, up to one moment.

    It is immutable, so one thread can review it while another plays on.
    """

    settings: Settings
    origin: Position | None
    """The position that the round started from, if any cell was open in it."""
    given: bool
    """Whether the board was given, so that the dealer did not choose it."""
    turns: tuple[Turn, ...]
    board: Board | None
    """Where the mines were, if the round is lost."""
    why: Callable[[Analysis, int], str]
    """What the rules had to do with a cell being a mine; see `Dealer.why`."""
