"""Signs of life that a worker process gives its parent."""

from __future__ import annotations

from collections.abc import MutableSequence
from time import monotonic

__all__ = ["GRACE_S", "Pulse"]

GRACE_S = 1.0
"""Seconds that the parent waits for the worker to report a choice past its time limit."""


class Pulse:
    """Memory shared by a worker and its parent: the current choice and game, and its start.

    It is written before every choice, and read by the parent even where the worker is stuck in
    native code and can say nothing.

    Args:
        shared: Three numbers: the time, the choice and the games finished in this unit.
    """

    def __init__(self, shared: MutableSequence[float]) -> None:
        self._shared = shared

    def begin(self) -> None:
        """Start a unit, with no choice made and no game finished."""
        self._shared[1] = self._shared[2] = 0

    def choosing(self, choice: int | None) -> None:
        """Start a choice or, with None, end it."""
        if choice is not None:
            self._shared[1] = choice
        # The time last, so that a parent that sees it sees the rest too.
        self._shared[0] = 0.0 if choice is None else monotonic()

    def playing(self, finished: int) -> None:
        """Report the number of finished games of the unit."""
        self._shared[2] = finished

    def overdue(self, seconds: float) -> bool:
        """Whether a choice has taken longer than this."""
        since = self._shared[0]
        return since > 0 and monotonic() - since > seconds

    @property
    def choice(self) -> int:
        """The number of the choice being made."""
        return int(self._shared[1])

    @property
    def finished(self) -> int:
        """The games of the unit that are finished."""
        return int(self._shared[2])
