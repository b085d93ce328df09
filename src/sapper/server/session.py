"""One browser's game and settings, and the messages about them."""

from __future__ import annotations

import json
import secrets
import time
from bisect import bisect_left, insort
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Self

import numpy as np

from sapper.errors import BadSave, SapperError
from sapper.game import Game, Status, pointer_path, save
from sapper.game.clock import Stopwatch
from sapper.history import Record, variant_of
from sapper.server import cell_view, daily, limits
from sapper.server.assist_settings import AssistSettings
from sapper.server.automatic import Automatic
from sapper.server.daily import Day, DayResult
from sapper.server.game_settings import GameSettings
from sapper.server.protocol import Json
from sapper.server.snapshot import Snapshot
from sapper.server.store import Best, Change, Kind, Saved

__all__ = ["Session"]

_MANY: Final = 1_000
"""More changed cells of a big board are shorter as a patch."""


class Session:
    """One browser's current game, the settings of its next one, and its help settings.

    Attributes:
        id: Names the session.
        game: The running game; only a job may act on it.
        now: How that game stands, as of the last job that was finished.
        next_settings: The settings of the next game.
        questions: Whether marking a cell goes by way of a question mark.
        assist: How the player wants to be helped.
        automatic: Which bot plays in the automatic mode, and what it has chosen.
        helped: Why this game does not count for the best times, or None.
        started_ms: When the first move of this game was made, in milliseconds since 1970.
        key: Changes with every new game.
        day: The day whose board the game is on, or None.
        attempt: Whether it is the attempt of that day that counts.
        dailies: The results of daily boards, by day.
        turn: Grows with every change that the browser is told of.
        make_room: Called with the cells of a big board before it is dealt; raises `Busy` if there
            is no memory for it.
    """

    def __init__(self, session_id: str) -> None:
        self.id = session_id
        self.next_settings = GameSettings()
        self.questions = False
        self.assist = AssistSettings()
        self.automatic = Automatic()
        self.turn = 0
        self.make_room: Callable[[int], None] = _anywhere
        self._wins: dict[Kind, list[Best]] = {}
        self._finished: list[Record] = []
        self.dailies: dict[Day, DayResult] = {}
        self._new_dailies: list[tuple[DayResult, str]] = []
        self.set_game(self.next_settings.game())

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
            game: That game.
            helped: Why it does not count from its beginning.
            now: How it stands, where that is known already.
            day: The day whose board it is on.
            attempt: Whether it is the attempt of that day that counts.
        """
        self.game = game
        self.day, self.attempt = day, attempt
        self.now = now or Snapshot.of(game)
        self.helped = helped
        self.started_ms: int | None = None
        self.key = secrets.token_hex(4)
        # None of its actions is queued for saving, nor is the game itself.
        self._queued: int | None = None
        self.automatic.new_game()
        self._note_help()

    def replace_game(self, game: Game) -> None:
        """Use this copy of the game, which a worker process has played on."""
        if game is not self.game:
            # A bot may have been thinking meanwhile.
            game.clock.solver = self.game.clock.solver
            self.game = game

    def pointer_room(self, points: int) -> bool:
        """Return whether the game may keep so many more points of the pointer's path."""
        kept = sum(map(len, self.game.pointer_paths.values())) // pointer_path.POINT_BYTES
        return kept + points <= limits.POINTER_POINTS

    # Saving.

    def change(self) -> Change:
        """Return what changed since the last call; the caller must save it."""
        game, first = None, self._queued
        if first is None:
            begun = self.game.to_json()
            del begun["actions"], begun["clock"]
            game, first = _text(begun), 0
        log = self.game.log
        self._queued = len(log)
        games, self._finished = tuple(self._finished), []
        dailies, self._new_dailies = tuple(self._new_dailies), []
        paths = self.game.pointer_paths
        actions = tuple(
            save.action_to_json(a, paths.get(at)) for at, a in enumerate(log[first:], first)
        )
        return Change(self.id, _text(self._state()), game, first, actions, games, dailies)

    def _state(self) -> Json:
        clock = self.game.clock
        return {
            "settings": self.next_settings.to_json(),
            "questions": self.questions,
            "assist": self.assist.to_json(),
            "automatic": self.automatic.to_json(),
            "helped": self.helped,
            "started_ms": self.started_ms,
            "day": self.day,
            "attempt": self.attempt,
            "clock": {
                "player_s": clock.player_s,
                "running": clock.player.running,
                "solver_s": clock.solver_s,
            },
        }

    @classmethod
    def load(cls, session_id: str, saved: Saved) -> Self:
        """Load a saved session. Replays its game, which may take long.

        Raises:
            BadSave: If the save cannot be read.
        """
        try:
            state = json.loads(saved.state)
            session = cls(session_id)
            session.set_wins(saved.wins)
            session.dailies = saved.dailies
            session.next_settings = GameSettings().changed(state["settings"])
            session.questions = state["questions"] is True
            session.assist = AssistSettings().changed(state["assist"])
            with suppress(SapperError, TypeError):
                # Its bot may no longer exist, which does no harm.
                session.automatic.change(state["automatic"])
            if saved.game is not None:
                begun = json.loads(saved.game)
                actions = json.loads(saved.actions)
                game = Game.from_json({**begun, "clock": state["clock"], "actions": actions})
                day, attempt = state.get("day"), state.get("attempt") is True
                session.set_game(game, state["helped"], day=day, attempt=attempt)
                session.started_ms = state.get("started_ms")
                session._queued = len(actions)
        except (SapperError, KeyError, TypeError, ValueError) as problem:
            raise BadSave(f"the saved session cannot be read: {problem}") from problem
        return session

    # Messages for the browser.

    def state(self, re: str | None = None) -> Json:
        """Return the whole state, for a browser that has nothing yet."""
        game = self.game
        return {
            "type": "state",
            "re": re,
            "game": {
                "key": self.key,
                "width": game.level.width,
                "height": game.level.height,
                "mines": self.now.position.mines,
                "topology": game.level.topology,
                "settings": GameSettings.of(game).to_json(),
                "day": self.day,
                "attempt": self.attempt,
                **self._cells(),
                **self._standing(),
            },
            "settings": self.next_settings.to_json(),
            "questions": self.questions,
            "assist": self.assist.to_json(),
            "automatic": self.automatic.told(),
            "daily": daily.told(self.dailies),
        }

    def _cells(self) -> Json:
        if self.big:
            return {"packed": cell_view.packed(self.now.cells)}
        return {"rows": cell_view.rows(self.now.cells, self.game.level.width)}

    @property
    def big(self) -> bool:
        """Whether the game is on a big board, see `limits.SMALL_CELLS`."""
        return len(self.now.cells) > limits.SMALL_CELLS

    def told_all(self, re: str | None) -> Json:
        """Return the whole state, as the next turn."""
        self.turn += 1
        return self.state(re)

    def delta(self, re: str | None, event: Json, now: Snapshot | None = None) -> Json:
        """Return what has changed since the last turn, and the event that changed it."""
        if self.assist.mode == "automatic":
            # Every move starts it.
            self.game.clock.player.stop()
        before, self.now = self.now.cells, now or self.now
        self.turn += 1
        changed = _changed(before, self.now.cells)
        return {"type": "delta", "re": re, **changed, "event": event, **self._standing()}

    def _standing(self) -> Json:
        now = self.now
        return {
            "turn": self.turn,
            "status": str(now.status),
            "mines_left": now.mines_left,
            "clock": self.clock_told(),
            "can_undo": now.can_undo,
            "helped": self.helped,
            "seed": now.seed,
        }

    # Time.

    @property
    def watch(self) -> Stopwatch:
        """The clock that counts: the player's, or in automatic mode the bot's."""
        clock = self.game.clock
        return clock.solver if self.assist.mode == "automatic" else clock.player

    def clock_told(self) -> Json:
        """Return what the timer shows."""
        return {"seconds": self.watch.elapsed_s, "running": self.watch.running}

    # The daily board.

    def finish_day(self, now: Snapshot) -> Json | None:
        """Record the attempt at a day's board that counts; return the news if this game was it."""
        if self.day is None or not self.attempt:
            return None
        self.attempt = False
        if self.day not in self.dailies:
            won = now.status is Status.WON
            # Opening the start was a click as well.
            assert now.bbbv is not None
            figures = self.watch.elapsed_s, now.bbbv, now.actions + 1
            result = DayResult(self.day, won, *figures, self.helped)
            self.dailies[self.day] = result
            self._new_dailies.append((result, _text(self.game.to_json())))
        return daily.told(self.dailies)

    # The history.

    def note_move(self) -> None:
        """Record when the first move of the game was made."""
        if self.started_ms is None:
            self.started_ms = _now_ms()

    def finish_game(self, now: Snapshot, bot: str = "") -> Record:
        """Return the record of the game, which has just ended; `change` saves it.

        Args:
            now: How it ended.
            bot: The bot that played it without anyone else.
        """
        record = Record.of_game(
            self.game,
            _now_ms(),
            started_ms=self.started_ms,
            time_ms=self._time_ms(),
            bot=bot,
            helped="" if bot else self.helped or "",
            variant=self._variant(),
            bbbv=now.bbbv,
            measured=False,
        )
        self._finished.append(record)
        return record

    def _variant(self) -> str:
        # A day's board begins with its start open, so its times are not compared with others.
        return variant_of(self.game.settings) if self.day is None else "daily"

    # Best times.

    def set_wins(self, wins: dict[Kind, list[Best]]) -> None:
        """Take the games won without help, the fastest first, that the history has now."""
        self._wins = wins

    def best(self) -> Best | None:
        """Return the fastest win so far with the current game's settings, or None."""
        return next(iter(self._wins.get(self._kind(), [])), None)

    def won(self, now: Snapshot) -> Best:
        """Return the time and 3BV of the current game, which is won."""
        assert now.bbbv is not None
        return Best(self._time_ms() / 1000, now.bbbv)

    def _time_ms(self) -> int:
        return round(1000 * self.watch.elapsed_s)

    def add_win(self, won: Best) -> None:
        """Record that the current game was won without help."""
        insort(self._wins.setdefault(self._kind(), []), won)

    def rank(self, won: Best) -> tuple[int, int]:
        """Return the rank of a won game by its time among all comparable wins, and their number."""
        wins = self._wins.get(self._kind(), [])
        return bisect_left(wins, (won.seconds,)) + 1, len(wins)

    def _kind(self) -> Kind:
        settings = self.game.settings
        return str(settings.level), settings.rules, self._variant(), str(settings.first_click)

    # Help.

    @property
    def layer(self) -> str:
        """Return what to draw over the board: an overlay, ``marks``, or ``none``."""
        return self.assist.layer(self.game.settings.rules)

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
        """Record that this game was helped, so that it does not count for best times."""
        if self.helped is None and not self.now.over:
            self.helped = why


def _anywhere(cells: int) -> None:
    """Accept every board."""


def _changed(before: bytes, after: bytes) -> Json:
    """Return the cells that changed: one by one, or as a patch where there are many."""
    if len(after) > limits.SMALL_CELLS:
        differ = np.frombuffer(before, np.uint8) != np.frombuffer(after, np.uint8)
        if np.count_nonzero(differ) > _MANY:
            return {"cells": [], "patch": cell_view.patch(before, after)}
    return {"cells": cell_view.changes(before, after)}


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _text(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))
