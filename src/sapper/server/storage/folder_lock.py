"""A lock on a directory that prevents two servers from writing the same saved games."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from sapper.errors import SapperError
from sapper.paths import LOCK_FILE

__all__ = ["FolderInUse", "FolderLock"]


class FolderInUse(SapperError, RuntimeError):
    """Another server uses the same directory."""

    code = "folder_in_use"


class FolderLock:
    """Locks a directory until it is released or this process ends in any way.

    Args:
        folder: An existing directory.

    Raises:
        FolderInUse: If another process holds the lock.
        OSError: If the lock file cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK_FILE
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip()
            os.close(self._file)
            raise FolderInUse(
                f"another Sapper server (process {holder or 'unknown'}) keeps its games in "
                f"{folder}; stop it, or set SAPPER_HOME to another directory"
            ) from None
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, f"{os.getpid()}\n".encode())

    def holds(self, folder: Path) -> bool:
        """Return whether the directory at this path is still the locked one."""
        try:
            there, own = (folder / LOCK_FILE).stat(), os.fstat(self._file)
        except OSError:
            return False
        return (there.st_dev, there.st_ino) == (own.st_dev, own.st_ino)

    def release(self) -> None:
        """Release the directory."""
        if self._file >= 0:
            with suppress(OSError):
                os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = -1


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        # Lock a byte well past the process id, so that others can still read the id.
        os.lseek(file, 2**20, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
