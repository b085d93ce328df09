"""Convert presses and releases of mouse buttons to clicks on cells, and count them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sapper.actions import ActionKind
from sapper.game.trail import Turn
from sapper.replay.events import EventKind
from sapper.replay.field import Field

__all__ = ["ClickEffect", "Clicks", "Mouse"]


@dataclass(slots=True)
class Clicks:
    """Counts of clicks; see docs/glossary.md for effective clicks.

    Attributes:
        left: Left clicks: releases of the left button without a chord.
        right: Right clicks: presses of the right button that do not become part of a chord.
        double: Chords, including those that opened nothing.
        effective_left: Left clicks that opened a clear cell.
        effective_right: Flags set for the first time on a mine.
        effective_double: Chords that opened something.
        flags_set: Flags set, on any cell.
        flags_removed: Flags removed.
        wrong_flags: Flags set on cells without a mine.
    """

    left: int = 0
    right: int = 0
    double: int = 0
    effective_left: int = 0
    effective_right: int = 0
    effective_double: int = 0
    flags_set: int = 0
    flags_removed: int = 0
    wrong_flags: int = 0

    @property
    def all(self) -> int:
        """All clicks."""
        return self.left + self.right + self.double

    @property
    def effective(self) -> int:
        """All effective clicks."""
        return self.effective_left + self.effective_right + self.effective_double


@dataclass(frozen=True, slots=True)
class ClickEffect:
    """A click and its effect.

    Attributes:
        action: The action.
        cell: Index of the cell.
        turns: The cells that it opened.
        changed: Whether it had any effect.
    """

    action: ActionKind
    cell: int
    turns: list[Turn]
    changed: bool


class Mouse:
    """Tracks the mouse buttons, and applies events to a field.

    Releasing one of two pressed buttons, or the middle button, chords. Pressing the right button
    flags; a press on a cell that cannot be flagged does not count as a click if it becomes part of
    a chord.

    Clicks before the first opened cell count only while there is a flag on the board.

    Args:
        field: The board.
        question_marks: Whether a right click on a flag makes it a question mark.
        super_click: Whether a left click on an open number chords.
        super_flag: Whether a right click on an open number flags its unopened neighbours if there
            are as many as it shows.
    """

    def __init__(
        self,
        field: Field,
        *,
        question_marks: bool = False,
        super_click: bool = False,
        super_flag: bool = False,
    ) -> None:
        self.field = field
        self.clicks = Clicks()
        self.started = False
        self._marks = question_marks
        self._super_click = super_click
        self._super_flag = super_flag
        self._left = self._right = self._middle = False
        # The right button was pressed without setting or removing a flag.
        self._idle = False
        # After a chord the left button is still down; releasing it does nothing.
        self._spent = False
        # The left button was pressed with Shift and will chord.
        self._shift = False
        # The left button was pressed off the board.
        self._outside = False
        self._flagged: set[int] = set()
        # Flags set by the current event beside its result.
        self._more: list[ClickEffect] = []
        self._do: dict[EventKind, Callable[[int], ClickEffect | None]] = {
            EventKind.LEFT_DOWN: self._left_down,
            EventKind.LEFT_UP: self._left_up,
            EventKind.RIGHT_DOWN: self._right_down,
            EventKind.RIGHT_UP: self._right_up,
            EventKind.MIDDLE_DOWN: self._middle_down,
            EventKind.MIDDLE_UP: self._middle_up,
            EventKind.PRE_FLAG: self._flag,
            EventKind.SECOND_DOWN: self._second_down,
            EventKind.LEFT_CHANGE: lambda c: (self._left_up if self._left else self._left_down)(c),
            EventKind.RIGHT_CHANGE: lambda c: (self._right_up if self._right else self._right_down)(
                c
            ),
            EventKind.MIDDLE_CHANGE: lambda c: (
                self._middle_up if self._middle else self._middle_down
            )(c),
            EventKind.SHIFT_LEFT_DOWN: self._shift_down,
            EventKind.OPEN: lambda c: self._open(c) if c >= 0 else None,
            EventKind.FLAG: self._toggle_flag,
            EventKind.CHORD: lambda c: self._chord(c) if c >= 0 else None,
            EventKind.QUESTION: self._question,
            EventKind.MARKS_CHANGE: self._change_marks,
        }

    def handle(self, kind: EventKind, cell: int) -> list[ClickEffect]:
        """Handle an event on a cell, or off the board (-1); return the effects of a click.

        There are several effects only if a click sets several flags.
        """
        self._more = []
        result = self._do[kind](cell)
        results = self._more if result is None else [result, *self._more]
        if not self.started:
            self.started = result is not None and bool(result.turns)
            if not self.started and not self.field.flags:
                self.clicks = Clicks()
                self._flagged.clear()
        return results

    def _left_down(self, cell: int) -> None:
        if not self._left:
            self._left, self._spent, self._shift = True, False, False
            self._outside = cell < 0

    def _shift_down(self, cell: int) -> None:
        self._left_down(cell)
        self._shift = True

    def _left_up(self, cell: int) -> ClickEffect | None:
        if not self._left:
            return None
        self._left = False
        if self._spent:
            self._spent = False
            return None
        if self._right or self._shift:
            self._refund()
            return self._chord(cell) if cell >= 0 else None
        if not self.started and self._outside and not self.field.flags:
            return None
        if cell < 0:
            self.clicks.left += 1
            return None
        if self._super_click and self.field.shows_number(cell):
            return self._chord(cell)
        return self._open(cell)

    def _right_down(self, cell: int) -> ClickEffect | None:
        if self._right:
            return None
        self._right = True
        if self._left:
            self._spent = self._idle = False
            return None
        self._idle = cell < 0 or not self.field.is_unopened(cell)
        if self._idle:
            self.clicks.right += 1
            self._flag_around(cell)
            return None
        return self._flag(cell)

    def _flag_around(self, cell: int) -> None:
        """Flag all unopened neighbours of a number that shows as many, if the game does this."""
        if not (self._super_flag and cell >= 0 and self.field.shows_number(cell)):
            return
        for near in self.field.flaggable(cell):
            self.field.toggle_flag(near)
            self._note_flag(near)
            self._more.append(ClickEffect(ActionKind.FLAG, near, [], True))
        self._idle = not self._more

    def _right_up(self, cell: int) -> ClickEffect | None:
        if not self._right:
            return None
        self._right = False
        if not self._left:
            self._idle = False
            return None
        self._refund()
        self._spent = True
        return self._chord(cell) if cell >= 0 else None

    def _second_down(self, cell: int) -> None:
        self._left = self._right = True
        self._spent = self._shift = False

    def _middle_down(self, cell: int) -> None:
        self._middle = True

    def _middle_up(self, cell: int) -> ClickEffect | None:
        self._middle = False
        return self._chord(cell) if cell >= 0 else None

    def _refund(self) -> None:
        if self._idle:
            self.clicks.right -= 1
            self._idle = False

    def _open(self, cell: int) -> ClickEffect:
        self.clicks.left += 1
        turns = self.field.click(cell)
        self.clicks.effective_left += bool(turns) and not self.field.exploded
        return ClickEffect(ActionKind.OPEN, cell, turns, bool(turns))

    def _chord(self, cell: int) -> ClickEffect:
        self.clicks.double += 1
        turns = self.field.chord(cell)
        self.clicks.effective_double += bool(turns)
        return ClickEffect(ActionKind.CHORD, cell, turns, bool(turns))

    def _question(self, cell: int) -> ClickEffect | None:
        if cell < 0:
            return None
        self.clicks.right += 1
        return ClickEffect(ActionKind.QUESTION, cell, [], self.field.toggle_question(cell))

    def _flag(self, cell: int) -> ClickEffect | None:
        if cell < 0:
            return None
        if self._marks and (self.field.is_flagged(cell) or cell in self.field.questions):
            self.clicks.flags_removed += self.field.is_flagged(cell)
            return self._question(cell)
        return self._toggle_flag(cell)

    def _toggle_flag(self, cell: int) -> ClickEffect | None:
        if cell < 0:
            return None
        self.clicks.right += 1
        changed = self.field.toggle_flag(cell)
        if changed and self.field.is_flagged(cell):
            self._note_flag(cell)
        elif changed:
            self.clicks.flags_removed += 1
        return ClickEffect(ActionKind.FLAG, cell, [], changed)

    def _note_flag(self, cell: int) -> None:
        mine = self.field.mined(cell)
        self.clicks.flags_set += 1
        self.clicks.wrong_flags += not mine
        self.clicks.effective_right += mine and cell not in self._flagged
        self._flagged.add(cell)

    def _change_marks(self, _cell: int) -> None:
        self._marks = not self._marks
