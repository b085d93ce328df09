"""A board that people play together or side by side, where a mine does not end the game."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from sapper import dealer as dealers
from sapper.actions import Action, ActionKind
from sapper.board import Board
from sapper.dealer.base import LivePosition, reveals
from sapper.dealer.fixed import FixedDealer
from sapper.errors import BadSetting, IllegalAction, LimitReached
from sapper.game.round import Round
from sapper.game.table import Table
from sapper.generation import GameId, generate, substream
from sapper.generation.uniform import first_cells
from sapper.position import EXPLODED, Position
from sapper.rules import FirstClick, Level
from sapper.topology import Topology

__all__ = ["Changes", "LiveBoard", "changed_cells", "check_rules", "deal_opened"]

Changes = dict[int, str]
"""The changed cells of a board by index, each with its new character as in a `Position`."""

_ZERO: Final = ord("0")
_TRIES: Final = 20


def changed_cells(shape: Topology, changes: Changes) -> list[list[int | str]]:
    """Return changes as ``[row, col, character]``."""
    return [[*shape.cell(index), char] for index, char in changes.items()]


def check_rules(level: Level, rules: str) -> None:
    """Reject rule sets whose mines move, and levels that they do not support.

    Raises:
        BadSetting: With the reason.
    """
    dealers.settings(level, rules)
    if not issubclass(dealers.DEALERS[rules], FixedDealer) or _moves_mines(rules):
        raise BadSetting(f"rules {rules} move mines, so players cannot share a board")


def _moves_mines(rules: str) -> bool:
    # The ``fair`` rules deal a board first but move its mines after a guess.
    return bool({"remove_mines", "add_mines"} & {o.name for o in dealers.RULES[rules].options})


def deal_opened(level: Level, rules: str, seed: int) -> GameId:
    """Return a board of a level with the cell to open first, which is an opening if possible.

    Raises:
        BadSetting: If the rules move mines.
        LimitReached: If no board was found.
    """
    check_rules(level, rules)
    if rules == "no-guess":
        [made] = generate(level, seed=substream(seed, "board"), no_guess="total")
        return GameId(made.board, made.start)
    offered = dealers.RULES[rules].first_clicks
    promise = FirstClick.OPENING if FirstClick.OPENING in offered else offered[0]
    starts = first_cells(level, promise)
    for number in range(_TRIES):
        drawn = substream(seed, "board", number)
        start = starts[substream(seed, "first", number) % len(starts)]
        played = Round(dealers.settings(level, rules, first_click=promise, seed=drawn), None, None)
        played.open(start)
        board = played.kept_board()
        if board is not None and not board.mined[start]:
            return GameId(board, level.shape().cell(start))
    raise LimitReached(f"no board of {level} with a safe start was found in {_TRIES} tries")


class LiveBoard:
    """A board during a game, in which an opened mine stays on the board as a known mine.

    Args:
        board: The mines.
        level: The level, with what players know about the mines.
        cells: The cells as in a `Position` (default: all unopened).
    """

    def __init__(self, board: Board, level: Level, cells: str | None = None) -> None:
        unopened = level.unopened()
        shown = unopened if cells is None else unopened.showing(cells.encode("ascii"))
        self._table = Table(LivePosition(shown), reveals(board))
        self._board = board

    @cached_property
    def clear(self) -> int:
        """Number of cells without a mine."""
        return len(self._board.mined) - self._board.mines

    @property
    def position(self) -> Position:
        """The visible state: numbers, flags, unopened cells, and opened mines."""
        return self._table.seen.position

    @property
    def cells(self) -> str:
        """The cells in row order, as in a `Position`."""
        return self._table.seen.cells.decode("ascii")

    @property
    def opened(self) -> int:
        """Number of open numbers."""
        return self._table.seen.opened

    @property
    def is_cleared(self) -> bool:
        """Whether every clear cell is open."""
        return self.opened == self.clear

    def act(self, action: Action) -> Changes:
        """Open, flag or chord; return the changes, which are empty for a click without effect.

        A mine among the cells of a chord leaves the cells after it unopened.

        Raises:
            BadCell: If the cell is not on the board.
            IllegalAction: If the action is of another kind.
        """
        if action.cell is None or action.kind not in _KINDS:
            raise IllegalAction(f"players can open, flag and chord cells, not {action.kind}")
        index = self._table.seen.topology.index(action.cell)
        if action.kind is ActionKind.OPEN:
            return self.open([index])
        if action.kind is ActionKind.CHORD:
            return self.open(self._table.chorded(index))
        changed = self._table.toggle_flag(index)
        return {index: "F" if self._table.is_flagged(index) else "."} if changed else {}

    def open(self, cells: list[int]) -> Changes:
        """Open cells in order, by index, up to the first mine; skip cells that are not unopened."""
        changes: Changes = {}
        for cell, reveal in self._table.open(cells):
            if reveal.exploded:
                changes[cell] = EXPLODED
                break
            changes |= {index: chr(_ZERO + number) for index, number in reveal.numbers.items()}
        return changes


_KINDS = (ActionKind.OPEN, ActionKind.FLAG, ActionKind.CHORD)
