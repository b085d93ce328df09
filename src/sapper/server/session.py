"""One browser's game and wishes: takes its messages, and says what to tell it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Final, Self

from sapper.dealer import RULES
from sapper.errors import SapperError
from sapper.game import Game, Status
from sapper.metrics import bbbv
from sapper.position import Position
from sapper.server import view
from sapper.server.choices import MAX_CELLS, Choices
from sapper.server.protocol import BadMessage, Json, cell_of, text_of
from sapper.server.store import Best, Store
from sapper.topology import Cell

__all__ = ["MODES", "OVERLAYS", "Session"]

MODES: Final = ("solo", "assisted")
OVERLAYS: Final = ("none", "states", "chances")


class Session:
    """One browser's running game, the settings of its next one, and how it wants help.

    Attributes:
        id: Names the session; whoever knows it plays it.
        game: The running game.
        choices: The settings of the next game.
        questions: Whether marking a cell goes by way of a question mark.
        mode: ``solo`` or ``assisted``.
        overlay: What an assisted player wants to see on unopened cells.
        helped: Why this game does not count for the best times, or None.
        turn: Grows with every change that the browser is told of.
        last_loss: The position before the click that lost, and the cell that exploded.
    """

    def __init__(self, session_id: str, store: Store) -> None:
        self.id = session_id
        self.choices = Choices()
        self.questions = False
        self.mode = "solo"
        self.overlay = "none"
        self.turn = 0
        self._store = store
        self._set_game(self.choices.game())

    def _set_game(self, game: Game, helped: str | None = None) -> None:
        self.game = game
        self.helped = helped
        self.last_loss: tuple[Position, Cell, Cell | None] | None = None
        self._key = secrets.token_hex(4)
        self._seen = view.seen(game)
        self._note_overlay()

    # Saving.

    def to_json(self) -> Json:
        """Everything, the secret seed included: for the server's own store."""
        return {
            "choices": self.choices.to_json(),
            "questions": self.questions,
            "mode": self.mode,
            "overlay": self.overlay,
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
            session.mode = text_of(saved, "mode", MODES)
            session.overlay = text_of(saved, "overlay", OVERLAYS)
            session._set_game(Game.from_json(saved["game"]), saved["helped"])
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
                "key": self._key,
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
            "assist": {"mode": self.mode, "overlay": self.overlay},
        }

    def _standing(self) -> Json:
        game = self.game
        return {
            "turn": self.turn,
            "status": str(game.status),
            "mines_left": game.mines_left,
            "clock": {"seconds": game.clock.player_s, "running": game.clock.player.running},
            "can_undo": bool(game.log),
            "helped": self.helped,
            # The seed gives the mines away.
            "seed": game.seed if game.over else None,
        }

    def _delta(self, re: str | None, event: Json) -> Json:
        after = view.seen(self.game)
        cells = view.changes(self._seen, after)
        self._seen = after
        self.turn += 1
        return {"type": "delta", "re": re, "cells": cells, "event": event, **self._standing()}

    # What the browser asks.

    def handle(self, message: Json, re: str | None = None) -> Json:
        """Do what a message asks, and give what to tell every window of the browser.

        Raises:
            SapperError: If it cannot be done; nothing has changed then.
        """
        kind: str = message["type"]
        if kind in ("open", "chord", "mark"):
            return self._move(kind, cell_of(message), re)
        return _HANDLERS[kind](self, message, re)

    def _move(self, kind: str, cell: Cell, re: str | None) -> Json:
        game, before = self.game, self.game.position
        if kind == "open":
            done = game.open(cell)
        elif kind == "chord":
            done = game.chord(cell)
        else:
            done = self._mark(cell)
        if game.status is Status.LOST:
            self._note_loss(before, cell if kind == "chord" else None)
        event: Json = {"kind": kind if done else "nothing", "tried": kind, "cell": list(cell)}
        if done and kind == "mark":
            event["shows"] = chr(view.seen(game)[before.topology.index(cell)])
        if game.status is Status.WON:
            event = {**event, **self._won()}
        return self._delta(re, event)

    def _mark(self, cell: Cell) -> bool:
        """Unopened, flag, question mark if wanted, unopened again."""
        asked = cell in self.game.questions
        flagged = not asked and self.game.position[cell] == "F"
        if asked or (flagged and self.questions):
            return self.game.question(cell)
        return self.game.flag(cell)

    def _note_loss(self, before: Position, chorded: Cell | None) -> None:
        position = self.game.position
        exploded = position.topology.cell(position.cells.index(b"*"))
        self.last_loss = (before, exploded, chorded)

    def _won(self) -> Json:
        """What a won game was worth, beside the best before it."""
        game = self.game
        seconds, least = game.clock.player_s, bbbv(game.board)
        made = Choices.of(game)
        key = (self.id, made.level, made.rules, made.start, made.win)
        best = self._store.best(*key)
        if self.helped is None:
            self._store.add_win(*key, Best(seconds, least))
        return {
            "seconds": seconds,
            "bbbv": least,
            "best": None if best is None else best.seconds,
            "helped": self.helped,
        }

    def _undo(self, message: Json, re: str | None) -> Json:
        done = self.game.undo()
        if done:
            self.help("undo")
            self.last_loss = None
        return self._delta(re, {"kind": "undo" if done else "nothing", "tried": "undo"})

    def _new(self, message: Json, re: str | None) -> Json:
        """A new game by the chosen settings, or by others which the message brings."""
        choices = self.choices.changed(message.get("settings", {}))
        seed = message.get("seed")
        game = choices.game(seed)
        self.choices = choices
        self._set_game(game, None if seed is None else "seed")
        self.turn += 1
        return self.state(re)

    def _again(self, message: Json, re: str | None) -> Json:
        """The same board once more; it is known by now, so it does not count."""
        if not self.game.over:
            raise BadMessage("the same board can be played again once the game is over")
        self.game.restart(same=True)
        self._set_game(self.game, "again")
        self.turn += 1
        return self.state(re)

    def _position(self, message: Json, re: str | None) -> Json:
        """Go on from a position that someone has shared."""
        position = Position.from_json(message.get("position"))
        if position.topology.size > MAX_CELLS:
            raise BadMessage(f"a position has at most {MAX_CELLS} cells in the browser")
        if position.mines is None:
            raise BadMessage("a position to play needs its mine total")
        rules = message.get("rules", "classic")
        if not isinstance(rules, str) or rules not in RULES:
            raise BadMessage(f"there are no rules {rules!r:.40}; there are: {', '.join(RULES)}")
        game = Game.from_position(position, rules)
        self._set_game(game, "shared")
        self.turn += 1
        return self.state(re)

    def _settings(self, message: Json, re: str | None) -> Json:
        """Choose for the next game; a game that has not begun becomes that game at once."""
        questions = message.get("questions", self.questions)
        if not isinstance(questions, bool):
            raise BadMessage(f"'questions' must be true or false, not {questions!r:.40}")
        choices = self.choices.changed(message.get("settings", {}))
        different = choices != Choices.of(self.game)
        self.choices, self.questions = choices, questions
        if different and self.game.status is Status.READY and not self.game.log:
            self._set_game(choices.game())
        self.turn += 1
        return self.state(re)

    def _assist(self, message: Json, re: str | None) -> Json:
        """Choose how to be helped; takes effect at once."""
        mode = text_of(message, "mode", MODES)
        overlay = text_of(message, "overlay", OVERLAYS)
        self.mode, self.overlay = mode, overlay
        self._note_overlay()
        return self._delta(re, {"kind": "assist", "mode": mode, "overlay": overlay})

    def _sync(self, message: Json, re: str | None) -> Json:
        return self.state(re)

    # Help.

    @property
    def shows_overlay(self) -> bool:
        """Whether the browser wants an overlay."""
        return self.mode == "assisted" and self.overlay != "none"

    def _note_overlay(self) -> None:
        if self.shows_overlay:
            self.help("overlay")

    def help(self, why: str) -> None:
        """Note that this game was helped, so that it counts for no best time."""
        if self.helped is None and not self.game.over:
            self.helped = why


_HANDLERS: dict[str, Callable[[Session, Json, str | None], dict[str, Any]]] = {
    "undo": Session._undo,
    "new": Session._new,
    "again": Session._again,
    "position": Session._position,
    "settings": Session._settings,
    "assist": Session._assist,
    "sync": Session._sync,
}
