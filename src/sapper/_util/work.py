"""Deadlines, cancellation and progress of long-running calls."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from sapper._core import Cancel
from sapper._util.shortening import shown
from sapper.errors import Cancelled, LimitReached, WrongType

__all__ = ["Progress", "Work", "check_cancel"]

Progress = Callable[[str], None]
"""Called about ten times a second with a short status text."""

_PROGRESS_S = 0.1
_CALLS = 256
"""Number of `Work.check` calls between readings of the clock."""


def check_cancel(cancel: object) -> None:
    """Reject values that are not cancel flags.

    Raises:
        WrongType: If the value is neither a `Cancel` nor None.
    """
    if cancel is not None and not isinstance(cancel, Cancel):
        raise WrongType(f"expected a Cancel flag, got {shown(cancel)}")


class Work:
    """The deadline and cancel flag of one call; polled by every potentially long loop.

    Ctrl-C needs no polling: Python raises `KeyboardInterrupt` between any two instructions, and
    native code returns within a few hundredths of a second.

    Args:
        seconds: The wall-clock limit, or None.
        cancel: Stops the work once set, for example by another thread.
        progress: Called with the status text.

    Raises:
        WrongType: If `cancel` is not a `Cancel`.
    """

    __slots__ = ("_calls", "_next", "_progress", "cancel", "seconds", "started")

    def __init__(
        self,
        seconds: float | None = None,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> None:
        check_cancel(cancel)
        self.started = perf_counter()
        self.seconds = seconds
        self.cancel = cancel
        self._progress = progress
        self._next = self.started + _PROGRESS_S
        self._calls = 0

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self.started

    @property
    def left(self) -> float | None:
        """Seconds left, 0 or more; None without a limit."""
        return None if self.seconds is None else max(0.0, self.seconds - self.elapsed_s)

    def part(self, share: float) -> float | None:
        """Return a share of the seconds left; None without a limit."""
        return None if self.left is None else share * self.left

    def is_late(self) -> bool:
        """Whether the time is up.

        Raises:
            Cancelled: If the cancel flag is set.
        """
        if self.cancel is not None and self.cancel.is_set:
            raise Cancelled("the call was cancelled")
        return self.seconds is not None and self.elapsed_s >= self.seconds

    def check(self, doing: str | Callable[[], str] = "") -> None:
        """Check the clock on every 256th call.

        Raises:
            LimitReached: If the time is up.
            Cancelled: If the cancel flag is set.
        """
        self._calls += 1
        if self._calls >= _CALLS:
            self.look(doing)

    def look(self, doing: str | Callable[[], str] = "") -> None:
        """Check the clock now and report progress.

        Raises:
            LimitReached: If the time is up.
            Cancelled: If the cancel flag is set.
        """
        self._calls = 0
        if self.is_late():
            raise LimitReached(f"no answer within the limit of {self.seconds:g} s")
        now = perf_counter()
        if self._progress is not None and now >= self._next:
            self._next = now + _PROGRESS_S
            self._progress(doing if isinstance(doing, str) else doing())
