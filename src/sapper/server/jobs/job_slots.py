"""Bound the jobs of several servers on one machine with locked files."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["JobSlots"]

_PAUSE_S: Final = 0.02


class JobSlots(NamedTuple):
    """A number of jobs that may run at the same time, in all processes that use the same files.

    Attributes:
        path: The beginning of the files' paths.
        most: The number of jobs.
    """

    path: Path
    most: int

    @contextmanager
    def taken(self, stopped: Callable[[], bool]) -> Iterator[None]:
        """Wait for a slot and keep it in this block; it is also free if the process ends.

        Args:
            stopped: Returns whether to stop waiting, and continue without a slot.
        """
        file = self._wait(stopped)
        try:
            yield
        finally:
            if file is not None:
                os.close(file)

    def _wait(self, stopped: Callable[[], bool]) -> int | None:
        while not stopped():
            for number in range(self.most):
                if (file := _locked(f"{self.path}-{number}")) is not None:
                    return file
            time.sleep(_PAUSE_S)
        return None


def _locked(path: str) -> int | None:
    """Return a file that this call has locked, or None if another one has."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(file)
    except OSError:
        os.close(file)
        return None
    return file


if sys.platform == "win32":

    def _lock(file: int) -> None:
        """Do nothing: several workers need another system."""

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
