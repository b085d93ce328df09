"""A moment of a replay: the clicks so far, and the pointer's position."""

from __future__ import annotations

from typing import Final

import numpy as np

from sapper.position import Position
from sapper.replay import Clicks, Playback, ReplayStep
from sapper.topology import Cell

__all__ = ["ReplayMoment"]

_HASTE_MS: Final = 20
"""Clicks closer together than this come from a bot and could not be followed in real time."""
_CLICK_MS: Final = 400
"""Milliseconds per click when such a replay is played."""


class ReplayMoment:
    """A point in a replay, which can be moved by clicks, mouse events or time.

    Args:
        played: The replay.

    Attributes:
        played: The replay.
        count: Number of clicks so far.
        ms: Time of the moment in milliseconds.
    """

    def __init__(self, played: Playback) -> None:
        self.played = played
        # Some programs write events out of order.
        times = np.maximum.accumulate(played.replay.events.ms)
        ends = [step.event + 1 for step in played.steps]
        # Ignore events after the end of the game.
        self._times = times[: ends[-1]] if ends else times
        self._ends = np.array(ends, dtype=np.int64)
        span_ms = int(self._times[-1] - self._times[0]) if len(times) else 0
        self._hasty = span_ms < _HASTE_MS * len(ends)
        self._place = self.count = 0
        self.ms: float = self.from_ms
        self._shown_ms = 0.0
        self._seen: tuple[int, Position] | None = None

    @property
    def from_ms(self) -> int:
        """The time of the first event."""
        return int(self._times[0]) if len(self._times) else 0

    @property
    def at_end(self) -> bool:
        """Whether all clicks and moves have happened."""
        return self._place == len(self._times)

    @property
    def step(self) -> ReplayStep | None:
        """The last click."""
        return self.played.steps[self.count - 1] if self.count else None

    @property
    def pointer(self) -> Cell | None:
        """The last cell under the pointer."""
        cells = self.played.cells_at[: self._place]
        on = np.flatnonzero(cells >= 0)
        if not len(on):
            return None
        return self.played.replay.board.topology.find(int(cells[on[-1]]))

    @property
    def game_s(self) -> float:
        """Time of the game in seconds, counted from the first opened cell."""
        return max(0, self.ms - self.played.started_ms) / 1000 if self.solved_any else 0.0

    @property
    def solved_any(self) -> bool:
        """Whether a cell has been opened."""
        first = self.played.opening_steps[:1]
        return bool(first) and self._place > first[0].event

    @property
    def solved(self) -> int:
        """The 3BV solved so far."""
        return self.step.solved if self.step is not None else 0

    @property
    def clicks(self) -> Clicks:
        """Click counts so far."""
        return self.step.clicks if self.step is not None else Clicks()

    @property
    def position(self) -> Position:
        """The player's view at this moment."""
        if self._seen is None or self._seen[0] != self.count:
            self._seen = self.count, self.played.position_after(self.count)
        return self._seen[1]

    def go_to_click(self, count: int) -> None:
        """Go to the moment directly after a number of clicks."""
        self.count = min(max(count, 0), len(self.played.steps))
        self._place = int(self._ends[self.count - 1]) if self.count else 0
        self._take_time()

    def go_by_events(self, by: int) -> None:
        """Move forward or back by a number of mouse events."""
        self._place = min(max(self._place + by, 0), len(self._times))
        self._count()
        self._take_time()

    def pass_time(self, ms: float) -> None:
        """Advance the time; clicks in quick succession are shown one by one."""
        if self._hasty:
            self._shown_ms += ms
            if self._shown_ms >= _CLICK_MS:
                self._shown_ms = 0.0
                self.go_to_click(self.count + 1)
            return
        self.ms += ms
        self._place = int(np.searchsorted(self._times, self.ms, side="right"))
        self._count()
        if self.at_end:
            self._take_time()

    def _count(self) -> None:
        self.count = int(np.searchsorted(self._ends, self._place, side="right"))

    def _take_time(self) -> None:
        self.ms = int(self._times[self._place - 1]) if self._place else self.from_ms
