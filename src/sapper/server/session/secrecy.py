"""Check that a game is over before anything about its unopened cells is sent."""

from __future__ import annotations

from sapper.errors import SapperError
from sapper.server.jobs.snapshot import Snapshot

__all__ = ["StillRunning", "check_over"]


class StillRunning(SapperError, RuntimeError):
    """A game is not over and must stay secret."""

    code = "still_running"


def check_over(now: Snapshot, why: str) -> None:
    """Reject requests about a game that is not over, even after an undo.

    Every endpoint that returns a game's moves, mines or seed calls this first. The only exception
    is a review that the player requests as help (``POST /api/review``), which shows only opened
    cells.

    Args:
        now: The state of the game.
        why: The reason for the refusal, for the player.

    Raises:
        StillRunning: If the game is not over.
    """
    if not now.over:
        raise StillRunning(why)
