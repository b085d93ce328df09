"""The units that are still to be played, in the order of their games."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from sapper.lab.play import Done, Unit

__all__ = ["Queue", "cut"]


def cut(run: int, games: range, most: int) -> Iterator[Unit]:
    """Games of a run in units of so many at most."""
    for start in range(games.start, games.stop, most):
        yield Unit(run, start, min(start + most, games.stop))


class Queue:
    """Units to be taken one by one; what was begun and not ended comes first again."""

    def __init__(self, units: Iterable[Unit] = ()) -> None:
        self._units = deque(units)

    def take(self) -> Unit | None:
        """The next unit; None if there is none left."""
        return self._units.popleft() if self._units else None

    def put_back(self, unit: Unit) -> None:
        """A unit that came to nothing is the next again."""
        self._units.appendleft(unit)

    def put_rest(self, done: Done) -> None:
        """What there was no time for in a unit is the next one."""
        if done.reached < done.unit.stop:
            self.put_back(Unit(done.unit.run, done.reached, done.unit.stop))

    def clear(self) -> None:
        """Begin nothing more."""
        self._units.clear()
