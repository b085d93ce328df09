"""A game's two clocks: the player's time, and the time solvers spend thinking."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Clock", "Stopwatch"]

TimeSource = Callable[[], float]
"""Returns seconds from an arbitrary start, never decreasing."""


class Stopwatch:
    """Adds up the seconds between starts and stops."""

    def __init__(self, source: TimeSource) -> None:
        self._source = source
        self._before = 0.0
        self._since: float | None = None

    @property
    def running(self) -> bool:
        """Whether it is running."""
        return self._since is not None

    @property
    def elapsed_s(self) -> float:
        """Seconds counted so far."""
        if self._since is None:
            return self._before
        return self._before + (self._source() - self._since)

    def start(self) -> None:
        """Start counting; no effect on a running stopwatch."""
        if self._since is None:
            self._since = self._source()

    def stop(self) -> None:
        """Stop counting; no effect on a stopped stopwatch."""
        self._before, self._since = self.elapsed_s, None

    def set(self, elapsed_s: float, *, running: bool = False) -> None:
        """Set the elapsed seconds; a running stopwatch continues from there."""
        self._before, self._since = elapsed_s, self._source() if running else None


class Clock:
    """The two clocks of a game.

    Attributes:
        player: Runs from the first opening to the end of the game.
        solver: Runs while a solver works for the player; see `thinking`.
    """

    def __init__(self, source: TimeSource = time.monotonic) -> None:
        self.player = Stopwatch(source)
        self.solver = Stopwatch(source)

    @property
    def player_s(self) -> float:
        """Seconds since the first opening, or the duration of a finished game."""
        return self.player.elapsed_s

    @property
    def solver_s(self) -> float:
        """Seconds that solvers have spent thinking."""
        return self.solver.elapsed_s

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """Count the time inside the block as solver time."""
        self.solver.start()
        try:
            yield
        finally:
            self.solver.stop()

    def reset(self) -> None:
        """Stop both clocks and reset them to zero."""
        self.player.set(0.0)
        self.solver.set(0.0)
