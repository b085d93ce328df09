"""What long work heeds: the time that is left, and whoever wants to see it going on."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

from sapper.aside import aside
from sapper.errors import LimitReached

__all__ = ["Progress", "Watch"]

Progress = Callable[[str], None]
"""Told now and then, in a few words, what is being done."""

_T = TypeVar("_T")
_BETWEEN_S = 0.1
_CALLS = 256


class Watch:
    """The clock of one search.

    Args:
        seconds: The most wall-clock time, or None for no bound.
        progress: Told about ten times a second what is being done.
    """

    def __init__(self, seconds: float | None = None, progress: Progress | None = None) -> None:
        self.started = perf_counter()
        self._seconds = seconds
        self._progress = progress
        self._next = self.started + _BETWEEN_S
        self._calls = 0

    @property
    def left(self) -> float | None:
        """Seconds left, 0 or more; None without a bound."""
        if self._seconds is None:
            return None
        return max(0.0, self._seconds - (perf_counter() - self.started))

    def check(self, doing: Callable[[], str]) -> None:
        """Look at the clock, every so many calls.

        Raises:
            LimitReached: If the time is up.
        """
        self._calls += 1
        if self._calls >= _CALLS:
            self.look(doing)

    def look(self, doing: Callable[[], str]) -> None:
        """Look at the clock now.

        Raises:
            LimitReached: If the time is up.
        """
        self._calls = 0
        if self.left == 0.0:
            raise LimitReached(
                f"no arrangement was found within {self._seconds:g} s, "
                "nor was it proved that there is none"
            )
        now = perf_counter()
        if self._progress is not None and now >= self._next:
            self._next = now + _BETWEEN_S
            self._progress(doing())

    def wait(self, work: Callable[[], _T], doing: str) -> _T:
        """Do work that holds on to its thread, so that this one can still be interrupted.

        Interrupted or out of time, the work is left behind to end by itself; see `sapper.aside`.

        Raises:
            LimitReached: If the time is up before it ends.
        """
        given: list[_T] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                given.append(work())
            except BaseException as problem:
                failed.append(problem)

        worker = aside(run)
        while worker.is_alive():
            worker.join(_BETWEEN_S)
            if worker.is_alive():
                self.look(lambda: doing)
        if failed:
            raise failed[0]
        return given[0]
