"""A game: the one object with state. It takes actions, asks its dealer, and tells listeners."""

from __future__ import annotations

import time as _time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple, Self

from sapper import dealer as dealers
from sapper.board import Board
from sapper.clock import Clock, TimeSource
from sapper.dealer import LivePosition
from sapper.errors import BadPosition, BadSetting, IllegalAction
from sapper.events import (
    Action,
    ActionKind,
    Chorded,
    Event,
    Exploded,
    Flagged,
    Opened,
    Questioned,
    Restarted,
    Started,
    Undone,
    Unflagged,
    Unquestioned,
    Won,
)
from sapper.generate import check_seed, substream
from sapper.position import EXPLODED, FLAGGED, UNOPENED, Position
from sapper.rules import Chord, Level, Settings, Start, Win
from sapper.topology import Cell

__all__ = ["Counts", "Game", "Status"]

_UNOPENED, _FLAGGED, _EXPLODED, _ZERO = ord(UNOPENED), ord(FLAGGED), ord(EXPLODED), ord("0")

Listener = Callable[[Event], object]


class Status(StrEnum):
    """How a game stands."""

    READY = "ready"
    """No cell is open yet."""
    PLAYING = "playing"
    WON = "won"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Counts:
    """How often a player clicked since the game began, undone clicks included.

    Attributes:
        left: Times a cell was to be opened.
        right: Times a flag or question mark was set or taken off.
        chords: Times a number was to be chorded.
        left_effective: Those of `left` that opened something.
        right_effective: Those of `right` that changed something.
        chords_effective: Those of `chords` that opened something.
        undos: Times an action was taken back; not a click.
    """

    left: int = 0
    right: int = 0
    chords: int = 0
    left_effective: int = 0
    right_effective: int = 0
    chords_effective: int = 0
    undos: int = 0

    @property
    def clicks(self) -> int:
        """All clicks."""
        return self.left + self.right + self.chords

    @property
    def effective(self) -> int:
        """All clicks that did something."""
        return self.left_effective + self.right_effective + self.chords_effective


class _Step(NamedTuple):
    """What an action changed, so that it can be taken back."""

    opened: list[int]
    before: list[tuple[int, int]]
    """Other cells that changed, each with the character it had."""
    questions: list[int]
    """Cells whose question mark went, or came."""
    status: Status
    dealer: Any


class Game:
    """A game of Minesweeper.

    A click that can do nothing does nothing, as on a screen: opening an open or flagged cell,
    flagging an open one, chording where the flags do not match. It counts as a click, and
    the method returns False. A flag so protects its cell; a question mark does not.

    Every method that takes a cell raises `BadSetting` where there is no such cell, and
    `IllegalAction` after the end.

    Args:
        level: A `Level` or its text: ``beginner``, ``30x16:99``, ``20x20@0.15`` ...
        rules: The name of a rule set, one of `sapper.dealer.RULES`.
        start: What the first click promises; None for the rule set's default.
        win: What wins; None for the rule set's default.
        chord: How many flags a number needs to be chorded.
        undo: Whether actions can be taken back.
        seed: From 0 to 2**64 - 1; None takes a fresh one. Equal seeds give equal games.
        time: Where the clocks get their seconds.
        options: The rule set's own switches.

    Attributes:
        clock: The player's clock and the solver's.

    >>> game = Game("9x9:10", start="opening", seed=7)
    >>> game.open((4, 4))
    True
    >>> game.status, game.position.number((4, 4))
    (<Status.PLAYING: 'playing'>, 0)

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If the settings make no game.
    """

    def __init__(
        self,
        level: Level | str = "expert",
        rules: str = "classic",
        *,
        start: Start | str | None = None,
        win: Win | str | None = None,
        chord: Chord | str = Chord.EXACT,
        undo: bool = True,
        seed: int | None = None,
        time: TimeSource = _time.monotonic,
        **options: bool,
    ) -> None:
        made = dealers.settings(
            level, rules, start=start, win=win, chord=chord, undo=undo, seed=seed, **options
        )
        self._set_up(made, None, None, time)

    @classmethod
    def from_position(
        cls,
        position: Position,
        rules: str = "classic",
        *,
        start: Start | str | None = None,
        win: Win | str | None = None,
        chord: Chord | str = Chord.EXACT,
        undo: bool = True,
        seed: int | None = None,
        time: TimeSource = _time.monotonic,
        **options: bool,
    ) -> Self:
        """Go on from any position: the mines are drawn evenly from all that fit it.

        Where no mine total is given, any number of mines fits.

        Raises:
            BadPosition: If a mine is open: that game is over.
            BadSetting: If the settings make no game.
            InconsistentPosition: If no arrangement fits.
        """
        shape, mines = position.topology, position.mines
        # Arrangements of any total that are all equally likely are cells of density 1/2.
        density = 0.5 if mines is None else None
        level = Level(shape.width, shape.height, mines, density, shape.name)
        begun = any(map(position.cells.count, b"012345678"))
        if begun and start is None and Start.ANY in _starts(rules):
            # The first click is past: a promise to it needs no room.
            start = Start.ANY
        made = dealers.settings(
            level, rules, start=start, win=win, chord=chord, undo=undo, seed=seed, **options
        )
        return cls.begin(made, position, time=time)

    @classmethod
    def from_board(
        cls,
        board: Board,
        rules: str = "classic",
        *,
        win: Win | str | None = None,
        chord: Chord | str = Chord.EXACT,
        undo: bool = True,
        seed: int | None = None,
        time: TimeSource = _time.monotonic,
        **options: bool,
    ) -> Self:
        """Play a given board as it is: its first click promises nothing.

        Raises:
            BadSetting: If the rules lay their own mines, or the settings make no game.
        """
        shape = board.topology
        level = Level(shape.width, shape.height, board.mines, None, shape.name)
        start = Start.ANY if Start.ANY in _starts(rules) else None
        made = dealers.settings(
            level, rules, start=start, win=win, chord=chord, undo=undo, seed=seed, **options
        )
        return cls.begin(made, None, board, time=time)

    @classmethod
    def begin(
        cls,
        settings: Settings,
        position: Position | None = None,
        board: Board | None = None,
        *,
        time: TimeSource = _time.monotonic,
    ) -> Self:
        """A game by ready-made settings, from a position or on a board where these are given.

        Raises:
            BadPosition: If a mine is open: that game is over.
            BadSetting: If the position or the board is not of the level, or they differ.
            InconsistentPosition: If no arrangement fits.
        """
        game = cls.__new__(cls)
        game._set_up(settings, position, board, time)
        return game

    def _set_up(
        self, settings: Settings, origin: Position | None, board: Board | None, time: TimeSource
    ) -> None:
        shape, mines = settings.level.shape(), settings.level.mines
        for what, given in (("position", origin), ("board", board)):
            if given is None:
                continue
            if given.topology != shape or (mines is not None and given.mines != mines):
                raise BadSetting(f"the {what} is not of level {settings.level}")
        if origin is not None and _EXPLODED in origin.cells:
            at = shape.cell(origin.cells.index(_EXPLODED))
            raise BadPosition(f"a game cannot go on from an opened mine, as on {at}")
        self.clock = Clock(time)
        self._listeners: list[Listener] = []
        self._begin(settings, origin, board)

    def _begin(self, settings: Settings, origin: Position | None, board: Board | None) -> None:
        self._settings, self._origin, self._given = settings, origin, board
        shape = settings.level.shape()
        self._seen = LivePosition(origin or Position.unopened(shape, settings.level.mines))
        begun = self._seen.opened > 0
        self._dealer = dealers.make(settings, origin if begun else None, board)
        if begun:
            # A save then holds the mines themselves, and not only how they were drawn.
            self._given = self._dealer.kept_board()
        self._status = Status.PLAYING if begun else Status.READY
        self._questions: set[int] = set()
        self._history: list[_Step] = []
        self._log: list[Action] = []
        self._left = self._right = self._chords = self._undos = 0
        self._left_effective = self._right_effective = self._chords_effective = 0
        if begun and self._is_won():
            self._status = Status.WON
            self._flag_mines(_Step([], [], [], Status.WON, None))

    # What can be seen.

    @property
    def status(self) -> Status:
        """How the game stands: a string, ``ready``, ``playing``, ``won`` or ``lost``."""
        return self._status

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self._status is Status.WON or self._status is Status.LOST

    @property
    def position(self) -> Position:
        """What the player sees now."""
        return self._seen.position

    @property
    def questions(self) -> frozenset[Cell]:
        """The cells with a question mark; in the position they are simply unopened."""
        return frozenset(map(self._seen.topology.cell, self._questions))

    @property
    def settings(self) -> Settings:
        """What the game is played by, its secret seed included."""
        return self._settings

    @property
    def level(self) -> Level:
        """Size, shape and mines."""
        return self._settings.level

    @property
    def seed(self) -> int:
        """The seed. It gives the mines away: tell no player before the end."""
        return self._settings.seed

    @property
    def mines_left(self) -> int | None:
        """The mine total less the flags, so maybe below 0; None if the total is not told."""
        mines = self._seen.mines
        return None if mines is None else mines - self._seen.flags

    @property
    def counts(self) -> Counts:
        """How often the player clicked."""
        return Counts(
            self._left,
            self._right,
            self._chords,
            self._left_effective,
            self._right_effective,
            self._chords_effective,
            self._undos,
        )

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to take back, and the game is played with undo."""
        return bool(self._history)

    @property
    def log(self) -> tuple[Action, ...]:
        """Every action since the game began, in vain or undone as well."""
        return tuple(self._log)

    @property
    def board(self) -> Board:
        """Where the mines were.

        Raises:
            IllegalAction: Before the end, when it is a secret.
        """
        if not self.over:
            raise IllegalAction(f"the board is a secret while the game is {self._status}")
        return self._dealer.final_board(self._seen)

    # What can be done.

    def open(self, cell: tuple[int, int]) -> bool:
        """Open an unopened cell without a flag; a zero opens its neighbours, and so on.

        Returns:
            Whether anything was opened, be it a mine.
        """
        index = self._target(ActionKind.OPEN, cell)
        self._left += 1
        if self._seen.cells[index] != _UNOPENED:
            return False
        self._left_effective += 1
        self._open([index])
        return True

    def chord(self, cell: tuple[int, int]) -> bool:
        """Open all other neighbours of a number whose flags match it, one by one in row order.

        It is lost on the first of them that is a mine; the rest then stays closed.

        Returns:
            Whether anything was opened, be it a mine.
        """
        index = self._target(ActionKind.CHORD, cell)
        self._chords += 1
        cells = self._seen.cells
        number = cells[index] - _ZERO
        if not 0 <= number <= 8:
            return False
        around = self._seen.topology.graph.neighbours(index)
        flags = sum(cells[n] == _FLAGGED for n in around)
        closed = [n for n in around if cells[n] == _UNOPENED]
        enough = flags == number or (flags > number and self._settings.chord is Chord.AT_LEAST)
        if not closed or not enough:
            return False
        self._chords_effective += 1
        self._open(closed, chorded=index)
        return True

    def flag(self, cell: tuple[int, int]) -> bool:
        """Put a flag on an unopened cell, in place of a question mark, or take it off.

        Returns:
            Whether the cell is unopened.
        """
        index = self._target(ActionKind.FLAG, cell)
        return self._mark(index, flag=self._seen.cells[index] == _UNOPENED, question=False)

    def question(self, cell: tuple[int, int]) -> bool:
        """Put a question mark on an unopened cell, in place of a flag, or take it off.

        Returns:
            Whether the cell is unopened.
        """
        index = self._target(ActionKind.QUESTION, cell)
        return self._mark(index, flag=False, question=index not in self._questions)

    def undo(self) -> bool:
        """Take back the last action that did something, also the one that lost or won.

        The dealer goes back as well: the same action gives the same result again. The clocks
        and the counts of clicks stay, for they tell what the player did.

        Returns:
            Whether there was anything to take back.

        Raises:
            IllegalAction: If the game is played without undo.
        """
        if not self._settings.undo:
            raise IllegalAction("this game is played without undo")
        self._log.append(Action(ActionKind.UNDO, None, self.clock.player_s))
        if not self._history:
            return False
        self._undos += 1
        step = self._history.pop()
        seen = self._seen
        for index in step.opened:
            seen.cells[index] = _UNOPENED
        seen.opened -= len(step.opened)
        for index, before in step.before:
            seen.flags += (before == _FLAGGED) - (seen.cells[index] == _FLAGGED)
            seen.cells[index] = before
        seen.changed()
        self._questions.symmetric_difference_update(step.questions)
        self._dealer.restore(step.dealer)
        if self.over:
            self.clock.player.start()
        self._status = step.status
        if self._listeners:
            changed = {*step.opened, *(index for index, _ in step.before), *step.questions}
            self.announce(Undone(tuple(map(seen.topology.cell, sorted(changed)))))
        return True

    def restart(self, *, same: bool = False, seed: int | None = None) -> None:
        """Begin anew, clocks at zero; listeners stay.

        Args:
            same: Play the same mines once more, where the rules lay them beforehand; rules
                that deal as they go begin from the same seed. What the first click
                promised is not promised again.
            seed: The new game's seed; None derives one from the present seed.

        Raises:
            BadSetting: If the seed is out of range, or given for the same game.
        """
        if same and seed is not None:
            raise BadSetting(f"the same game has its own seed, so it cannot be {seed!r:.40}")
        if same:
            # Before the first click the dealer may still have a mine to move.
            ready = self._status is Status.READY
            board = self._given if ready else self._dealer.kept_board()
            self._begin(self._settings, self._origin, board)
        else:
            new = substream(self.seed, "restart") if seed is None else check_seed(seed)
            self._begin(replace(self._settings, seed=new), self._origin, None)
        self.clock.reset()
        self.announce(Restarted())

    def play(self, action: Action) -> bool:
        """Do an action; its time is ignored.

        Returns:
            Whether it did anything.
        """
        if action.kind is ActionKind.UNDO:
            return self.undo()
        if action.cell is None:
            raise IllegalAction(f"{action.kind} needs a cell")
        do = {
            ActionKind.OPEN: self.open,
            ActionKind.FLAG: self.flag,
            ActionKind.QUESTION: self.question,
            ActionKind.CHORD: self.chord,
        }[action.kind]
        return do(action.cell)

    # Who listens.

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event from now on, after it has happened.

        Returns:
            A function that ends this.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def announce(self, event: Event) -> None:
        """Tell the listeners of an event: how a screen or a coach adds its own."""
        for listener in tuple(self._listeners):
            listener(event)

    # Save and load.

    def to_json(self) -> dict[str, Any]:
        """The whole game, from which `from_json` goes on; it holds the secret seed."""
        from sapper import save

        return save.to_json(self)

    @classmethod
    def from_json(cls, obj: Any, *, time: TimeSource = _time.monotonic) -> Self:
        """Load a game that `to_json` gave; the time since then does not count.

        Raises:
            BadSave: If it is no saved game, with the reason.
        """
        from sapper import save

        return save.from_json(cls, obj, time)

    # How it is done.

    def _target(self, kind: ActionKind, cell: tuple[int, int]) -> int:
        """The index of a cell to act on; notes the action."""
        index = self._seen.topology.index(cell)
        if self.over:
            raise IllegalAction(f"cannot {kind} {Cell(*cell)}: the game is {self._status}")
        self._log.append(Action(kind, Cell(*cell), self.clock.player_s))
        return index

    def _open(self, targets: list[int], chorded: int | None = None) -> None:
        seen, shape, told = self._seen, self._seen.topology, list[Event]()
        step = _Step([], [], [], self._status, self._dealer.snapshot())
        if self._status is Status.READY:
            self._status = Status.PLAYING
            told.append(Started())
        self.clock.player.start()
        if chorded is not None:
            told.append(Chorded(shape.cell(chorded)))
        for target in targets:
            # The flood of an earlier target may have opened it.
            if seen.cells[target] != _UNOPENED:
                continue
            reveal = self._dealer.open(seen, target)
            seen.changed()
            if reveal.exploded:
                seen.cells[target] = _EXPLODED
                step.before.append((target, _UNOPENED))
                told.append(Exploded(shape.cell(target)))
                self._end(Status.LOST)
                break
            for index, number in reveal.numbers.items():
                seen.cells[index] = _ZERO + number
            step.opened.extend(reveal.numbers)
            seen.opened += len(reveal.numbers)
            if self._listeners:
                told.append(Opened(tuple((shape.cell(i), n) for i, n in reveal.numbers.items())))
        if self._questions:
            self._drop_questions(step, step.opened)
            self._drop_questions(step, (index for index, _ in step.before))
        self._finish(step, told)

    def _mark(self, index: int, *, flag: bool, question: bool) -> bool:
        """Leave exactly these marks on a cell, if it is unopened."""
        seen, cell = self._seen, self._seen.topology.cell(index)
        self._right += 1
        before = seen.cells[index]
        if before != _UNOPENED and before != _FLAGGED:
            return False
        self._right_effective += 1
        told: list[Event] = []
        step = _Step([], [], [], self._status, self._dealer.snapshot())
        if flag != (before == _FLAGGED):
            seen.cells[index] = _FLAGGED if flag else _UNOPENED
            seen.flags += 1 if flag else -1
            seen.changed()
            step.before.append((index, before))
            told.append(Flagged(cell) if flag else Unflagged(cell))
        if question != (index in self._questions):
            self._questions ^= {index}
            step.questions.append(index)
            told.append(Questioned(cell) if question else Unquestioned(cell))
        self._finish(step, told)
        return True

    def _finish(self, step: _Step, told: list[Event]) -> None:
        """See whether the game is won, remember the step, and tell the listeners."""
        if self._status is Status.PLAYING and self._is_won():
            self._end(Status.WON)
            self._flag_mines(step)
            told.append(Won())
        if self._settings.undo:
            self._history.append(step)
        for event in told if self._listeners else ():
            self.announce(event)

    def _is_won(self) -> bool:
        win, dealer, seen = self._settings.win, self._dealer, self._seen
        return (win is not Win.FLAGS and dealer.is_cleared(seen)) or (
            win is not Win.OPEN and dealer.is_flagged(seen)
        )

    def _flag_mines(self, step: _Step) -> None:
        """Put a flag on every mine, as all programs do when the game is won."""
        seen = self._seen
        mined = self._dealer.final_board(seen).mined
        mine = mined.find(1)
        while mine >= 0:
            if seen.cells[mine] == _UNOPENED:
                seen.cells[mine] = _FLAGGED
                seen.flags += 1
                step.before.append((mine, _UNOPENED))
            mine = mined.find(1, mine + 1)
        seen.changed()
        if self._questions:
            self._drop_questions(step, (index for index, _ in step.before))

    def _drop_questions(self, step: _Step, cells: Iterable[int]) -> None:
        gone = self._questions.intersection(cells)
        self._questions -= gone
        step.questions.extend(gone)

    def _end(self, status: Status) -> None:
        self._status = status
        self.clock.player.stop()


def _starts(rules: str) -> tuple[Start, ...]:
    known = dealers.RULES.get(rules)
    return known.starts if known else ()
