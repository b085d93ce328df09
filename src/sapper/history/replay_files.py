"""Find and read replay files, including those in folders and zip archives.

Every file that is found is read, refused with a reason, or skipped with a reason.
"""

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
from sapper.replay.registry import is_expected
from sapper.translation import LabelledEnum, t

__all__ = ["ReplayFile", "Skipped", "find_replay_files", "is_zip"]

_ZIP: Final = (b"PK\3\4", b"PK\5\6")


class Skipped(LabelledEnum):
    """Why a file in a folder or an archive is not read as a replay."""

    OTHER = "other", t("not a replay")
    EMPTY = "empty", t("empty file")
    MACOS = "macos", t("file information of macOS")
    ARCHIVE = "archive", t("an archive in an archive")
    IRREGULAR = "irregular", t("not a regular file")


class ReplayFile(NamedTuple):
    """A potential replay file.

    Attributes:
        path: Path of the file or of its archive.
        member: Name within the archive; None outside archives.
        name: Name of the file in messages.
        named: Whether it was named explicitly; files found in folders may not be replays.
        regular: Whether it can be read; reading a pipe or device could block forever.
        damage: Why an archive found in a folder cannot be opened.
    """

    path: str
    member: int | None
    name: str
    named: bool
    regular: bool = True
    damage: str = ""

    def read(self) -> bytes | Skipped:
        """Return the file's bytes, or why it is skipped; named files never are.

        Raises:
            BadReplay: If the file cannot be read.
        """
        if not self.regular:
            return Skipped.IRREGULAR
        if self.damage:
            raise BadReplay(self.damage)
        if not self.named and _is_macos(self.name):
            return Skipped.MACOS
        try:
            data = _bytes(self.path, self.member)
        except OSError as problem:
            raise BadReplay(
                f"cannot be read: {(problem.strerror or str(problem)).lower()}"
            ) from None
        # Damaged and encrypted archives raise various errors.
        except (BadZipFile, zlib.error, RuntimeError, EOFError, ValueError) as problem:
            raise BadReplay(
                t("cannot be read from the archive: {problem}", problem=shown(str(problem)))
            ) from None
        if self.named or is_expected(self.name, data):
            return data
        if data[:4] in _ZIP:
            return Skipped.ARCHIVE
        return Skipped.OTHER if data else Skipped.EMPTY


def _is_macos(name: str) -> bool:
    """Return whether macOS adds such a file to archives and to other systems' disks."""
    return os.path.basename(name).startswith("._") or os.path.basename(name) == ".DS_Store"


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
                if os.path.isfile(file):
                    yield from _in_file(file, named=False)
                else:
                    yield ReplayFile(file, None, file, named=False, regular=False)


def _in_file(path: str, *, named: bool) -> Iterator[ReplayFile]:
    if not is_zip(path):
        yield ReplayFile(path, None, path, named)
        return
    try:
        members = _archive(path).infolist()
    except (BadZipFile, OSError, ValueError) as problem:
        damage = f"not a readable zip archive: {problem}"
        if named:
            raise BadReplay(f"{path}: {damage}") from None
        yield ReplayFile(path, None, path, named, damage=damage)
        return
    for at, member in enumerate(members):
        if not member.is_dir():
            yield ReplayFile(path, at, f"{path}/{member.filename}", named=False)


def _bytes(path: str, member: int | None) -> bytes:
    if member is None:
        with open(path, "rb") as file:
            return file.read(MOST_BYTES + 1)
    archive = _archive(path)
    entry = archive.infolist()[member]
    if not entry.file_size:
        # Opening a member takes longer than reading the list of them all.
        return b""
    with archive.open(entry) as file:
        return file.read(MOST_BYTES + 1)


@lru_cache(maxsize=1)
def _archive(path: str) -> ZipFile:
    """Open an archive; the list of its members is read only once."""
    return ZipFile(path)
