"""The heartbeat that lets a parent process detect a stuck worker."""

from __future__ import annotations

from collections.abc import MutableSequence
from time import monotonic

__all__ = ["GRACE_S", "Heartbeat"]

GRACE_S = 1.0
"""Seconds that the parent waits past the time limit for the worker to report the timeout itself."""


class Heartbeat:
    """Memory shared by a worker and its parent: the current choice, its start, and finished games.

    The worker writes to it before every choice, and the parent can read it even while the worker is
    stuck in native code.

    Args:
        shared: Three numbers: the start time, the choice number, and the games finished in this
            unit.
    """

    def __init__(self, shared: MutableSequence[float]) -> None:
        self._shared = shared

    def begin(self) -> None:
        """Reset the choice and game counts at the start of a unit."""
        self._shared[1] = self._shared[2] = 0

    def choosing(self, choice: int | None) -> None:
        """Record the start of a choice or, with None, its end."""
        if choice is not None:
            self._shared[1] = choice
        # Write the time last, so that a parent that sees it also sees the choice number.
        self._shared[0] = 0.0 if choice is None else monotonic()

    def playing(self, finished: int) -> None:
        """Record the number of finished games of the unit."""
        self._shared[2] = finished

    def overdue(self, seconds: float) -> bool:
        """Return whether the current choice has taken longer than the given time."""
        since = self._shared[0]
        return since > 0 and monotonic() - since > seconds

    @property
    def choice(self) -> int:
        """Number of the current choice."""
        return int(self._shared[1])

    @property
    def finished(self) -> int:
        """Number of finished games of the unit."""
        return int(self._shared[2])
