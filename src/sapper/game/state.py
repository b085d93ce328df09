"""The readable state of a game: settings, status, position, clocks, counts and guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType

from sapper._util.arguments import check_callable
from sapper.actions import Action
from sapper.board import Board
from sapper.errors import IllegalAction
from sapper.game.clock import Clock, TimeSource
from sapper.game.counts import Counts
from sapper.game.events import Event
from sapper.game.guesses import Guesses
from sapper.game.post_mortem import PostMortem
from sapper.game.review import Reviewer
from sapper.game.round import Round, Status
from sapper.game.trail import Trail
from sapper.position import Position
from sapper.rules import Level, Settings
from sapper.topology import Cell

__all__ = ["GameState", "Listener"]

Listener = Callable[[Event], object]


class GameState:
    """The state of a game, for reading.

    Attributes:
        clock: The player's and the solver's clocks.
    """

    clock: Clock

    def _set_up(
        self, settings: Settings, origin: Position | None, board: Board | None, time: TimeSource
    ) -> None:
        check_callable(time, "time")
        self.clock = Clock(time)
        self._listeners: list[Listener] = []
        self._begin(settings, origin, board)

    def _begin(self, settings: Settings, origin: Position | None, board: Board | None) -> None:
        # Create the round first: if it rejects the settings, a restarting game must not change.
        self._round = Round(settings, origin, board)
        self._settings = settings
        self._log: list[Action] = []
        self._paths: dict[int, bytes] = {}
        self._points = 0
        self._counts: Counter[str] = Counter()
        self._reviewer = Reviewer()

    def __repr__(self) -> str:
        """Describe the game without its secrets."""
        return f"<Game {self.level}, rules {self.rules}, {self.status}>"

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
        """The player's current view."""
        return self._round.seen.position

    @property
    def questions(self) -> frozenset[Cell]:
        """Cells with a question mark; in the position they are unopened."""
        return frozenset(map(self._round.seen.topology.cell, self._round.questions))

    @property
    def settings(self) -> Settings:
        """The settings of the game, including its secret seed."""
        return self._settings

    @property
    def level(self) -> Level:
        """The size, shape and mines."""
        return self._settings.level

    @property
    def rules(self) -> str:
        """The name of the rule set."""
        return self._settings.rules

    @property
    def seed(self) -> int:
        """The seed, which determines the mines: do not show it to players before the end."""
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
        """The guesses: every opened cell that was not proved safe, with the risk taken.

        Call `sapper.review` for the verdict, win chance and proof of every decision, which take
        longer.

        Each access analyses the positions since the last one, which takes tens of microseconds per
        click on common boards. Playing does not become slower.
        """
        return self._reviewer.guesses(self.trail())

    def post_mortem(self) -> PostMortem:
        """Explain why the game was lost.

        Raises:
            IllegalAction: If the game is not lost.
        """
        if self.status is not Status.LOST:
            raise IllegalAction(f"no post-mortem: the game is {self.status}, not lost")
        return self._reviewer.post_mortem(self.trail())

    def trail(self) -> Trail:
        """The cells opened and covered again so far, for a `Reviewer` in another thread."""
        return self._round.trail()

    @property
    def can_undo(self) -> bool:
        """Whether undo is on and there is an action to undo."""
        return self._round.can_undo

    @property
    def log(self) -> tuple[Action, ...]:
        """Every action since the game started, including those without effect or undone."""
        return tuple(self._log)

    @property
    def action_count(self) -> int:
        """The number of actions in `log`."""
        return len(self._log)

    def log_from(self, first: int) -> tuple[Action, ...]:
        """Return the actions in `log` from an index."""
        return tuple(self._log[first:])

    @property
    def pointer_paths(self) -> Mapping[int, bytes]:
        """The recorded pointer paths, keyed by the number in `log` of the action at their end.

        They are packed: see `sapper.game.pointer_path`.
        """
        return MappingProxyType(self._paths)

    @property
    def pointer_points(self) -> int:
        """The number of points of all pointer paths."""
        return self._points

    @property
    def board(self) -> Board:
        """Where the mines were.

        Raises:
            IllegalAction: Before the end of the game, when they are secret.
        """
        if not self.over:
            raise IllegalAction(f"the board is hidden while the game is {self.status}")
        return self._round.final_board()
