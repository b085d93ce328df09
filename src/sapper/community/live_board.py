"""A board that people play together or side by side, where a mine does not end the game."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from sapper import dealer as dealers
from sapper.actions import Action, ActionKind
from sapper.board import Board
from sapper.dealer.base import LivePosition, flood
from sapper.dealer.fixed import FixedDealer
from sapper.errors import BadSetting, IllegalAction, LimitReached
from sapper.game.round import Round
from sapper.generation import GameId, generate, substream
from sapper.generation.uniform import first_cells
from sapper.position import NUMBERS, Position
from sapper.rules import FirstClick, Level
from sapper.topology import Topology

__all__ = ["Changes", "LiveBoard", "changed_cells", "check_rules", "deal_opened"]

Changes = dict[int, str]
"""The changed cells of a board by index, each with its new character as in a `Position`."""

_UNOPENED, _FLAGGED, _EXPLODED, _ZERO = map(ord, ".F*0")
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
        self._seen = LivePosition(shown)
        self._board = board

    @cached_property
    def _numbers(self) -> bytes:
        return self._board.numbers

    @cached_property
    def _clear(self) -> int:
        return len(self._board.mined) - self._board.mines

    @property
    def position(self) -> Position:
        """The visible state: numbers, flags, unopened cells, and opened mines."""
        return self._seen.position

    @property
    def cells(self) -> str:
        """The cells in row order, as in a `Position`."""
        return self._seen.cells.decode("ascii")

    @property
    def opened(self) -> int:
        """Number of open numbers."""
        return self._seen.opened

    @property
    def clear(self) -> int:
        """Number of cells without a mine."""
        return self._clear

    @property
    def is_cleared(self) -> bool:
        """Whether every clear cell is open."""
        return self._seen.opened == self._clear

    def act(self, action: Action) -> Changes:
        """Open, flag or chord; return the changes, which are empty for a click without effect.

        A mine among the cells of a chord leaves the cells after it unopened.

        Raises:
            BadCell: If the cell is not on the board.
            IllegalAction: If the action is of another kind.
        """
        if action.cell is None or action.kind not in _KINDS:
            raise IllegalAction(f"players can open, flag and chord cells, not {action.kind}")
        index = self._seen.topology.index(action.cell)
        if action.kind is ActionKind.OPEN:
            return self.open([index])
        return self._flag(index) if action.kind is ActionKind.FLAG else self._chord(index)

    def open(self, cells: list[int]) -> Changes:
        """Open cells in order, by index, up to the first mine; skip cells that are not unopened."""
        changes: Changes = {}
        seen = self._seen
        for cell in cells:
            if seen.cells[cell] != _UNOPENED:
                continue
            if self._board.mined[cell]:
                seen.cells[cell] = _EXPLODED
                changes[cell] = "*"
                break
            found = flood(seen, self._numbers, cell)
            for index, number in found.items():
                seen.cells[index] = _ZERO + number
                changes[index] = chr(_ZERO + number)
            seen.opened += len(found)
        seen.changed()
        return changes

    def _flag(self, cell: int) -> Changes:
        seen = self._seen
        if seen.cells[cell] not in (_UNOPENED, _FLAGGED):
            return {}
        sets = seen.cells[cell] == _UNOPENED
        seen.cells[cell] = _FLAGGED if sets else _UNOPENED
        seen.flags += 1 if sets else -1
        seen.changed()
        return {cell: "F" if sets else "."}

    def _chord(self, cell: int) -> Changes:
        cells, around = self._seen.cells, self._seen.topology.graph.neighbours(cell)
        marked = sum(cells[near] in (_FLAGGED, _EXPLODED) for near in around)
        if cells[cell] not in NUMBERS or cells[cell] - _ZERO != marked:
            return {}
        return self.open(list(around))


_KINDS = (ActionKind.OPEN, ActionKind.FLAG, ActionKind.CHORD)
