"""The clock of a room, which stops while the room is not loaded."""

from __future__ import annotations

__all__ = ["RoomClock"]


class RoomClock:
    """Convert the caller's time to the time of a room.

    A loaded room continues from its saved time when it first receives a time.

    Attributes:
        time_ms: The number of milliseconds for which the room has been open and loaded.

    >>> clock = RoomClock()
    >>> clock.advance(5_000), clock.advance(5_700)
    (0, 700)
    >>> RoomClock(700).advance(99_000)
    700
    """

    def __init__(self, time_ms: int = 0) -> None:
        self.time_ms = time_ms
        self._offset: int | None = None

    def advance(self, now_ms: int) -> int:
        """Set the caller's time, which never moves the clock back; return the room's time."""
        if self._offset is None:
            self._offset = now_ms - self.time_ms
        self.time_ms = max(self.time_ms, now_ms - self._offset)
        return self.time_ms

    def outside(self, time_ms: int) -> int:
        """Return the caller's time at a time of the room, after the first `advance`."""
        return time_ms + (self._offset or 0)
