"""The rule about covered cells: nothing about them is sent before the game is over."""

from __future__ import annotations

from sapper.errors import SapperError
from sapper.server.jobs.snapshot import Snapshot

__all__ = ["StillRunning", "check_over"]


class StillRunning(SapperError, RuntimeError):
    """A game that is not over, so that it must stay secret."""

    code = "still_running"


def check_over(now: Snapshot, why: str) -> None:
    """Reject requests about a game that is not over, whatever its status after an undo.

    Every address that shows a game's moves, mines or seed calls this first. A review that the
    player asks for as help (``POST /api/review``) is the exception: it shows what they have opened.

    Args:
        now: The status of the game.
        why: The refusal and its reason, for the player.

    Raises:
        StillRunning: If it is not over.
    """
    if not now.over:
        raise StillRunning(why)
