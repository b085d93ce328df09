"""A game: the one object with state. It takes actions, asks its dealer, and notifies listeners."""

from __future__ import annotations

import time as _time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

from sapper import dealer as dealers
from sapper.actions import Action, ActionKind
from sapper.board import Board
from sapper.errors import BadSave, BadSetting, IllegalAction, SapperError
from sapper.game import save
from sapper.game.clock import Clock, TimeSource
from sapper.game.counts import Counts
from sapper.game.events import Event, Restarted, Undone
from sapper.game.review import Guesses, PostMortem, Reviewer
from sapper.game.round import Round, Status
from sapper.game.trail import Trail
from sapper.generation import check_seed, substream
from sapper.position import Position
from sapper.rules import Chord, FirstClick, Level, OptionValue, Settings, Win
from sapper.topology import Cell

__all__ = ["Counts", "Game", "Status"]

Listener = Callable[[Event], object]


class Game:
    """A game of Minesweeper.

    A click without effect changes nothing: opening an open or flagged cell, flagging an open
    one, chording a number whose flags do not match. It still counts as a click, and the method
    returns False. So a flag protects its cell; a question mark does not.

    Every method that takes a cell raises `BadSetting` if there is no such cell, and
    `IllegalAction` after the game has ended.

    Args:
        level: A `Level` or its text: ``beginner``, ``30x16:99``, ``20x20@0.15`` ...
        rules: The name of a rule set, one of `sapper.dealer.RULES`.
        first_click: What the first click promises; None for the rule set's default.
        win: What wins; None for the rule set's default.
        chord: How many flags a number needs to be chorded.
        undo: Whether actions can be undone.
        seed: From 0 to 2**64 - 1; None for a random one. Equal seeds make equal games.
        time: Time source of the clocks, in seconds.
        options: The rule set's own switches and choices.

    Attributes:
        clock: The player's clock and the solver's.

    >>> game = Game("9x9:10", first_click="opening", seed=7)
    >>> game.open((4, 4))
    True
    >>> game.status, game.position.number((4, 4))
    (<Status.PLAYING: 'playing'>, 0)

    Raises:
        BadLevel: If the level cannot be parsed.
        BadSetting: If the settings are invalid.
    """

    def __init__(
        self,
        level: Level | str = "expert",
        rules: str = "classic",
        *,
        first_click: FirstClick | str | None = None,
        win: Win | str | None = None,
        chord: Chord | str = Chord.EXACT,
        undo: bool = True,
        seed: int | None = None,
        time: TimeSource = _time.monotonic,
        **options: OptionValue,
    ) -> None:
        made = dealers.settings(
            level,
            rules,
            first_click=first_click,
            win=win,
            chord=chord,
            undo=undo,
            seed=seed,
            **options,
        )
        self._set_up(made, None, None, time)

    @classmethod
    def from_position(
        cls,
        position: Position,
        rules: str = "classic",
        *,
        first_click: FirstClick | str | None = None,
        win: Win | str | None = None,
        chord: Chord | str = Chord.EXACT,
        undo: bool = True,
        seed: int | None = None,
        time: TimeSource = _time.monotonic,
        **options: OptionValue,
    ) -> Self:
        """Continue from any position: the mines are drawn uniformly from all that fit it.

        Where no mine total is given, any number of mines fits.

        Raises:
            BadPosition: If a mine is open: that game is over.
            BadSetting: If the settings are invalid.
            InconsistentPosition: If no arrangement fits.
        """
        shape, mines = position.topology, position.mines
        # Arrangements of any total that are all equally likely are cells of density 1/2.
        density = 0.5 if mines is None else None
        level = Level(shape.width, shape.height, mines, density, shape.name)
        begun = any(map(position.cells.count, b"012345678"))
        if begun and first_click is None and FirstClick.ANY in _first_clicks(rules):
            # The first click is past: its promise needs no room.
            first_click = FirstClick.ANY
        made = dealers.settings(
            level,
            rules,
            first_click=first_click,
            win=win,
            chord=chord,
            undo=undo,
            seed=seed,
            **options,
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
        **options: OptionValue,
    ) -> Self:
        """Play a given board as it is: its first click promises nothing.

        Raises:
            BadSetting: If the rules place their own mines, or the settings are invalid.
        """
        shape = board.topology
        level = Level(shape.width, shape.height, board.mines, None, shape.name)
        first_click = FirstClick.ANY if FirstClick.ANY in _first_clicks(rules) else None
        made = dealers.settings(
            level,
            rules,
            first_click=first_click,
            win=win,
            chord=chord,
            undo=undo,
            seed=seed,
            **options,
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
        """Create a game from settings, with an optional position or board.

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
        self.clock = Clock(time)
        self._listeners: list[Listener] = []
        self._begin(settings, origin, board)

    def _begin(self, settings: Settings, origin: Position | None, board: Board | None) -> None:
        # First, because it may reject the settings; a restarting game then stays as it was.
        self._round = Round(settings, origin, board)
        self._settings = settings
        self._log: list[Action] = []
        self._counts: Counter[str] = Counter()
        self._reviewer = Reviewer()

    def __repr__(self) -> str:
        """Name the game without its secrets."""
        return f"<Game {self.level}, rules {self.settings.rules}, {self.status}>"

    # State.

    @property
    def status(self) -> Status:
        """Status of the game: a string, ``ready``, ``playing``, ``won`` or ``lost``."""
        return self._round.status

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self._round.over

    @property
    def position(self) -> Position:
        """What the player sees now."""
        return self._round.seen.position

    @property
    def questions(self) -> frozenset[Cell]:
        """Cells with a question mark; in the position they are simply unopened."""
        return frozenset(map(self._round.seen.topology.cell, self._round.questions))

    @property
    def settings(self) -> Settings:
        """The settings of the game, including its secret seed."""
        return self._settings

    @property
    def level(self) -> Level:
        """Size, shape and mines."""
        return self._settings.level

    @property
    def seed(self) -> int:
        """The seed. It reveals the mines: do not show it to players before the end."""
        return self._settings.seed

    @property
    def mines_left(self) -> int | None:
        """Mine total minus flags, so it can be negative; None if the total is unknown."""
        seen = self._round.seen
        return None if seen.mines is None else seen.mines - seen.flags

    @property
    def counts(self) -> Counts:
        """Click counts of the player."""
        return Counts(**self._counts)

    @property
    def guesses(self) -> Guesses:
        """The guesses: every opened cell that was not proved safe, and the risk taken.

        Looks at each position since it was last asked for: some tens of microseconds a click on
        common boards. Playing itself pays nothing for it.
        """
        return self._reviewer.guesses(self.trail())

    def post_mortem(self) -> PostMortem:
        """Explain why the game was lost.

        Raises:
            IllegalAction: If it is not lost.
        """
        if self.status is not Status.LOST:
            raise IllegalAction(f"no post-mortem: the game is {self.status}, not lost")
        return self._reviewer.post_mortem(self.trail())

    def trail(self) -> Trail:
        """What was opened and covered again so far, for a `Reviewer` in another thread."""
        return self._round.trail()

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to undo, and undo is on."""
        return self._round.can_undo

    @property
    def log(self) -> tuple[Action, ...]:
        """Every action since the game started, including those without effect or undone."""
        return tuple(self._log)

    @property
    def board(self) -> Board:
        """Where the mines were.

        Raises:
            IllegalAction: Before the end, when it is a secret.
        """
        if not self.over:
            raise IllegalAction(f"the board is hidden while the game is {self.status}")
        return self._round.final_board()

    # Actions.

    def open(self, cell: tuple[int, int]) -> bool:
        """Open an unopened, unflagged cell; a zero opens its neighbours, and so on.

        Returns:
            Whether anything was opened, even a mine.
        """
        return self._do(ActionKind.OPEN, cell, self._round.open)

    def chord(self, cell: tuple[int, int]) -> bool:
        """Open all other neighbours of a number whose flags match it, one by one in row order.

        It is lost on the first of them that is a mine; the rest then stays closed.

        Returns:
            Whether anything was opened, even a mine.
        """
        return self._do(ActionKind.CHORD, cell, self._round.chord)

    def flag(self, cell: tuple[int, int]) -> bool:
        """Flag an unopened cell, replacing a question mark, or remove the flag.

        Returns:
            Whether the cell is unopened.
        """
        return self._do(ActionKind.FLAG, cell, self._round.toggle_flag)

    def question(self, cell: tuple[int, int]) -> bool:
        """Put a question mark on an unopened cell, replacing a flag, or remove it.

        Returns:
            Whether the cell is unopened.
        """
        return self._do(ActionKind.QUESTION, cell, self._round.toggle_question)

    def undo(self) -> bool:
        """Undo the last action that had an effect, including one that lost or won.

        The dealer is restored as well: the same action has the same result again. The clocks
        and the counts of clicks stay, for they tell what the player did.

        Returns:
            Whether there was anything to undo.

        Raises:
            IllegalAction: If the game is played without undo.
        """
        if not self._settings.undo:
            raise IllegalAction("undo is off in this game")
        self._log.append(Action(ActionKind.UNDO, None, self.clock.player_s))
        if not self._round.can_undo:
            return False
        self._counts["undos"] += 1
        over = self.over
        changed = self._round.undo()
        if over:
            self.clock.player.start()
        if self._listeners:
            self.announce(Undone(tuple(map(self._round.seen.topology.cell, changed))))
        return True

    def restart(self, *, same: bool = False, seed: int | None = None) -> None:
        """Start again with clocks at zero; listeners stay.

        Args:
            same: Play the same mines again, if the rules place them beforehand; rules
                that deal as they go begin from the same seed. What the first click
                promised is not promised again.
            seed: The new game's seed; None derives one from the present seed.

        Raises:
            BadSetting: If the seed is out of range, or given for the same game.
        """
        if same and seed is not None:
            raise BadSetting(f"seed cannot be set when repeating the same game, got {seed!r:.40}")
        origin = self._round.origin
        if same:
            self._begin(self._settings, origin, self._round.kept_board())
        else:
            new = substream(self.seed, "restart") if seed is None else check_seed(seed)
            self._begin(replace(self._settings, seed=new), origin, None)
        self.clock.reset()
        self.announce(Restarted())

    def play(self, action: Action) -> bool:
        """Perform an action; its time is ignored.

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

    # Listeners.

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event from now on, after it has happened.

        Returns:
            A function that ends this.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def announce(self, event: Event) -> None:
        """Send an event to the listeners: for screens or coaches that add their own."""
        for listener in tuple(self._listeners):
            listener(event)

    # Saving and loading.

    def to_json(self) -> dict[str, Any]:
        """Return the whole game as JSON, for `from_json`; it includes the secret seed."""
        begun = self._round
        return save.to_json(self._settings, begun.origin, begun.given, self.clock, self._log)

    @classmethod
    def from_json(cls, obj: Any, *, time: TimeSource = _time.monotonic) -> Self:
        """Load a game saved by `to_json`; the time in between does not count.

        Raises:
            BadSave: If it is not a valid saved game; the message says why.
        """
        saved = save.from_json(obj)
        try:
            game = cls.begin(saved.settings, saved.position, saved.board, time=time)
        except SapperError as problem:
            raise BadSave(f"invalid saved game: {problem}") from problem
        for at, action in enumerate(saved.actions, start=1):
            try:
                game.play(action)
            except SapperError as problem:
                raise BadSave(f"invalid action {at}: {problem}") from problem
        if saved.running and not game.clock.player.running:
            raise BadSave(f"the game is {game.status}, so its clock cannot be running")
        game._log = list(saved.actions)
        game.clock.player.set(saved.player_s, running=saved.running)
        game.clock.solver.set(saved.solver_s)
        return game

    # Internals.

    def _do(
        self, kind: ActionKind, cell: tuple[int, int], act: Callable[[int], list[Event]]
    ) -> bool:
        index, at_s = self._round.seen.topology.index(cell), self.clock.player_s
        place = self._round.seen.topology.cell(index)
        if self.over:
            raise IllegalAction(f"cannot {kind} {place}: the game is {self.status}")
        events = act(index)
        self._log.append(Action(kind, place, at_s))
        button = _BUTTONS[kind]
        self._counts[button] += 1
        if not events:
            return False
        self._counts[f"{button}_effective"] += 1
        if button != "right":
            self.clock.player.start()
        if self.over:
            self.clock.player.stop()
        for event in events if self._listeners else ():
            self.announce(event)
        return True


_BUTTONS = {
    ActionKind.OPEN: "left",
    ActionKind.FLAG: "right",
    ActionKind.QUESTION: "right",
    ActionKind.CHORD: "chords",
}


def _first_clicks(rules: str) -> tuple[FirstClick, ...]:
    known = dealers.RULES.get(rules)
    return known.first_clicks if known else ()
