"""Files that are written whole or not at all."""

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
    """Yield a path to write to, which takes the place of the file when it is complete.

    If that fails, as on a full disk, nothing is left of it, and a file that was there stays. A
    symbolic link stays one: its target is written. A device or a pipe gets the content at the end.

    Raises:
        OSError: If the file cannot be written; it names the file.
    """
    if path.is_dir():
        raise _error(IsADirectoryError, EISDIR, path)
    if path.exists() and not path.is_file():
        # Writers of some formats go back in their file, which a pipe does not allow.
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / path.name
            yield made
            with made.open("rb") as source, path.open("wb") as target:
                shutil.copyfileobj(source, target)
        return
    # Unlike `Path.resolve`, this does not raise an error of its own for links in a circle.
    real = Path(os.path.realpath(path))
    if real.is_symlink():
        raise _error(OSError, ELOOP, path)
    if not real.parent.exists():
        raise _error(FileNotFoundError, ENOENT, path)
    made = real.with_name(f".{real.name}.tmp")
    try:
        yield made
        if real.exists():
            shutil.copymode(real, made)
        made.replace(real)
    except BaseException as problem:
        with suppress(OSError):
            made.unlink(missing_ok=True)
        if isinstance(problem, OSError):
            problem.filename, problem.filename2 = str(path), None
        raise


def _error(kind: type[OSError], number: int, path: Path) -> OSError:
    return kind(number, os.strerror(number), str(path))
