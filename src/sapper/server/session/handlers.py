"""The jobs for messages: apply each to a session and return the message to its windows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sapper.server.jobs.job_runner import Job
from sapper.server.messages.incoming import JOBS, AssistChange, Kind, Nothing
from sapper.server.protocol import Json
from sapper.server.session import moves, new_games
from sapper.server.session.session import Session
from sapper.server.session.state_messages import delta

__all__ = ["job_for"]

_REGISTERED: Final = (moves, new_games)
"""The other modules whose functions register in `JOBS`."""


def job_for(
    session: Session, kind: Kind, fields: Mapping[str, Any], re: str | None = None
) -> Job[Any]:
    """Return the job for a message, whose outcome is sent to every window of the browser.

    Raises:
        SapperError: If the request is invalid.
    """
    job: Job[Any] = JOBS.by_kind[kind.name](session, fields, re)
    return job


@JOBS.register("assist")
def _assist(session: Session, fields: AssistChange, re: str | None) -> Job[None]:
    """Change the help settings immediately."""
    assist = session.assist.changed(fields)

    def finish(_: None) -> Json:
        session.set_assist(assist)
        return delta(session, re, {"kind": "assist", "assist": session.assist.to_json()})

    return Job(None, finish)


@JOBS.register("analyze")
def _analyze(session: Session, _: Nothing, re: str | None) -> Job[None]:
    """Record that the player opens the position on the analysis board, which counts as help."""

    def finish(_: None) -> Json:
        if session.now.running:
            session.help("analysis")
        return delta(session, re, {"kind": "assist", "assist": session.assist.to_json()})

    return Job(None, finish)
