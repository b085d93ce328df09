"""The jobs for moves in a game, and the messages about them."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from sapper.dealer import RULES
from sapper.errors import IllegalAction
from sapper.game import Game, Status, pointer_path
from sapper.history import Record
from sapper.position import UNOPENED, Position
from sapper.rules import Settings
from sapper.server import limits
from sapper.server.jobs.job_cost import is_heavy_position
from sapper.server.jobs.job_runner import Job
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.messages.incoming import JOBS, Move, Undo
from sapper.server.protocol import Json
from sapper.server.session.session import Session
from sapper.server.session.state_messages import delta
from sapper.topology import Cell

__all__ = ["Moved", "act", "check_length", "is_heavy_move", "is_quick_move", "move_message"]
_DENSITY: Final = 0.215
"""Density above which rules that deal by analysis may take seconds. Expert has 0.206."""


class Moved(NamedTuple):
    """The result of an action.

    Attributes:
        done: Whether it had an effect.
        now: State of the game after the action.
        game: The game after the action: a copy of the session's game if a process performed it.
    """

    done: bool
    now: Snapshot
    game: Game


def check_length(game: Game) -> None:
    """Reject further actions once the limit is reached.

    Raises:
        IllegalAction: If the limit is reached.
    """
    cells = game.level.width * game.level.height
    more = cells // limits.CELLS_PER_ACTION if cells > limits.SMALL_CELLS else 0
    most = max(limits.ACTIONS, more)
    if game.action_count >= most:
        raise IllegalAction(f"this game has at most {most:,} actions; begin a new one")


@JOBS.register("open")
def open_cell(session: Session, fields: Move, re: str | None) -> Job[Moved]:
    """Open a cell."""
    return _move(session, "open", fields, re)


@JOBS.register("chord")
def chord(session: Session, fields: Move, re: str | None) -> Job[Moved]:
    """Open the other neighbours of a number."""
    return _move(session, "chord", fields, re)


@JOBS.register("mark")
def mark(session: Session, fields: Move, re: str | None) -> Job[Moved]:
    """Change the mark of a cell."""
    return _move(session, "mark", fields, re)


def _move(session: Session, kind: str, fields: Move, re: str | None) -> Job[Moved]:
    cell = Cell(*fields["cell"])
    work = partial(act, session.game, kind, cell, session.questions, _pointer(session, fields))
    settings, marks = session.game.settings, kind == "mark"
    return Job(
        work,
        lambda moved: move_message(session, kind, cell, moved, re),
        is_heavy_move(settings, session.now, marks=marks),
        is_quick_move(settings, session.now, marks=marks),
    )


def _pointer(session: Session, fields: Move | Undo) -> bytes | None:
    """Return the pointer path before a move; None if there is none or no room for it."""
    if "pointer" not in fields:
        return None
    path = pointer_path.pack(fields["pointer"], session.now.position.topology)
    fits = session.pointer_room(len(path) // pointer_path.POINT_BYTES)
    return path if fits and not session.big else None


def act(game: Game, kind: str, cell: Cell, questions: bool, pointer: bytes | None = None) -> Moved:
    """Perform an action in a game; runs in a thread or in a worker process."""
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


def _no_chord(position: Position, cell: Cell) -> str:
    """Return the reason why a chord opened nothing: ``unopened``, ``finished`` or ``flags``."""
    if position.number(cell) is None:
        return "unopened"
    around = [position[near] for near in position.topology.neighbours(cell)]
    return "flags" if UNOPENED in around else "finished"


def move_message(
    session: Session, kind: str, cell: Cell, moved: Moved, re: str | None = None, **more: str
) -> Json:
    """Return the message to all windows about a move.

    Args:
        session: The session of the game.
        kind: ``open``, ``chord`` or ``mark``.
        cell: The cell.
        moved: The effect of the move.
        re: Id of the message to answer.
        more: Additional fields of the event.
    """
    done, now, game = moved
    session.replace_game(game)
    if done:
        session.start_day()
    if done and kind != "mark":
        session.note_move()
    event: Json = {"kind": kind if done else "nothing", "tried": kind, "cell": list(cell), **more}
    if kind == "chord" and not done:
        event["why"] = _no_chord(now.position, cell)
    if done and kind == "mark":
        event["shows"] = chr(now.cells[now.position.topology.index(cell)])
    if now.over and not session.now.over:
        bot = more.get("bot", "") if session.automatic.alone else ""
        record = session.finish_game(now, bot)
        figures = _figures(session, now)
        if record.won:
            figures |= _compared(session, record)
        elif session.day is None:
            session.bests.compare(record)
        event |= {"game": record.key, **figures}
        session.result = None if more.get("bot") else figures
    if now.over and (news := session.finish_day(now)) is not None:
        event["daily"] = news
    return delta(session, re, event, now)


def _mark(game: Game, cell: Cell, questions: bool) -> bool:
    """Cycle a cell's mark: none, flag and, if enabled, question mark."""
    is_questioned = cell in game.questions
    flagged = not is_questioned and game.position[cell] == "F"
    if is_questioned or (flagged and questions):
        return game.question(cell)
    return game.flag(cell)


def _figures(session: Session, now: Snapshot) -> Json:
    """Return the statistics of a finished game."""
    return {
        "seconds": session.time_ms / 1000,
        "bbbv": now.bbbv,
        "solved": now.solved,
        # Opening the start of a daily board counts as a click.
        "clicks": now.actions + (session.day is not None),
        "helped": session.helped,
    }


def _compared(session: Session, record: Record) -> Json:
    """Compare a win that counts with earlier ones; for other games, return the best time."""
    if session.day is not None:
        # Attempts at a daily board are not compared, because each player has only one result.
        return {"rank": None, "wins": None, "best": None}
    best = session.bests.best_s(record)
    comparison = session.bests.compare(record)
    figures = {"rank": None, "wins": None} if comparison is None else comparison.to_json()
    return {**figures, "best": best}


@JOBS.register("undo")
def undo(session: Session, fields: Undo, re: str | None) -> Job[Moved]:
    """Undo the last action; this counts as help."""
    game, pointer = session.game, _pointer(session, fields)

    def work() -> Moved:
        check_length(game)
        done = game.undo()
        if pointer is not None:
            game.note_pointer(pointer)
        return Moved(done, Snapshot.of(game), game)

    def finish(moved: Moved) -> Json:
        kind = "undo" if moved.done else "nothing"
        change = delta(session, re, {"kind": kind, "tried": "undo"}, moved.now)
        if moved.done:
            session.help("undo")
            change["helped"] = session.helped
        return change

    return Job(work, finish)


def is_heavy_move(settings: Settings, now: Snapshot, *, marks: bool) -> bool:
    """Return whether an action may take long.

    Args:
        settings: The settings of the game.
        now: The state of the game.
        marks: Whether the action only sets or removes a flag or a question mark.
    """
    reasons, large = RULES[settings.rules].reasons, is_heavy_position(now.position)
    if reasons == "first click":
        position = now.position
        size = position.topology.size
        mines = position.mines or (position.density or 0) * size
        crowded = large or mines > _DENSITY * size
        return crowded and not marks and now.status is Status.READY
    if reasons == "never" or not large:
        return False
    # The last flag may win the game, and a win requires a proof.
    return not marks or now.mines_left in (-1, 0, 1)


def is_quick_move(settings: Settings, now: Snapshot, *, marks: bool) -> bool:
    """Return whether an action takes well under a millisecond: no analysis, on a small board.

    Args:
        settings: The settings of the game.
        now: The state of the game.
        marks: Whether the action only sets or removes a flag or a question mark.
    """
    if is_heavy_position(now.position):
        return False
    reasons = RULES[settings.rules].reasons
    dealt = marks or now.status is not Status.READY
    return reasons == "never" or (reasons == "first click" and dealt)
