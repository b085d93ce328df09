"""Messages to a browser about its session: the complete state or its changes."""

from __future__ import annotations

from typing import Final

import numpy as np

from sapper.server import limits
from sapper.server.jobs import snapshot
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.protocol import Json
from sapper.server.session.game_settings import GameSettings
from sapper.server.session.session import Session

__all__ = ["delta", "next_state", "state"]

_MANY: Final = 1_000
"""Number of changed cells above which a patch is shorter on a big board."""


def state(session: Session, re: str | None = None) -> Json:
    """Return the complete state, for a new window."""
    game = session.game
    return {
        "type": "state",
        "re": re,
        "game": {
            "key": session.key,
            "width": game.level.width,
            "height": game.level.height,
            "mines": session.now.position.mines,
            "density": session.now.position.density,
            "topology": game.level.topology,
            "settings": GameSettings.of(game).to_json(),
            "day": session.day,
            "attempt": session.attempt,
            "result": session.result if session.now.over else None,
            **_cells(session),
            **_standing(session),
        },
        "settings": session.next_settings.to_json(),
        "questions": session.questions,
        "assist": session.assist.to_json(),
        "automatic": session.automatic.to_window(),
        "daily": session.daily_json(),
    }


def next_state(session: Session, re: str | None) -> Json:
    """Return the complete state as the next turn."""
    session.turn += 1
    return state(session, re)


def delta(session: Session, re: str | None, event: Json, now: Snapshot | None = None) -> Json:
    """Return the changes since the last turn and the event that caused them."""
    if session.assist.mode == "automatic":
        # Any move starts the clock.
        session.game.clock.player.stop()
    before, session.now = session.now.cells, now or session.now
    session.turn += 1
    changed = _changed(before, session.now.cells)
    return {"type": "delta", "re": re, **changed, "event": event, **_standing(session)}


def _cells(session: Session) -> Json:
    if session.big:
        return {"packed": snapshot.packed(session.now.cells)}
    return {"rows": snapshot.rows(session.now.cells, session.game.level.width)}


def _standing(session: Session) -> Json:
    now = session.now
    return {
        "turn": session.turn,
        "status": str(now.status),
        "mines_left": now.mines_left,
        "clock": session.clock_json(),
        "can_undo": now.can_undo,
        "actions": now.actions,
        "helped": session.helped,
        "seed": now.seed,
    }


def _changed(before: bytes, after: bytes) -> Json:
    """Return the changed cells one by one or, if there are many, as a patch."""
    if len(after) > limits.SMALL_CELLS:
        differ = np.frombuffer(before, np.uint8) != np.frombuffer(after, np.uint8)
        if np.count_nonzero(differ) > _MANY:
            return {"cells": [], "patch": snapshot.patch(before, after)}
    return {"cells": snapshot.changes(before, after)}
