"""One browser's game and settings."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from sapper._util.clock import known_ms, now_ms
from sapper.game import Game, Status
from sapper.game.clock import Stopwatch
from sapper.generation.daily import DailyBoards
from sapper.history import PersonalBests, Record, variant_of
from sapper.server import limits
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.protocol import Json
from sapper.server.session import daily
from sapper.server.session.assist_settings import AssistSettings
from sapper.server.session.automatic import Automatic
from sapper.server.session.game_settings import GameSettings
from sapper.server.storage.database import compact
from sapper.server.storage.day_results import Day, DayResult

__all__ = ["Session", "Unsaved"]


@dataclass(slots=True)
class Unsaved:
    """Session changes not yet queued for saving.

    Attributes:
        queued: Number of queued actions of the game; None if the game itself is not queued.
        games: Records of finished games.
        dailies: Daily board results, each with its game.
        starts: Daily boards that have been started: the sessions and the days.
    """

    queued: int | None = None
    games: list[Record] = field(default_factory=list)
    dailies: list[tuple[DayResult, str]] = field(default_factory=list)
    starts: list[tuple[str, Day]] = field(default_factory=list)


class Session:
    """A browser's current game, the settings of the next one, and the help settings.

    Attributes:
        id: Id of the session.
        game: The current game, which only jobs may use.
        now: State of the game after the last finished job.
        choices: The last settings of each rule set, keyed by name.
        questions: Whether marks include question marks.
        assist: The player's help settings.
        automatic: State of the automatic mode.
        helped: The reason why the game does not count towards best times, or None.
        result: Statistics of the finished game, or None if only a bot played it.
        started_ms: Time of the game's first move in milliseconds since 1970; 0 if the clock was not
            set.
        key: Changes with every new game.
        day: The day of the game's daily board, or None.
        attempt: Whether this is the attempt that counts.
        bests: The player's personal bests.
        dailies: Daily board results by day.
        starts: Days whose boards have been started.
        guests: The guests of the browsers of its open windows, with the days that each has started.
            A signed-in browser has a guest's session too.
        daily_seed: Returns the seed of a day's board.
        unsaved: Changes not yet queued for saving.
        turn: Number that increases with every change sent to the browser.
        make_room: Called with the number of cells of a big board before it is dealt; raises `Busy`
            if there is not enough memory.
        deleted: Whether the session is being deleted or belongs to another worker, so that its
            changes are no longer saved.
        token: The token of this worker's claim.
        saved_settings: The values of the last saved settings, and their JSON text.
        saved_game: The same for the values of the game that few moves change.
    """

    def __init__(self, session_id: str) -> None:
        self.id = session_id
        self.choices: dict[str, GameSettings] = {}
        self.next_settings = GameSettings()
        self.questions = False
        self.assist = AssistSettings()
        self.automatic = Automatic()
        self.turn = 0
        self.deleted = False
        self.token = 0
        self.saved_settings: tuple[tuple[object, ...], str] | None = None
        self.saved_game: tuple[tuple[object, ...], str] | None = None
        self.make_room: Callable[[int], None] = _anywhere
        self.bests = PersonalBests()
        self.dailies: dict[Day, DayResult] = {}
        self.starts: set[Day] = set()
        self.guests: dict[str, set[Day]] = {}
        self.daily_seed: Callable[[date], int] = DailyBoards(
            secrets.randbits(256).to_bytes(32)
        ).seed
        self.unsaved = Unsaved()
        self.set_game(self.next_settings.game())

    @property
    def next_settings(self) -> GameSettings:
        """The settings of the next game."""
        return self._next_settings

    @next_settings.setter
    def next_settings(self, settings: GameSettings) -> None:
        self._next_settings = settings
        self.choices[settings.rules] = settings

    def with_changes(self, message: object) -> GameSettings:
        """Return the settings of the next game with changes.

        Raises:
            BadLevel: If the level cannot be parsed, or is too large for a browser.
            BadSetting: If a name is unknown, or the choices contradict each other.
        """
        return self.next_settings.changed(message, self.choices)

    def set_game(
        self,
        game: Game,
        helped: str | None = None,
        now: Snapshot | None = None,
        *,
        day: Day | None = None,
        attempt: bool = False,
    ) -> None:
        """Switch to another game.

        Args:
            game: The game.
            helped: The reason why the game does not count from the start, or None.
            now: Its state, if already known.
            day: The day of its daily board, or None.
            attempt: Whether this is the attempt that counts.
        """
        self.game = game
        self.day, self.attempt = day, attempt
        self.now = now or Snapshot.of(game)
        self.helped = helped
        self.result: Json | None = None
        self.started_ms: int | None = None
        self.record_key: str | None = None
        self.key = secrets.token_hex(4)
        self.unsaved.queued = None
        self.automatic.new_game()
        self._note_help()

    def replace_game(self, game: Game) -> None:
        """Use a copy of the game on which a worker process has acted."""
        if game is not self.game:
            # A bot may be thinking.
            game.clock.solver = self.game.clock.solver
            self.game = game

    def pointer_room(self, points: int) -> bool:
        """Return whether the game has room for this many more pointer path points."""
        return self.game.pointer_points + points <= limits.POINTER_POINTS

    @property
    def big(self) -> bool:
        """Whether the game is on a big board; see `limits.SMALL_CELLS`."""
        return len(self.now.cells) > limits.SMALL_CELLS

    # Time.

    @property
    def watch(self) -> Stopwatch:
        """The displayed clock: the player's or, in automatic mode, the bot's."""
        clock = self.game.clock
        return clock.solver if self.assist.mode == "automatic" else clock.player

    @property
    def time_ms(self) -> int:
        """The displayed time in milliseconds."""
        return round(1000 * self.watch.elapsed_s)

    def clock_json(self) -> Json:
        """Return the data of the displayed timer."""
        return {"seconds": self.watch.elapsed_s, "running": self.watch.running}

    # The daily board.

    def start_day(self) -> None:
        """Record that the attempt at a day's board has started, with a move or help."""
        if self.day is not None and self.attempt and self.day not in self.starts:
            self.starts.add(self.day)
            self.unsaved.starts.append((self.id, self.day))
            for guest, days in self.guests.items():
                days.add(self.day)
                self.unsaved.starts.append((guest, self.day))

    def has_started(self, day: Day) -> bool:
        """Return whether the player, or a browser that shows this game, has started a board."""
        mine = day in self.dailies or day in self.starts
        return mine or any(day in days for days in self.guests.values())

    def welcome_guest(self, guest: str, days: set[Day]) -> None:
        """Note the guest of a browser that opens a window, and the days that it has started.

        An attempt that has not begun becomes practice if the browser has already had its own.
        """
        if guest == self.id:
            self.starts |= days
        else:
            self.guests[guest] = days
        if self.attempt and self.day in days and not (self.now.actions or self.helped):
            self.attempt, self.helped = False, "practice"

    def daily_json(self) -> Json:
        """Return the data about the daily board for the Play page."""
        going = self.day if self.attempt and not self.now.over else None
        return daily.daily_json(self.dailies, self.starts, going)

    def finish_day(self, now: Snapshot) -> Json | None:
        """Record the attempt at a day's board if it counts; return the message about it."""
        if self.day is None or not self.attempt:
            return None
        self.attempt = False
        if self.day not in self.dailies:
            won = now.status is Status.WON
            # Opening the start counts as a click.
            assert now.bbbv is not None
            figures = self.watch.elapsed_s, now.bbbv, now.actions + 1
            result = DayResult(self.day, won, *figures, self.helped)
            self.dailies[self.day] = result
            self.unsaved.dailies.append((result, compact(self.game.to_json())))
        return self.daily_json()

    # The history.

    def note_move(self) -> None:
        """Record the time of the first move in the game."""
        if self.started_ms is None:
            self.started_ms = now_ms()

    def finish_game(self, now: Snapshot, bot: str = "") -> Record:
        """Return the record of the game that has just ended; the next change saves it.

        Args:
            now: Its result.
            bot: The bot, if it played the whole game.
        """
        finished_ms, started_ms = now_ms(), known_ms(self.started_ms or 0)
        record = Record.of_game(
            self.game,
            finished_ms,
            # The system clock may have been changed during the game.
            started_ms=started_ms if 0 < started_ms <= finished_ms else None,
            time_ms=self.time_ms,
            bot=bot,
            helped="" if bot else self.helped or "",
            variant=self._variant(),
            bbbv=now.bbbv,
            measured=False,
        )
        self.unsaved.games.append(record)
        self.record_key = record.key
        return record

    def _variant(self) -> str:
        # A daily board starts with an opening, so its times are not comparable to others.
        return variant_of(self.game.settings) if self.day is None else "daily"

    # Help.

    @property
    def layer(self) -> str:
        """Return the layer to draw over the board: an overlay, ``marks``, or ``none``."""
        return self.assist.layer(self.game.rules)

    def set_assist(self, assist: AssistSettings) -> None:
        """Change the help settings."""
        before, self.assist = self.assist.mode, assist
        player = self.game.clock.player
        if assist.mode == "automatic":
            player.stop()
        elif before == "automatic" and self.now.status is Status.PLAYING and player.elapsed_s:
            player.start()
        self._note_help()

    def _note_help(self) -> None:
        """Record that the overlay counts as help."""
        if self.layer != "none":
            self.help("overlay")

    def help(self, why: str) -> None:
        """Record that help was used in this game, which then does not count towards best times."""
        if self.helped is None and not self.now.over:
            self.helped = why
            self.start_day()


def _anywhere(cells: int) -> None:
    """Accept every board."""
