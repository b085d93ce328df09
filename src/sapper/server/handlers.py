"""Handle each kind of message: what it does to a session, and the message to its windows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

from sapper.coach.retry import game_before
from sapper.dealer import RULES
from sapper.errors import IllegalAction, SapperError
from sapper.game import Game, Status, pointer_path
from sapper.position import Position
from sapper.server import daily, limits
from sapper.server.assist_settings import switch_of
from sapper.server.game_settings import GameSettings
from sapper.server.job_cost import is_heavy_move, is_heavy_position
from sapper.server.job_runner import Job
from sapper.server.protocol import BadMessage, Json, cell_of
from sapper.server.session import Session
from sapper.server.snapshot import Snapshot
from sapper.topology import Cell
from sapper.translation import t

__all__ = ["REPLACING", "Moved", "check_length", "job_for", "move_message"]


REPLACING: Final = frozenset({"daily", "new", "position", "retry", "take_over"})
"""The messages that begin another game whatever the present one is doing."""


def job_for(session: Session, message: Json, re: str | None = None) -> Job[Any]:
    """Return the job for a message; its outcome is sent to every window of the browser.

    Raises:
        SapperError: If the message asks for what cannot be.
    """
    return _HANDLERS[message["type"]](session, message, re)


# Moves.


class Moved(NamedTuple):
    """The result of an action.

    Attributes:
        done: Whether it changed anything.
        now: The state of the game after it.
        game: The game after it: a copy of the session's game if a process did the action.
    """

    done: bool
    now: Snapshot
    game: Game


def check_length(game: Game) -> None:
    """Refuse another action once as many are kept as may be.

    Raises:
        IllegalAction: With the bound.
    """
    cells = game.level.width * game.level.height
    more = cells // limits.CELLS_PER_ACTION if cells > limits.SMALL_CELLS else 0
    most = max(limits.ACTIONS, more)
    if len(game.log) >= most:
        raise IllegalAction(f"this game has at most {most:,} actions; begin a new one")


def _move(session: Session, message: Json, re: str | None) -> Job[Moved]:
    kind: str = message["type"]
    cell = cell_of(message)
    work = partial(_act, session.game, kind, cell, session.questions, _pointer(session, message))
    heavy = is_heavy_move(session.game.settings, session.now, marks=kind == "mark")
    return Job(work, lambda moved: move_message(session, kind, cell, moved, re), heavy)


def _pointer(session: Session, message: Json) -> bytes | None:
    """Return the path of the pointer up to a move; None without one, or if there is no room."""
    if "pointer" not in message:
        return None
    path = pointer_path.pack(message["pointer"], session.now.position.topology)
    fits = session.pointer_room(len(path) // pointer_path.POINT_BYTES)
    return path if fits and not session.big else None


def _act(game: Game, kind: str, cell: Cell, questions: bool, pointer: bytes | None) -> Moved:
    check_length(game)
    if kind == "open":
        done = game.open(cell)
    elif kind == "chord":
        done = game.chord(cell)
    else:
        done = _mark(game, cell, questions)
    if pointer is not None:
        game.note_pointer(pointer)
    return Moved(done, Snapshot.of(game), game)


def move_message(
    session: Session, kind: str, cell: Cell, moved: Moved, re: str | None = None, **more: str
) -> Json:
    """Return the message about a move for all windows.

    Args:
        session: In whose game it was made.
        kind: ``open``, ``chord`` or ``mark``.
        cell: Where.
        moved: What it did.
        re: The message to answer.
        more: What else the event is to say.
    """
    done, now, game = moved
    session.replace_game(game)
    if done and kind != "mark":
        session.note_move()
    event: Json = {"kind": kind if done else "nothing", "tried": kind, "cell": list(cell), **more}
    if done and kind == "mark":
        event["shows"] = chr(now.cells[now.position.topology.index(cell)])
    if now.over and not session.now.over:
        bot = more.get("bot", "") if session.automatic.alone else ""
        event["game"] = session.finish_game(now, bot).key
    if now.status is Status.WON:
        event = {**event, **_won(session, now)}
    if now.over and (news := session.finish_day(now)) is not None:
        event["daily"] = news
    return session.delta(re, event, now)


def _mark(game: Game, cell: Cell, questions: bool) -> bool:
    """Unopened, flag, question mark if wanted, unopened again."""
    asked = cell in game.questions
    flagged = not asked and game.position[cell] == "F"
    if asked or (flagged and questions):
        return game.question(cell)
    return game.flag(cell)


def _won(session: Session, now: Snapshot) -> Json:
    """Return the result of a won game, with the best one before it."""
    assert now.bbbv is not None
    # A day's board has one result, and its attempts are not compared.
    counts = session.helped is None and session.day is None
    won, best = session.won(now), session.best() if session.day is None else None
    if counts:
        session.add_win(won)
    rank, wins = session.rank(won) if counts else (None, None)
    return {
        "seconds": won.seconds,
        "bbbv": now.bbbv,
        "clicks": now.actions + (session.day is not None),
        "rank": rank,
        "wins": wins,
        "best": None if best is None else best.seconds,
        "helped": session.helped,
    }


def _undo(session: Session, message: Json, re: str | None) -> Job[Moved]:
    game, pointer = session.game, _pointer(session, message)

    def work() -> Moved:
        check_length(game)
        done = game.undo()
        if pointer is not None:
            game.note_pointer(pointer)
        return Moved(done, Snapshot.of(game), game)

    def finish(moved: Moved) -> Json:
        kind = "undo" if moved.done else "nothing"
        told = session.delta(re, {"kind": kind, "tried": "undo"}, moved.now)
        if moved.done:
            session.help("undo")
            told["helped"] = session.helped
        return told

    return Job(work, finish)


# Other games.


def _with_snapshot(game: Game) -> tuple[Game, Snapshot]:
    return game, Snapshot.of(game)


def _new(session: Session, message: Json, re: str | None) -> Job[tuple[Game, Snapshot]]:
    """A new game by the chosen settings, or by others which the message brings."""
    settings = session.next_settings.changed(message.get("settings", {}))
    session.make_room(settings.cells)
    seed = message.get("seed")

    def finish(made: tuple[Game, Snapshot]) -> Json:
        session.next_settings = settings
        session.set_game(made[0], None if seed is None else "seed", made[1])
        return session.told_all(re)

    return Job(lambda: _with_snapshot(settings.game(seed)), finish)


def _again(session: Session, message: Json, re: str | None) -> Job[tuple[Game, Snapshot]]:
    """The same board once more; it is known by now, so it does not count."""
    game = session.game
    if not session.now.over:
        raise BadMessage(t("the same board can be played again once the game is over"))

    def work() -> tuple[Game, Snapshot]:
        game.restart(same=True)
        return _with_snapshot(game)

    def finish(made: tuple[Game, Snapshot]) -> Json:
        session.set_game(made[0], "again", made[1])
        return session.told_all(re)

    return Job(work, finish)


def _retry(session: Session, message: Json, re: str | None) -> Job[tuple[Game, Snapshot]]:
    """Go back to a decision of this game, or of another one that was reviewed."""
    game, decision = message.get("game") or session.game, message["decision"]
    heavy = is_heavy_position(session.now.position)

    def finish(made: tuple[Game, Snapshot]) -> Json:
        session.set_game(made[0], "retry", made[1])
        return session.told_all(re)

    return Job(partial(_before, game, decision), finish, heavy)


def _take_over(session: Session, message: Json, re: str | None) -> Job[tuple[Game, Snapshot]]:
    """Go on from a moment of a replay, whose mines are known."""
    game: Game = message["game"]

    def finish(made: tuple[Game, Snapshot]) -> Json:
        session.set_game(made[0], "replay", made[1])
        return session.told_all(re)

    return Job(partial(_with_snapshot, game), finish)


def _before(game: Game, decision: int) -> tuple[Game, Snapshot]:
    return _with_snapshot(game_before(game, decision))


def _daily(session: Session, message: Json, re: str | None) -> Job[tuple[Game, Snapshot] | None]:
    """The board of a day; an attempt that is still running goes on."""
    day = daily.day_of(message.get("day"))
    name = day.isoformat()
    goes_on = session.day == name and session.attempt and not session.now.over

    def finish(made: tuple[Game, Snapshot] | None) -> Json:
        if made is not None:
            counts = day == daily.today() and name not in session.dailies
            helped = None if counts else "practice"
            session.set_game(made[0], helped, made[1], day=name, attempt=counts)
        return session.told_all(re)

    return Job(None if goes_on else lambda: _with_snapshot(daily.daily_game(day)), finish)


def _position(session: Session, message: Json, re: str | None) -> Job[tuple[Game, Snapshot]]:
    """Go on from a position that someone has shared."""
    rules, options = message.get("rules", "classic"), message.get("options", {})
    if not isinstance(rules, str) or rules not in RULES:
        raise BadMessage(f"unknown rules {rules!r:.40}; choose from: {', '.join(RULES)}")
    given = message.get("position")
    chosen = dict(GameSettings().changed({"rules": rules, "options": options}).options)

    position = Position.from_json(given)
    if position.topology.size > limits.SMALL_CELLS:
        raise BadMessage(f"a shared position has at most {limits.SMALL_CELLS:,} cells")
    if position.mines is None:
        raise BadMessage(t("a position to play needs its mine total"))
    work = partial(_continued, position, rules, chosen)

    def finish(made: tuple[Game, Snapshot]) -> Json:
        # The next game goes on by these rules, unless its level does not suit them.
        with suppress(SapperError):
            session.next_settings = session.next_settings.changed(
                {"rules": rules, "options": chosen}
            )
        session.set_game(made[0], "shared", made[1])
        return session.told_all(re)

    return Job(work, finish, is_heavy_position(position))


def _continued(position: Position, rules: str, options: Mapping[str, Any]) -> tuple[Game, Snapshot]:
    return _with_snapshot(Game.from_position(position, rules, **options))


def _settings(session: Session, message: Json, re: str | None) -> Job[Any]:
    """Change the settings of the next game; a game that has not begun is replaced at once."""
    questions = switch_of(message, "questions") if "questions" in message else session.questions
    settings = session.next_settings.changed(message.get("settings", {}))
    ready = session.now.status is Status.READY and not session.now.actions
    replaces = ready and settings != GameSettings.of(session.game)
    if replaces:
        session.make_room(settings.cells)

    def finish(made: tuple[Game, Snapshot] | None) -> Json:
        session.next_settings, session.questions = settings, questions
        if made is not None:
            session.set_game(made[0], None, made[1])
        return session.told_all(re)

    return Job((lambda: _with_snapshot(settings.game())) if replaces else None, finish)


# Help.


def _assist(session: Session, message: Json, re: str | None) -> Job[None]:
    """Change the help settings at once."""
    assist = session.assist.changed(message)

    def finish(_: None) -> Json:
        session.set_assist(assist)
        return session.delta(re, {"kind": "assist", "assist": session.assist.to_json()})

    return Job(None, finish)


def _analyze(session: Session, message: Json, re: str | None) -> Job[None]:
    """Note that the player takes the position to the analysis board, which is help."""

    def finish(_: None) -> Json:
        if session.now.status is Status.PLAYING:
            session.help("analysis")
        return session.delta(re, {"kind": "assist", "assist": session.assist.to_json()})

    return Job(None, finish)


_HANDLERS: Final[dict[str, Callable[[Session, Json, str | None], Job[Any]]]] = {
    "open": _move,
    "chord": _move,
    "mark": _move,
    "undo": _undo,
    "new": _new,
    "again": _again,
    "daily": _daily,
    "position": _position,
    "retry": _retry,
    "take_over": _take_over,
    "settings": _settings,
    "assist": _assist,
    "analyze": _analyze,
}
