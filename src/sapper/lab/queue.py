"""A queue of units to play, in the order of their games."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from sapper.lab.play import Done, Unit

__all__ = ["Queue", "cut"]


def cut(run: int, games: range, most: int) -> Iterator[Unit]:
    """Split a run's games into units of a maximum size."""
    for start in range(games.start, games.stop, most):
        yield Unit(run, start, min(start + most, games.stop))


class Queue:
    """A queue of units; those put back come first."""

    def __init__(self, units: Iterable[Unit] = ()) -> None:
        self._units = deque(units)

    def take(self) -> Unit | None:
        """Return the next unit; None if none are left."""
        return self._units.popleft() if self._units else None

    def put_back(self, unit: Unit) -> None:
        """Put a failed unit back at the front."""
        self._units.appendleft(unit)

    def put_rest(self, done: Done) -> None:
        """Put the rest of an unfinished unit back at the front."""
        if done.reached < done.unit.stop:
            self.put_back(Unit(done.unit.run, done.reached, done.unit.stop))

    def clear(self) -> None:
        """Drop all units."""
        self._units.clear()
