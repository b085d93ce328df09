"""The jobs that concern help: its settings, and visits to the analysis board."""

from __future__ import annotations

from sapper.server.jobs.job_runner import Job
from sapper.server.messages.incoming import JOBS, AssistChange, Nothing
from sapper.server.protocol import Json
from sapper.server.session.session import Session
from sapper.server.session.state_messages import delta

__all__ = ["analyze", "assist"]


@JOBS.register("assist")
def assist(session: Session, fields: AssistChange, re: str | None) -> Job[None]:
    """Change the help settings immediately."""
    changed = session.assist.changed(fields)

    def finish(_: None) -> Json:
        session.set_assist(changed)
        return delta(session, re, {"kind": "assist", "assist": session.assist.to_json()})

    return Job(None, finish)


@JOBS.register("analyze")
def analyze(session: Session, _: Nothing, re: str | None) -> Job[None]:
    """Record that the player has opened the position on the analysis board; this counts as help."""

    def finish(_: None) -> Json:
        if session.now.running:
            session.help("analysis")
        return delta(session, re, {"kind": "assist", "assist": session.assist.to_json()})

    return Job(None, finish)
