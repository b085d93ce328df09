"""What each kind of message does to a session, and what its windows are told."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from sapper.dealer import RULES
from sapper.errors import SapperError
from sapper.game import Game, Status
from sapper.metrics import bbbv
from sapper.position import Position
from sapper.server import cell_view
from sapper.server.assist_settings import switch_of
from sapper.server.game_settings import MAX_CELLS, GameSettings
from sapper.server.protocol import BadMessage, Json, cell_of
from sapper.server.session import Session
from sapper.server.store import Best
from sapper.topology import Cell

__all__ = ["handle", "move_message"]


def handle(session: Session, message: Json, re: str | None = None) -> Json:
    """Do what a message asks, and give what to tell every window of the browser.

    Raises:
        SapperError: If it cannot be done; nothing has changed then.
    """
    return _HANDLERS[message["type"]](session, message, re)


# Moves.


def _move(session: Session, message: Json, re: str | None) -> Json:
    kind: str = message["type"]
    cell, game = cell_of(message), session.game
    if kind == "open":
        done = game.open(cell)
    elif kind == "chord":
        done = game.chord(cell)
    else:
        done = _mark(session, cell)
    return move_message(session, kind, cell, done, re)


def move_message(
    session: Session, kind: str, cell: Cell, done: bool, re: str | None = None, **more: str
) -> Json:
    """What all windows are told of a move.

    Args:
        session: In whose game it was made.
        kind: ``open``, ``chord`` or ``mark``.
        cell: Where.
        done: Whether it changed anything.
        re: The message to answer.
        more: What else the event is to say.
    """
    game = session.game
    event: Json = {"kind": kind if done else "nothing", "tried": kind, "cell": list(cell), **more}
    if done and kind == "mark":
        event["shows"] = chr(cell_view.seen(game)[game.position.topology.index(cell)])
    if game.status is Status.WON:
        event = {**event, **_won(session)}
    return session.delta(re, event)


def _mark(session: Session, cell: Cell) -> bool:
    """Unopened, flag, question mark if wanted, unopened again."""
    game = session.game
    asked = cell in game.questions
    flagged = not asked and game.position[cell] == "F"
    if asked or (flagged and session.questions):
        return game.question(cell)
    return game.flag(cell)


def _won(session: Session) -> Json:
    """What a won game was worth, beside the best before it."""
    game = session.game
    seconds, least = session.watch.elapsed_s, bbbv(game.board)
    best = session.best()
    if session.helped is None:
        session.add_win(Best(seconds, least))
    rank, wins = (None, None) if session.helped else session.rank(seconds)
    return {
        "seconds": seconds,
        "bbbv": least,
        "clicks": len(game.log),
        "rank": rank,
        "wins": wins,
        "best": None if best is None else best.seconds,
        "helped": session.helped,
    }


def _undo(session: Session, message: Json, re: str | None) -> Json:
    done = session.game.undo()
    if done:
        session.help("undo")
    return session.delta(re, {"kind": "undo" if done else "nothing", "tried": "undo"})


# Other games.


def _new(session: Session, message: Json, re: str | None) -> Json:
    """A new game by the chosen settings, or by others which the message brings."""
    settings = session.next_settings.changed(message.get("settings", {}))
    seed = message.get("seed")
    game = settings.game(seed)
    session.next_settings = settings
    session.set_game(game, None if seed is None else "seed")
    return session.told_all(re)


def _again(session: Session, message: Json, re: str | None) -> Json:
    """The same board once more; it is known by now, so it does not count."""
    if not session.game.over:
        raise BadMessage("the same board can be played again once the game is over")
    session.game.restart(same=True)
    session.set_game(session.game, "again")
    return session.told_all(re)


def _position(session: Session, message: Json, re: str | None) -> Json:
    """Go on from a position that someone has shared."""
    position = Position.from_json(message.get("position"))
    if position.topology.size > MAX_CELLS:
        raise BadMessage(f"a position has at most {MAX_CELLS} cells in the browser")
    if position.mines is None:
        raise BadMessage("a position to play needs its mine total")
    rules, options = message.get("rules", "classic"), message.get("options", {})
    if not isinstance(rules, str) or rules not in RULES:
        raise BadMessage(f"there are no rules {rules!r:.40}; there are: {', '.join(RULES)}")
    chosen = GameSettings().changed({"rules": rules, "options": options}).options
    settings: dict[str, Any] = dict(chosen)
    game = Game.from_position(position, rules, **settings)
    # The next game goes on by these rules, unless its level does not suit them.
    with suppress(SapperError):
        session.next_settings = session.next_settings.changed({"rules": rules, "options": chosen})
    session.set_game(game, "shared")
    return session.told_all(re)


def _settings(session: Session, message: Json, re: str | None) -> Json:
    """Choose for the next game; a game that has not begun becomes that game at once."""
    questions = switch_of(message, "questions") if "questions" in message else session.questions
    settings = session.next_settings.changed(message.get("settings", {}))
    different = settings != GameSettings.of(session.game)
    session.next_settings, session.questions = settings, questions
    if different and session.game.status is Status.READY and not session.game.log:
        session.set_game(settings.game())
    return session.told_all(re)


# Help.


def _assist(session: Session, message: Json, re: str | None) -> Json:
    """Choose how to be helped; takes effect at once."""
    session.set_assist(session.assist.changed(message))
    return session.delta(re, {"kind": "assist", "assist": session.assist.to_json()})


_HANDLERS: Final[dict[str, Callable[[Session, Json, str | None], Json]]] = {
    "open": _move,
    "chord": _move,
    "mark": _move,
    "undo": _undo,
    "new": _new,
    "again": _again,
    "position": _position,
    "settings": _settings,
    "assist": _assist,
}
