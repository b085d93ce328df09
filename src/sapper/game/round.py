"""One round of a game, from an unopened board to its end, and the effects of actions."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, NamedTuple

from sapper import dealer as dealers
from sapper.actions import Action, ActionKind
from sapper.board import Board
from sapper.dealer import LivePosition
from sapper.errors import BadPosition, BadSetting, IllegalAction
from sapper.game.events import (
    Chorded,
    Event,
    Exploded,
    Flagged,
    Opened,
    Questioned,
    Started,
    Unflagged,
    Unquestioned,
    Won,
)
from sapper.game.table import Table
from sapper.game.trail import Trail, Turn
from sapper.position import EXPLODED, FLAGGED, UNOPENED, Position
from sapper.rules import Settings, Win
from sapper.translation import LabelledEnum, t

__all__ = ["Round", "Status"]

_UNOPENED, _FLAGGED, _EXPLODED = ord(UNOPENED), ord(FLAGGED), ord(EXPLODED)


class Status(LabelledEnum):
    """Status of a game."""

    READY = "ready", t("Ready")
    """No cell is open yet."""
    PLAYING = "playing", t("Playing")
    WON = "won", t("Won")
    LOST = "lost", t("Lost")


# Enum member access takes about 200 ns in CPython 3.11, a large part of a move.
_READY, _PLAYING, _WON, _LOST = Status
_OPEN, _FLAG, _CHORD = ActionKind.OPEN, ActionKind.FLAG, ActionKind.CHORD
_WON_BY_FLAGS, _WON_BY_OPENING = Win.FLAGS, Win.OPEN


class _Step(NamedTuple):
    """The changes made by an action, for undo."""

    status: Status
    dealer: Any
    opened: list[int]
    before: list[tuple[int, int]]
    """Other changed cells, each with its previous character."""
    questions: set[int]
    """Cells whose question mark was added or removed."""


class Round:
    """The state of a game, without clocks, counts and listeners, on a `Table`.

    Cells are given by index. An action returns its events, or none if it changed nothing. Its cost
    is proportional to the cells it changes and their neighbours.

    Attributes:
        seen: The player's view.
        status: The status.
        origin: The position from which the round started, if any cell was open.
        given: The board, if not chosen by the dealer.
    """

    def __init__(self, settings: Settings, origin: Position | None, board: Board | None) -> None:
        _check(settings, origin, board)
        # Only a game that ends once only mines are unopened proves that a clear cell is left.
        self._ends = settings.win is not _WON_BY_FLAGS
        self.seen = LivePosition(origin or settings.level.unopened(), running=self._ends)
        begun = self.seen.opened > 0
        self.status = Status.PLAYING if begun else Status.READY
        self.origin = origin
        self._win, self._keep = settings.win, settings.undo
        self._dealer = dealers.make(settings, origin if begun else None, board)
        self._table = Table(self.seen, self._dealer.open, settings.chord)
        # If this is set, a saved game contains the mines themselves rather than just the seed.
        self.given = self._dealer.kept_board() if begun else board
        self._settings = settings
        self._history: list[_Step] = []
        self._turns: list[Turn] = []
        if begun and self._is_won():
            self.status = Status.WON
            self.seen.running = False
            self._flag_mines(self._step())

    @property
    def questions(self) -> set[int]:
        """The indices of cells with a question mark."""
        return self._table.questions

    @property
    def over(self) -> bool:
        """Whether the round is won or lost."""
        return self.status is _WON or self.status is _LOST

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to undo."""
        return bool(self._history)

    def final_board(self) -> Board:
        """Return where the mines were; call it only after the end."""
        return self._dealer.final_board(self.seen)

    def kept_board(self) -> Board | None:
        """Return the board to keep for a replay; before the first click, the given one, if any."""
        # Before the end, the dealer may still move or deal mines.
        return self.given if self.status is Status.READY else self._dealer.kept_board()

    @property
    def position(self) -> Position:
        """The position as the player sees it."""
        return self.seen.position

    def act(self, action: Action) -> list[Event]:
        """Perform an action other than an undo."""
        if action.cell is None:
            raise IllegalAction(f"{action.kind} needs a cell")
        cell = self.seen.topology.index(action.cell)
        if action.kind is _OPEN:
            return self.open(cell)
        if action.kind is _FLAG:
            return self.toggle_flag(cell)
        if action.kind is _CHORD:
            return self.chord(cell)
        return self.toggle_question(cell)

    def open(self, cell: int) -> list[Event]:
        """Open a cell if it is unopened and unflagged."""
        return self._open([cell], [], None) if self.seen.cells[cell] == _UNOPENED else []

    def chord(self, cell: int) -> list[Event]:
        """Open the other neighbours of a number whose flags match it."""
        closed = self._table.chorded(cell)
        events: list[Event] = [Chorded(self.seen.topology.cell(cell))]
        return self._open(closed, events, cell) if closed else []

    def toggle_flag(self, cell: int) -> list[Event]:
        """Flag an unopened cell, replacing a question mark, or remove the flag."""
        return self._mark(cell, self._table.toggle_flag)

    def toggle_question(self, cell: int) -> list[Event]:
        """Put a question mark on an unopened cell, replacing a flag, or remove it."""
        return self._mark(cell, self._table.toggle_question)

    def undo(self) -> list[int]:
        """Undo the last action; return the cells that changed."""
        step = self._history.pop()
        lost_on = [i for i, _ in step.before if self.seen.cells[i] == _EXPLODED]
        if step.opened or lost_on:
            self._turns.append(Turn(-1, array("I", [*step.opened, *lost_on]), b""))
        return self._take_back(step)

    def trail(self) -> Trail:
        """Return the cells opened and covered again so far."""
        board = self.final_board() if self.status is Status.LOST else None
        given = self.given is not None
        turns = tuple(self._turns)
        return Trail(self._settings, self.origin, given, turns, board, self._dealer.why)

    def _open(self, targets: list[int], events: list[Event], chord: int | None) -> list[Event]:
        seen, shape, step = self.seen, self.seen.topology, self._step()
        begun, asked = len(self._turns), set(self.questions)
        try:
            for target, reveal in self._table.open(targets):
                # The game may be over, which is checked at the end of the action.
                seen.running = False
                if reveal.exploded:
                    step.before.append((target, _UNOPENED))
                    self.status = Status.LOST
                    events.append(Exploded(shape.cell(target)))
                    self._turns.append(Turn(target, (), b"", True, chord))
                    break
                step.opened.extend(reveal.numbers)
                events.append(Opened(shape, reveal.numbers))
                # Use a packed form, because an opening may have millions of cells.
                shown = array("I", reveal.numbers), bytes(reveal.numbers.values())
                self._turns.append(Turn(target, *shown, chord=chord))
        except BaseException:
            # A dealer may reject a cell or be interrupted during a chord.
            del self._turns[begun:]
            step.questions.update(asked - self.questions)
            self._take_back(step)
            raise
        if step.status is _READY:
            events.insert(0, Started())
        if self.status is _READY:
            self.status = _PLAYING
        step.questions.update(asked - self.questions)
        return self._finish(step, events)

    def _mark(self, cell: int, toggle: Callable[[int], bool]) -> list[Event]:
        """Toggle a mark of a cell, if it is unopened."""
        place, events, step = self.seen.topology.cell(cell), list[Event](), self._step()
        before, asked = self.seen.cells[cell], cell in self.questions
        if not toggle(cell):
            return []
        if before != self.seen.cells[cell]:
            step.before.append((cell, before))
            events.append(Unflagged(place) if before == _FLAGGED else Flagged(place))
        if asked != (cell in self.questions):
            step.questions.add(cell)
            events.append(Unquestioned(place) if asked else Questioned(place))
        return self._finish(step, events)

    def _step(self) -> _Step:
        return _Step(self.status, self._dealer.snapshot(), [], [], set())

    def _finish(self, step: _Step, events: list[Event]) -> list[Event]:
        """Check whether the round is won, and record the step."""
        if self.status is _PLAYING and self._is_won():
            self.status = _WON
            self.seen.running = False
            self._flag_mines(step)
            events.append(Won())
        elif self.status is _PLAYING and self.seen.running is not self._ends:
            self.seen.running = self._ends
            self.seen.changed()
        if self._keep:
            self._history.append(step)
        return events

    def _is_won(self) -> bool:
        return (self._win is not _WON_BY_FLAGS and self._dealer.is_cleared(self.seen)) or (
            self._win is not _WON_BY_OPENING and self._dealer.is_flagged(self.seen)
        )

    def _flag_mines(self, step: _Step) -> None:
        asked = set(self.questions)
        flagged = self._table.flag_mines(self.final_board().mined)
        step.before.extend((mine, _UNOPENED) for mine in flagged)
        step.questions.symmetric_difference_update(asked - self.questions)

    def _take_back(self, step: _Step) -> list[int]:
        seen = self.seen
        for index in step.opened:
            seen.cells[index] = _UNOPENED
        seen.opened -= len(step.opened)
        for index, before in step.before:
            seen.flags += (before == _FLAGGED) - (seen.cells[index] == _FLAGGED)
            seen.cells[index] = before
        seen.changed()
        self.questions.symmetric_difference_update(step.questions)
        self._dealer.restore(step.dealer)
        self.status = step.status
        seen.running = self._ends
        return sorted({*step.opened, *(index for index, _ in step.before), *step.questions})


def _check(settings: Settings, origin: Position | None, board: Board | None) -> None:
    """Reject positions and boards that do not match the level, and finished positions."""
    level = settings.level
    shape = level.shape()
    if origin is not None and (origin.topology != shape or origin.mines != level.mines):
        raise BadSetting(f"the position does not match level {level}")
    if board is not None and (board.topology != shape or level.mines not in (None, board.mines)):
        raise BadSetting(f"the board does not match level {level}")
    if origin is not None and _EXPLODED in origin.cells:
        at = shape.cell(origin.cells.index(_EXPLODED))
        raise BadPosition(f"cannot continue from a position with an opened mine, at {at}")
