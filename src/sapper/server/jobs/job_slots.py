"""Limit the concurrent jobs of all servers on a machine with locked files."""

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
    """A limit on concurrent jobs, shared by all processes that use the same files.

    Attributes:
        path: The common beginning of the files' paths.
        most: The maximum number of concurrent jobs.
    """

    path: Path
    most: int

    @contextmanager
    def taken(self, stopped: Callable[[], bool]) -> Iterator[None]:
        """Wait for a slot and hold it during the block; if the process ends, it is freed as well.

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
    """Open and lock a file; return None if it is already locked."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(file)
    except OSError:
        os.close(file)
        return None
    return file


if sys.platform == "win32":

    def _lock(file: int) -> None:
        """Do nothing, because Windows does not support several workers."""

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
