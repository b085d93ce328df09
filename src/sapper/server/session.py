"""One browser's game and settings, and what a window is told of them."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Self

from sapper.errors import SapperError
from sapper.game import Game, Status
from sapper.game.clock import Stopwatch
from sapper.server import cell_view
from sapper.server.assist_settings import AssistSettings
from sapper.server.automatic import Automatic
from sapper.server.game_settings import GameSettings
from sapper.server.protocol import Json
from sapper.server.store import Best, Store

__all__ = ["Session"]


class Session:
    """One browser's running game, the settings of its next one, and how it wants help.

    Attributes:
        id: Names the session; whoever knows it plays it.
        game: The running game.
        next_settings: The settings of the next game.
        questions: Whether marking a cell goes by way of a question mark.
        assist: How the player wants to be helped.
        automatic: Which bot plays in the automatic mode, and what it has chosen.
        helped: Why this game does not count for the best times, or None.
        key: Changes with every new game.
        turn: Grows with every change that the browser is told of.
    """

    def __init__(self, session_id: str, store: Store) -> None:
        self.id = session_id
        self.next_settings = GameSettings()
        self.questions = False
        self.assist = AssistSettings()
        self.automatic = Automatic()
        self.turn = 0
        self._store = store
        self.set_game(self.next_settings.game())

    def set_game(self, game: Game, helped: str | None = None) -> None:
        """Play another game.

        Args:
            game: That game.
            helped: Why it does not count from its beginning.
        """
        self.game = game
        self.helped = helped
        self.key = secrets.token_hex(4)
        self._seen = cell_view.seen(game)
        self.automatic.new_game()
        self._note_help()

    # Saving.

    def to_json(self) -> Json:
        """Everything, the secret seed included: for the server's own store."""
        return {
            "settings": self.next_settings.to_json(),
            "questions": self.questions,
            "assist": self.assist.to_json(),
            "automatic": self.automatic.to_json(),
            "helped": self.helped,
            "game": self.game.to_json(),
        }

    @classmethod
    def load(cls, session_id: str, store: Store) -> Self:
        """The session as it was saved; a fresh one where there is none, or none that fits."""
        session = cls(session_id, store)
        saved = store.session(session_id)
        if saved is None:
            return session
        try:
            session.next_settings = GameSettings().changed(saved["settings"])
            session.questions = saved["questions"] is True
            session.assist = AssistSettings().changed(saved.get("assist", {}))
            with suppress(SapperError, TypeError):
                # Its bot may be gone since, which is no loss.
                session.automatic.change(saved.get("automatic", {}))
            session.set_game(Game.from_json(saved["game"]), saved["helped"])
        except (SapperError, KeyError, TypeError):
            # A save by another version: better a fresh game than none.
            return cls(session_id, store)
        return session

    # What the browser is told.

    def state(self, re: str | None = None) -> Json:
        """The whole state, for a browser that has nothing yet."""
        game = self.game
        return {
            "type": "state",
            "re": re,
            "game": {
                "key": self.key,
                "width": game.level.width,
                "height": game.level.height,
                "mines": game.position.mines,
                "topology": game.level.topology,
                "settings": GameSettings.of(game).to_json(),
                "rows": cell_view.rows(self._seen, game.level.width),
                **self._standing(),
            },
            "settings": self.next_settings.to_json(),
            "questions": self.questions,
            "assist": self.assist.to_json(),
            "automatic": self.automatic.told(),
        }

    def told_all(self, re: str | None) -> Json:
        """The whole state, as the next turn."""
        self.turn += 1
        return self.state(re)

    def delta(self, re: str | None, event: Json) -> Json:
        """What has changed since the last turn, and the event that changed it."""
        if self.assist.mode == "automatic":
            # Every move starts it.
            self.game.clock.player.stop()
        after = cell_view.seen(self.game)
        cells = cell_view.changes(self._seen, after)
        self._seen = after
        self.turn += 1
        return {"type": "delta", "re": re, "cells": cells, "event": event, **self._standing()}

    def _standing(self) -> Json:
        game = self.game
        return {
            "turn": self.turn,
            "status": str(game.status),
            "mines_left": game.mines_left,
            "clock": self.clock_told(),
            "can_undo": game.can_undo,
            "helped": self.helped,
            # The seed gives the mines away.
            "seed": game.seed if game.over else None,
        }

    # Time.

    @property
    def watch(self) -> Stopwatch:
        """The clock that counts: the player's, or in the automatic mode the bot's."""
        clock = self.game.clock
        return clock.solver if self.assist.mode == "automatic" else clock.player

    def clock_told(self) -> Json:
        """What the timer shows."""
        return {"seconds": self.watch.elapsed_s, "running": self.watch.running}

    # Best times.

    def best(self) -> Best | None:
        """The fastest game won so far by the running game's settings, or None."""
        return self._store.best(*self._kind())

    def add_win(self, won: Best) -> None:
        """Remember that the running game was won."""
        self._store.add_win(*self._kind(), won)

    def rank(self, seconds: float) -> tuple[int, int]:
        """Where a won game stands among those of its kind, and how many those are."""
        return self._store.rank(*self._kind(), seconds)

    def _kind(self) -> tuple[str, str, str, str, str]:
        made = GameSettings.of(self.game)
        rules = "+".join([made.rules, *_other_options(made)])
        return self.id, made.level, rules, made.first_click, made.win

    # Help.

    @property
    def layer(self) -> str:
        """What is to lie over the board: an overlay, ``marks``, or ``none``."""
        return self.assist.layer(self.game.settings.rules)

    def set_assist(self, assist: AssistSettings) -> None:
        """Help in another way from now on."""
        before, self.assist = self.assist.mode, assist
        player = self.game.clock.player
        if assist.mode == "automatic":
            player.stop()
        elif before == "automatic" and self.game.status is Status.PLAYING and player.elapsed_s:
            player.start()
        self._note_help()

    def _note_help(self) -> None:
        """Note that what lies over the board helps."""
        if self.layer != "none":
            self.help("overlay")

    def help(self, why: str) -> None:
        """Note that this game was helped, so that it counts for no best time."""
        if self.helped is None and not self.game.over:
            self.helped = why


def _other_options(made: GameSettings) -> list[str]:
    """The options that are not as the rules have them: a game of its own kind."""
    usual = GameSettings().changed({"rules": made.rules}).options
    return [f"{name}={value}" for name, value in made.options.items() if usual.get(name) != value]
