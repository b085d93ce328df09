"""Create the events of a replay from a game played in Sapper."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sapper.board import Board
from sapper.game import Game, pointer_path, save
from sapper.game.pointer_path import PARTS
from sapper.position import NUMBERS, UNOPENED, Position
from sapper.replay.events import KINDS, Event, EventKind, Events
from sapper.replay.field import Field
from sapper.topology import Cell

__all__ = ["GameEvents", "events_of_game"]

_Rows = npt.NDArray[np.int64]
"""Rows of time, x and y."""

_MOVE = KINDS.index(EventKind.MOVE)


class GameEvents(NamedTuple):
    """The parts of a finished game that a replay stores.

    Attributes:
        origin: The start position, unless it is an untouched board or results from a single click.
        begun_s: Clock time of the start position in seconds.
        events: Actions and pointer path.
        cell_px: Size of a cell in the events, in pixels.
    """

    origin: Position | None
    begun_s: float
    events: Events
    cell_px: int


def events_of_game(game: Game) -> GameEvents:
    """Return the events of a finished game, as described in `Replay.from_game`."""
    saved = save.from_json(game.to_json())
    level, board, begun_s = saved.settings.level, game.board, 0.0
    # If the level has a density, the player did not know the mine total.
    origin = None if level.density is None else level.unopened()
    recording = _Recording()
    if saved.position is not None:
        origin = None if _is_usual(saved.position) else saved.position
        begun_s = saved.actions[0].at_s if saved.actions else game.clock.player_s
        if origin is not None and (first := _only_click(origin, board)) is not None:
            recording.act(0, EventKind.OPEN, first, None, effect=True)
            origin = None
    again = Game.begin(saved.settings, saved.position, saved.board)
    for number, action in enumerate(saved.actions):
        ms = round(1000 * (action.at_s - begun_s))
        path = saved.paths.get(number)
        points = None if path is None else pointer_path.points(path)
        if points is not None:
            recording.move(ms, points)
        effect = again.play(action)
        if action.cell is not None:
            recording.act(ms, EventKind(str(action.kind)), action.cell, points, effect=effect)
        elif effect:
            recording.undo()
        recording.now = ms
    return GameEvents(origin, begun_s, *recording.result())


class _Action(NamedTuple):
    """An action in a recording.

    Attributes:
        after: Number of recorded pointer moves before the action.
        effect: Whether it had an effect.
    """

    after: int
    ms: int
    kind: EventKind
    x: int
    y: int
    effect: bool


class _Recording:
    """Actions and pointer moves in order.

    Attributes:
        now: Time of the last action.
    """

    def __init__(self) -> None:
        self.now = 0
        self._actions: list[_Action] = []
        self._moves: list[_Rows] = []
        self._moved = 0

    def move(self, ms: int, points: _Rows) -> None:
        """Add the path up to the time of an action, without points from before the last action."""
        rows = points.copy()
        rows[:, 0] = ms - rows[:, 0]
        rows = rows[rows[:, 0] >= self.now]
        self._moves.append(rows)
        self._moved += len(rows)

    def act(
        self, ms: int, kind: EventKind, cell: Cell, points: _Rows | None, *, effect: bool
    ) -> None:
        """Add an action at the pointer's position on its cell, or at the centre."""
        x, y = (PARTS * place + PARTS // 2 for place in (cell.col, cell.row))
        if points is not None and (points[-1, 1:] // PARTS == (cell.col, cell.row)).all():
            x, y = points[-1, 1:].tolist()
        self._actions.append(_Action(self._moved, ms, kind, x, y, effect))

    def undo(self) -> None:
        """Remove the last action with an effect and all later ones."""
        last = max(place for place, action in enumerate(self._actions) if action.effect)
        del self._actions[last:]

    def result(self) -> tuple[Events, int]:
        """Return all events, and the size of a cell in them."""
        acted = Events.from_events(Event(a.ms, a.kind, a.x, a.y) for a in self._actions)
        if not self._moved:
            cells = Events.of(acted.ms, acted.kind, acted.x // PARTS, acted.y // PARTS)
            return cells, 1
        rows = np.concatenate(self._moves)
        at = [action.after for action in self._actions]
        columns: tuple[Any, ...] = (acted.ms, acted.x, acted.y)
        ms, x, y = (np.insert(rows[:, i], at, column) for i, column in enumerate(columns))
        kind = np.insert(np.full(len(rows), _MOVE, np.uint8), at, acted.kind)
        return Events.of(ms, kind, x, y), PARTS


def _is_usual(position: Position) -> bool:
    """Return whether a start position is an ordinary one: untouched, with a known mine total."""
    untouched = position.cells.count(UNOPENED.encode()) == len(position.cells)
    return untouched and position.mines is not None


def _only_click(position: Position, board: Board) -> Cell | None:
    """Return the cell whose opening on an untouched board leads to a position, or None."""
    opened = [at for at, cell in enumerate(position.cells) if cell in NUMBERS]
    zero = next((at for at in opened if position.cells[at] == ord("0")), None)
    if zero is None and len(opened) != 1:
        return None
    if position.mines is None:
        # If a replay has no start position, its mine total is the board's.
        return None
    first = opened[0] if zero is None else zero
    field = Field(board)
    field.click(first)
    return board.topology.cell(first) if bytes(field.cells) == position.cells else None
