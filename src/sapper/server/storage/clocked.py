"""Tables whose rows have times."""

from __future__ import annotations

import time
from collections.abc import Callable

from sapper.history.tables import Tables

__all__ = ["Clocked"]


class Clocked:
    """A part of a database that reads the time. Thread-safe.

    Args:
        database: A database with its tables.
        clock: Seconds since 1970.
    """

    def __init__(self, database: Tables, clock: Callable[[], float] = time.time) -> None:
        self._database, self._clock = database, clock

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)
