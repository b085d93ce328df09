"""Timeouts for other programs, with allowance for a busy machine."""

from __future__ import annotations

from math import inf
from time import monotonic, sleep

__all__ = ["HOLDS", "Patience", "hold"]

HOLDS = (0.03, 0.1, 0.25)
"""Durations of clicks in seconds: the first by default, the others after a click without effect.
Some pages must draw the press before they accept the release.
"""

_STRETCH = 5
"""Longest wait, as a multiple of the given seconds."""
_PART, _SHORTEST, _LONGEST = 8, 0.004, 0.25
"""The pause before the next look, as a share of the time waited so far, and its bounds in
seconds.
"""


def hold(seconds: float) -> None:
    """Sleep while a button is held down."""
    sleep(seconds)


class Patience:
    """A timeout that is extended on a busy machine.

    A waiting caller looks at the screen repeatedly. On a busy machine, both the looks and the
    program take longer. The wait therefore lasts for at least the given seconds, and until
    as many looks have been taken as would fit into them at twice the time of the fastest look, but
    at most five times the given seconds.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._began = self._last = monotonic()
        self._fastest = inf
        self._looks = -1
        self._paused = 0.0

    def is_over(self) -> bool:
        """Return whether the time is up; call this once per look."""
        now = monotonic()
        self._looks += 1
        looked = (now - self._began) / _STRETCH
        # There may not have been a look or a pause before the first call.
        if self._looks:
            self._fastest = min(self._fastest, now - self._last)
            looked = max(looked, self._paused + 2 * self._looks * self._fastest)
        self._last = now
        return now - self._began >= self._seconds and looked >= self._seconds

    def pause(self) -> None:
        """Sleep before the next look; pauses grow with the time waited so far.

        Looks are expensive, because a browser renders a picture for each.
        """
        waited = monotonic() - self._began
        seconds = min(max(waited / _PART, _SHORTEST), _LONGEST)
        if waited < self._seconds:
            seconds = min(seconds, max(self._seconds - waited, _SHORTEST))
        sleep(seconds)
        self._paused += seconds
        # Exclude the pause from the duration of a look.
        self._last += seconds
