"""One browser's game and wishes, and what a window is told of them."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Self

from sapper.clock import Stopwatch
from sapper.errors import SapperError
from sapper.game import Game, Status
from sapper.server import view
from sapper.server.automatic import Automatic
from sapper.server.choices import Choices
from sapper.server.protocol import Json
from sapper.server.store import Best, Store
from sapper.server.wishes import Wishes

__all__ = ["Session"]


class Session:
    """One browser's running game, the settings of its next one, and how it wants help.

    Attributes:
        id: Names the session; whoever knows it plays it.
        game: The running game.
        choices: The settings of the next game.
        questions: Whether marking a cell goes by way of a question mark.
        wishes: How the player wants to be helped.
        automatic: Which bot plays in the automatic mode, and what it has chosen.
        helped: Why this game does not count for the best times, or None.
        key: Changes with every new game.
        turn: Grows with every change that the browser is told of.
    """

    def __init__(self, session_id: str, store: Store) -> None:
        self.id = session_id
        self.choices = Choices()
        self.questions = False
        self.wishes = Wishes()
        self.automatic = Automatic()
        self.turn = 0
        self._store = store
        self.set_game(self.choices.game())

    def set_game(self, game: Game, helped: str | None = None) -> None:
        """Play another game.

        Args:
            game: That game.
            helped: Why it does not count from its beginning.
        """
        self.game = game
        self.helped = helped
        self.key = secrets.token_hex(4)
        self._seen = view.seen(game)
        self.automatic.new_game()
        self._note_help()

    # Saving.

    def to_json(self) -> Json:
        """Everything, the secret seed included: for the server's own store."""
        return {
            "choices": self.choices.to_json(),
            "questions": self.questions,
            "assist": self.wishes.to_json(),
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
            session.choices = Choices().changed(saved["choices"])
            session.questions = saved["questions"] is True
            session.wishes = Wishes().changed(saved.get("assist", {}))
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
                "settings": Choices.of(game).to_json(),
                "rows": view.rows(self._seen, game.level.width),
                **self._standing(),
            },
            "settings": self.choices.to_json(),
            "questions": self.questions,
            "assist": self.wishes.to_json(),
            "automatic": self.automatic.told(),
        }

    def told_all(self, re: str | None) -> Json:
        """The whole state, as the next turn."""
        self.turn += 1
        return self.state(re)

    def delta(self, re: str | None, event: Json) -> Json:
        """What has changed since the last turn, and the event that changed it."""
        if self.wishes.mode == "automatic":
            # Every move starts it.
            self.game.clock.player.stop()
        after = view.seen(self.game)
        cells = view.changes(self._seen, after)
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
        return clock.solver if self.wishes.mode == "automatic" else clock.player

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

    def _kind(self) -> tuple[str, str, str, str, str]:
        made = Choices.of(self.game)
        rules = "+".join([made.rules, *_other_options(made)])
        return self.id, made.level, rules, made.start, made.win

    # Help.

    @property
    def layer(self) -> str:
        """What is to lie over the board: an overlay, ``marks``, or ``none``."""
        return self.wishes.layer(self.game.settings.rules)

    def wish(self, wishes: Wishes) -> None:
        """Help in another way from now on."""
        before, self.wishes = self.wishes.mode, wishes
        player = self.game.clock.player
        if wishes.mode == "automatic":
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


def _other_options(made: Choices) -> list[str]:
    """The options that are not as the rules have them: a game of its own kind."""
    usual = Choices().changed({"rules": made.rules}).options
    return [f"{name}={value}" for name, value in made.options.items() if usual.get(name) != value]
