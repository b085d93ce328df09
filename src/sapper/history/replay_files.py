"""Find and read replay files, including those in folders and zip archives."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple
from zipfile import BadZipFile, ZipFile

from sapper._util.shortening import shown
from sapper.errors import BadReplay
from sapper.replay.byte_reader import MOST_BYTES
from sapper.replay.registry import candidates

__all__ = ["ReplayFile", "find_replay_files", "is_zip"]

_ZIP: Final = (b"PK\3\4", b"PK\5\6")


class ReplayFile(NamedTuple):
    """A potential replay file.

    Attributes:
        path: Path of the file or of its archive.
        member: Name within the archive; None outside archives.
        name: Name of the file in messages.
        named: Whether it was named explicitly; files found in folders may not be replays.
    """

    path: str
    member: int | None
    name: str
    named: bool

    def read(self) -> bytes | None:
        """Return the file's bytes; None if it was not named and does not start like a replay.

        Raises:
            BadReplay: If the file cannot be read.
        """
        try:
            data = _bytes(self.path, self.member)
        except OSError as problem:
            raise BadReplay(
                f"cannot be read: {(problem.strerror or str(problem)).lower()}"
            ) from None
        # Damaged and encrypted archives raise various errors.
        except (BadZipFile, zlib.error, RuntimeError, EOFError, ValueError) as problem:
            raise BadReplay(f"cannot be read from the archive: {shown(str(problem))}") from None
        return data if self.named or candidates(data) else None


def is_zip(path: str) -> bool:
    """Return whether a file begins like a zip archive."""
    try:
        with open(path, "rb") as file:
            return file.read(4) in _ZIP
    except OSError:
        return False


def find_replay_files(paths: Iterable[str]) -> Iterator[ReplayFile]:
    """Yield files, including those in folders and zip archives, ordered by name.

    Raises:
        BadReplay: If an explicitly named archive cannot be read.
    """
    for path in paths:
        if not os.path.isdir(path):
            yield from _in_file(path, named=True)
            continue
        for folder, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                file = os.path.join(folder, name)
                # Reading a pipe or device could block forever.
                if os.path.isfile(file):
                    yield from _in_file(file, named=False)


def _in_file(path: str, *, named: bool) -> Iterator[ReplayFile]:
    if not is_zip(path):
        yield ReplayFile(path, None, path, named)
        return
    try:
        members = _archive(path).infolist()
    except (BadZipFile, OSError, ValueError) as problem:
        if named:
            raise BadReplay(f"{path}: not a readable zip archive: {problem}") from None
        return
    for at, member in enumerate(members):
        if not member.is_dir():
            yield ReplayFile(path, at, f"{path}/{member.filename}", named=False)


def _bytes(path: str, member: int | None) -> bytes:
    if member is None:
        with open(path, "rb") as file:
            return file.read(MOST_BYTES + 1)
    archive = _archive(path)
    with archive.open(archive.infolist()[member]) as file:
        return file.read(MOST_BYTES + 1)


@lru_cache(maxsize=1)
def _archive(path: str) -> ZipFile:
    """Open an archive; the list of its members is read only once."""
    return ZipFile(path)
