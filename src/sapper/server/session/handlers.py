"""Handle each kind of message: apply it to a session and return the message to its windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sapper.server.jobs.job_runner import Job
from sapper.server.protocol import Json
from sapper.server.session import moves, new_games
from sapper.server.session.session import Session
from sapper.server.session.state_messages import delta

__all__ = ["REPLACING", "job_for"]


REPLACING: Final = frozenset({"daily", "new", "position", "retry", "take_over"})
"""Messages that start another game regardless of the current one."""


def job_for(session: Session, message: Json, re: str | None = None) -> Job[Any]:
    """Return the job for a message, whose outcome is sent to every window of the browser.

    Raises:
        SapperError: If the request is invalid.
    """
    return _HANDLERS[message["type"]](session, message, re)


def _assist(session: Session, message: Json, re: str | None) -> Job[None]:
    """Change the help settings immediately."""
    assist = session.assist.changed(message)

    def finish(_: None) -> Json:
        session.set_assist(assist)
        return delta(session, re, {"kind": "assist", "assist": session.assist.to_json()})

    return Job(None, finish)


def _analyze(session: Session, message: Json, re: str | None) -> Job[None]:
    """Record that the player opens the position on the analysis board, which counts as help."""

    def finish(_: None) -> Json:
        if session.now.running:
            session.help("analysis")
        return delta(session, re, {"kind": "assist", "assist": session.assist.to_json()})

    return Job(None, finish)


_HANDLERS: Final[dict[str, Callable[[Session, Json, str | None], Job[Any]]]] = {
    "open": moves.move,
    "chord": moves.move,
    "mark": moves.move,
    "undo": moves.undo,
    "new": new_games.new,
    "again": new_games.again,
    "daily": new_games.of_a_day,
    "position": new_games.from_position,
    "retry": new_games.retry,
    "take_over": new_games.take_over,
    "settings": new_games.settings_changed,
    "assist": _assist,
    "analyze": _analyze,
}
