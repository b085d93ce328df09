"""Play a replay: every click with its effect, and the player's view at any time."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from sapper._util.arguments import expect
from sapper.actions import ActionKind
from sapper.game import Status
from sapper.game.trail import Trail, Turn
from sapper.position import EXPLODED, FLAGGED, UNOPENED, Position
from sapper.replay.clicks import Clicks, Mouse
from sapper.replay.events import KINDS, EventKind
from sapper.replay.field import Field
from sapper.replay.recording import Replay
from sapper.rules import FirstClick, Level, Settings, Win
from sapper.solver import Analysis
from sapper.topology import Cell

__all__ = ["Playback", "ReplayStep"]

_UNOPENED, _FLAGGED, _EXPLODED, _ZERO = ord(UNOPENED), ord(FLAGGED), ord(EXPLODED), ord("0")
_NO_PROMISE: Final = ("upk", "cheat")
"""Modes in which the player may know the board, so the first click has no promise."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A click of a replay and its effect; one for each cell that a click flags at once.

    Attributes:
        event: Index of its event.
        ms: Milliseconds since the start of the recording.
        action: Open, flag, chord or question.
        cell: The clicked cell.
        changed: Whether it had an effect.
        turns: The cells that it opened: one turn for each cell opened directly.
        solved: The 3BV solved so far.
        flagged: Whether the cell is flagged after it.
        clicks: Counts of clicks so far.
    """

    event: int
    ms: int
    action: ActionKind
    cell: Cell
    changed: bool
    turns: tuple[Turn, ...]
    solved: int
    flagged: bool
    clicks: Clicks


class Playback:
    """A replay, played to its end.

    Attributes:
        replay: The replay.
        steps: Every click up to the end of the game.
        clicks: Counts of clicks.
        solved: The 3BV solved.
        flags: Flags that stood at the end.
        status: The result of the game; ``playing`` if it did not end.
    """

    def __init__(self, replay: Replay) -> None:
        expect(replay, Replay, "a Replay")
        self.replay = replay
        field = Field(replay.board, replay.origin, replay.chord)
        is_started = field.left < replay.board.topology.size - replay.board.mines
        info = replay.info
        mouse = Mouse(
            field,
            question_marks=info.question_marks is True,
            super_click=info.super_click is True,
            super_flag=info.super_flag is True,
        )
        mouse.started = is_started
        find = replay.board.topology.find
        steps: list[ReplayStep] = []
        events = replay.events
        places = np.flatnonzero(~events.is_kind(EventKind.MOVE))
        cells = self.cells_at[places].tolist()
        kinds, times = events.kind[places].tolist(), events.ms[places].tolist()
        self.status = Status.PLAYING if is_started else Status.READY
        cleared_wins = replay.win is not Win.FLAGS
        # Without a total, the last clear cell may be opened before anyone knows it is the last and,
        # if mines are placed during the game, the next click can still lose.
        total_known = self._origin.mines is not None
        if is_started and field.won and cleared_wins:
            self.status = Status.WON
        for place, kind, ms, cell in zip(places.tolist(), kinds, times, cells, strict=True):
            results = mouse.handle(KINDS[kind], cell)
            for result in results:
                flagged = field.is_flagged(result.cell)
                steps.append(
                    ReplayStep(
                        place, ms, result.action, find(result.cell), result.changed,
                        tuple(result.turns), field.solved, flagged, replace(mouse.clicks),
                    )
                )  # fmt: skip
            if any(result.turns for result in results):
                self.status = Status.PLAYING
                if field.exploded:
                    self.status = Status.LOST
                    break
                if field.won and cleared_wins:
                    self.status = Status.WON
                    if total_known:
                        break
        # Check this only at the end: rules that place mines during the game may place the flagged
        # ones late.
        flags_win = self.status is Status.PLAYING and replay.win is not Win.OPEN
        if flags_win and field.flagged_all:
            self.status = Status.WON
        self.steps = tuple(steps)
        self.clicks: Clicks = mouse.clicks
        self.solved = field.solved
        self.flags = field.flags

    @cached_property
    def cells_at(self) -> npt.NDArray[np.int64]:
        """The index of the cell under the pointer at each event; -1 off the board."""
        shape, events, px = self.replay.board.topology, self.replay.events, self.replay.cell_px
        rows, cols = np.floor_divide(events.y, px), np.floor_divide(events.x, px)
        inside = (rows >= 0) & (rows < shape.height) & (cols >= 0) & (cols < shape.width)
        cells: npt.NDArray[np.int64] = np.where(
            inside, rows.astype(np.int64) * shape.width + cols, -1
        )
        return cells

    @cached_property
    def opening_steps(self) -> tuple[ReplayStep, ...]:
        """The clicks that opened cells."""
        return tuple(step for step in self.steps if step.turns)

    @property
    def started_ms(self) -> int:
        """Time of the first opened cell since the start of the recording; 0 if none was opened."""
        return self.opening_steps[0].ms if self.opening_steps else 0

    @property
    def ended_ms(self) -> int:
        """Time at the end of the game, or at the last click if the game did not end."""
        return self.steps[-1].ms if self.steps else 0

    @property
    def time_ms(self) -> int:
        """Time of the game, from the first opened cell to the end."""
        return max(0, self.ended_ms - self.started_ms)

    def position(self, ms: int | None = None) -> Position:
        """Return the player's view at a time, including flags.

        Args:
            ms: Milliseconds since the start of the recording (default: the end).
        """
        count = len(self.steps) if ms is None else bisect_right(self.steps, ms, key=lambda s: s.ms)
        return self.position_after(count)

    @property
    def _origin(self) -> Position:
        board = self.replay.board
        return self.replay.origin or Position.unopened(board.topology, board.mines)

    def position_after(self, count: int) -> Position:
        """Return the player's view after a number of steps."""
        board = self.replay.board
        cells = bytearray(self._origin.cells)
        for step in self.steps[:count]:
            show(cells, step, board.topology.index(step.cell))
        running = (
            self.replay.win is not Win.FLAGS
            and _EXPLODED not in cells
            and any(
                not mine and cell in b".F" for cell, mine in zip(cells, board.mined, strict=True)
            )
        )
        return self._origin.showing(bytes(cells), running=running)

    @property
    def trail(self) -> Trail:
        """The decisions of the game, for a review."""
        board = self.replay.board
        origin, shape = self.replay.origin, board.topology
        may_know_board = self.replay.begun or self.replay.info.mode in _NO_PROMISE
        settings = Settings(
            level=Level(
                shape.width, shape.height, self._origin.mines, self._origin.density, shape.name
            ),
            first_click=FirstClick.ANY if may_know_board else FirstClick.SAFE,
            win=self.replay.win,
        )
        turns = tuple(turn for step in self.steps for turn in step.turns)
        lost = self.status is Status.LOST
        return Trail(settings, origin, False, turns, board if lost else None, _no_reason)


def show(cells: bytearray, step: ReplayStep, index: int) -> None:
    """Apply one step to the view."""
    for turn in step.turns:
        for cell, number in zip(turn.cells, turn.numbers, strict=True):
            cells[cell] = _ZERO + number
        if turn.exploded:
            cells[turn.cell] = _EXPLODED
    if step.changed and not step.turns:
        cells[index] = _FLAGGED if step.flagged else _UNOPENED


def _no_reason(_analysis: Analysis, _cell: int) -> str:
    """Return no reason for a mine, because the mines were placed before the game."""
    return ""
