"""Atomic file writes: a file is either complete or absent."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sapper.lab.errors import BadRun

__all__ = ["TEMPORARY", "locked", "write_whole"]

TEMPORARY = ".tmp"
"""The suffix of incomplete files."""


def write_whole(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a file under a temporary name, sync it to disk, and rename it.

    Without `durable`, the file is complete even if this process is killed, but a power failure may
    lose or truncate it.

    Raises:
        BadRun: If the file cannot be written, for example because the disk is full; no partial file
            remains.
    """
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            temporary.replace(path)
            if durable:
                _sync_folder(path.parent)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise BadRun(f"cannot write {str(path)!r}: {reason}") from None


def _sync_folder(folder: Path) -> None:
    """Sync a directory's entries to disk."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that is released when the process ends, in whatever way.

    Raises:
        BadRun: If another process holds the lock.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadRun(f"another process is writing the run in {str(path.parent)!r}") from None
        yield
