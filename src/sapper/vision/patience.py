"""Waiting times for other programs on a machine that may be busy."""

from __future__ import annotations

from math import inf
from time import monotonic, sleep

__all__ = ["HOLDS", "Patience", "hold"]

HOLDS = (0.03, 0.1, 0.25)
"""Seconds for which clicks hold a button down: the first as a rule, the others where a click had no
effect. A page may need to draw what the press did before it takes the release."""

_STRETCH = 5
"""The longest wait, as a multiple of the given seconds."""
_PART, _SHORTEST, _LONGEST = 8, 0.004, 0.25
"""The part of the time waited so far for which to pause before the next look, and the bounds."""


def hold(seconds: float) -> None:
    """Keep a button down for some seconds."""
    sleep(seconds)


class Patience:
    """A limit of seconds in which a program could have reacted.

    Whoever waits looks again and again. On a busy machine looks take longer, as does whatever
    the program does; so the wait lasts for the seconds given, and for as many looks as fit in
    them if each takes up to twice as long as the fastest; at most five times as long.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._began = self._last = monotonic()
        self._fastest = inf
        self._looks = -1
        self._paused = 0.0

    def is_over(self) -> bool:
        """Return whether the time is over; ask once for each look."""
        now = monotonic()
        self._looks += 1
        looked = (now - self._began) / _STRETCH
        # Before the first question there may have been no look, or no pause after it.
        if self._looks:
            self._fastest = min(self._fastest, now - self._last)
            looked = max(looked, self._paused + 2 * self._looks * self._fastest)
        self._last = now
        return now - self._began >= self._seconds and looked >= self._seconds

    def pause(self) -> None:
        """Sleep before the next look: the longer, the longer the wait has lasted.

        A look may cost far more than the time of a reaction: a browser draws a picture for each.
        """
        waited = monotonic() - self._began
        seconds = min(max(waited / _PART, _SHORTEST), _LONGEST)
        if waited < self._seconds:
            seconds = min(seconds, max(self._seconds - waited, _SHORTEST))
        sleep(seconds)
        self._paused += seconds
        # A pause says nothing about how long a look takes.
        self._last += seconds
