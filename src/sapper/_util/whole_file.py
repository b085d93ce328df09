"""Files that are written completely or not at all, and that never replace something else."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from errno import EISDIR, ELOOP, ENOENT
from pathlib import Path
from typing import Final

from sapper.errors import BadSetting
from sapper.paths import GAMES_FILE, LOCK_FILE, state_dir

__all__ = ["Existing", "check_target", "written_whole"]

_KINDS: Final = {
    b"\x89PNG": "PNG",
    b"%PDF": "PDF",
    b"PAR1": "Parquet",
    b"PK": "zip",
    b"SQLite format 3": "SQLite",
    b"<svg": "SVG",
    b"<?xml": "SVG",
    b"<!doctype html": "HTML",
}
_LOGS: Final = ("-wal", "-shm", "-journal")


class Existing(Enum):
    """What to do if the file exists."""

    REFUSE = "refuse"
    """Refuse: the file may hold data that exists nowhere else."""
    SAME_KIND = "same kind"
    """Replace a file of the same kind, such as an earlier picture; refuse any other."""
    REPLACE = "replace"
    """Replace it, because the user has asked for it."""

    @classmethod
    def unless_forced(cls, force: bool) -> Existing:
        """Return the choice for a command with the option ``--force``."""
        return cls.REPLACE if force else cls.REFUSE


def check_target(
    path: Path, existing: Existing = Existing.SAME_KIND, kind: str | None = None
) -> None:
    """Check that a file may be written, before doing the work.

    Args:
        path: The file.
        existing: What to do if it exists.
        kind: The kind of the new file, if it is known, such as ``PNG``.

    Raises:
        BadSetting: If it exists and must not be replaced. Saved games are never replaced.
    """
    real = Path(os.path.realpath(path))
    if not real.is_file():
        return
    if _is_store(real) or any(
        _is_store(real.with_name(real.name.removesuffix(log)))
        for log in _LOGS
        if real.name.endswith(log)
    ):
        raise BadSetting(f"{str(path)!r} is a file of saved games, which is never overwritten")
    if existing is Existing.REFUSE:
        raise BadSetting(f"{str(path)!r} exists; use --force to overwrite it")
    is_checked = existing is Existing.SAME_KIND and kind is not None and real.stat().st_size > 0
    if is_checked and _kind(real) != kind:
        raise BadSetting(
            f"{str(path)!r} exists and is no {kind} file; remove it, or choose another name"
        )


def _is_store(real: Path) -> bool:
    """Return whether a file belongs to a server's saved games, or a program is writing it."""
    if real.name == LOCK_FILE:
        return True
    if not real.is_file() or (_kind(real) != "SQLite" and real.name != GAMES_FILE):
        return False
    others = real.with_name(f"{real.name}-wal"), real.with_name(LOCK_FILE)
    own = Path(os.path.realpath(state_dir())) / GAMES_FILE
    return real == own or any(other.exists() for other in others)


@contextmanager
def written_whole(path: Path, existing: Existing = Existing.SAME_KIND) -> Iterator[Path]:
    """Yield a path to write to; the completed file takes the place of the original.

    On failure, such as a full disk, the partial file is removed and an existing file is kept. For a
    symbolic link, the target is replaced. Devices and pipes receive the content at the end.

    Args:
        path: The file.
        existing: What to do if it exists.

    Raises:
        BadSetting: If it exists and must not be replaced.
        OSError: If the file cannot be written; the error names the file.
    """
    if path.is_dir():
        raise _error(IsADirectoryError, EISDIR, path)
    if path.exists() and not path.is_file():
        # Writers of some formats seek, which pipes do not allow.
        with tempfile.TemporaryDirectory() as folder:
            temporary = Path(folder) / path.name
            yield temporary
            with temporary.open("rb") as source, path.open("wb") as target:
                shutil.copyfileobj(source, target)
        return
    # Unlike `Path.resolve`, this does not raise a different error for circular links.
    real = Path(os.path.realpath(path))
    if real.is_symlink():
        raise _error(OSError, ELOOP, path)
    if not real.parent.exists():
        raise _error(FileNotFoundError, ENOENT, path)
    check_target(path, existing)
    temporary = real.with_name(f".{real.name[:100]}.{secrets.token_hex(8)}.tmp")
    try:
        yield temporary
        _put(temporary, real, path, existing)
    except BaseException as problem:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(problem, OSError):
            problem.filename, problem.filename2 = str(path), None
        raise


def _put(temporary: Path, real: Path, path: Path, existing: Existing) -> None:
    """Move a completed file to its place."""
    # The file may have appeared since the first check.
    check_target(path, existing, _kind(temporary))
    if real.exists():
        shutil.copymode(real, temporary)
    temporary.replace(real)


def _kind(path: Path) -> str:
    with path.open("rb") as file:
        head = file.read(64).lstrip().lower()
    found = (kind for begin, kind in _KINDS.items() if head.startswith(begin.lower()))
    return next(found, "text")


def _error(kind: type[OSError], number: int, path: Path) -> OSError:
    return kind(number, os.strerror(number), str(path))
