"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR, ELOOP, ENOENT
from pathlib import Path

__all__ = ["written_whole"]


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a path to write to; the completed file replaces the original.

    On failure, such as a full disk, the partial file is removed and an existing file is kept. For a
    symbolic link, the target is replaced. Devices and pipes receive the content at the end.

    Raises:
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
    temporary = real.with_name(f".{real.name}.tmp")
    try:
        yield temporary
        if real.exists():
            shutil.copymode(real, temporary)
        temporary.replace(real)
    except BaseException as problem:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(problem, OSError):
            problem.filename, problem.filename2 = str(path), None
        raise


def _error(kind: type[OSError], number: int, path: Path) -> OSError:
    return kind(number, os.strerror(number), str(path))
