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

    A lock file can be deleted and created again, which would let a second server in. Where the
    system can lock a directory, the directory itself is therefore locked too; on Windows, a locked
    file cannot be deleted.

    Args:
        folder: An existing directory.
        create: Whether to create a missing lock file.

    Raises:
        FolderInUse: If another process holds the lock.
        OSError: If the lock file cannot be written.
    """

    def __init__(self, folder: Path, *, create: bool = True) -> None:
        path = folder / LOCK_FILE
        self._file = -1
        self._folder = _lock_folder(folder)
        try:
            if self._folder is None:
                raise FolderInUse(_in_use(folder, _holder(path)))
            if not create and not path.exists():
                return
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _lock(self._file)
            except OSError:
                raise FolderInUse(_in_use(folder, _holder(path))) from None
            os.ftruncate(self._file, 0)
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, f"{os.getpid()}\n".encode())
        except BaseException:
            self._close()
            raise

    def holds(self, folder: Path) -> bool:
        """Return whether the directory at this path is still the locked one."""
        try:
            if self._folder is not None and self._folder >= 0:
                there, own = folder.stat(), os.fstat(self._folder)
            else:
                there, own = (folder / LOCK_FILE).stat(), os.fstat(self._file)
        except OSError:
            return False
        return (there.st_dev, there.st_ino) == (own.st_dev, own.st_ino)

    def release(self) -> None:
        """Release the directory."""
        if self._file >= 0:
            with suppress(OSError):
                os.ftruncate(self._file, 0)
        self._close()

    def _close(self) -> None:
        for file in (self._file, self._folder):
            if file is not None and file >= 0:
                os.close(file)
        self._file = self._folder = -1


def _in_use(folder: Path, holder: str) -> str:
    return (
        f"another Sapper server (process {holder or 'unknown'}) keeps its games in "
        f"{folder}; stop it, or set SAPPER_HOME to another directory"
    )


def _holder(path: Path) -> str:
    """Return the process id in the lock file; empty if it is not known."""
    try:
        with path.open("rb") as file:
            text = file.read(20).decode("ascii", "replace").strip()
    except OSError:
        return ""
    return text if text.isdigit() else ""


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        # Lock a byte well past the process id, so that others can still read the id.
        os.lseek(file, 2**20, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _lock_folder(folder: Path) -> int | None:
        return -1

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _lock_folder(folder: Path) -> int | None:
        """Lock a directory; None if another process has locked it, -1 if it cannot be locked."""
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return None
        except OSError:
            # Some network file systems only lock files.
            os.close(file)
            return -1
        return file
