"""A temporary file for the games of an import until all of them have been checked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO, Final

from sapper.errors import BadSave
from sapper.history.records import Record
from sapper.history.tables import Row, row_of

__all__ = ["CheckedGames"]

_MOST_BYTES: Final = 2**30


class CheckedGames:
    """A file of history rows; only one row at a time is in memory.

    Args:
        file: A file that is open for reading, writing or both.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._size = file, 0

    def add(self, record: Record) -> None:
        """Append a game.

        Raises:
            BadSave: If the games are too large.
        """
        self.add_row(row_of(record))

    def add_row(self, row: Row, digest: bytes = b"") -> None:
        """Append a game in table form, with the digest of its replay.

        Raises:
            BadSave: If the games are too large.
        """
        fields = [row.key, row.measured, row.values, len(row.moves), digest.hex()]
        head = json.dumps(fields).encode() + b"\n"
        self._size += len(head) + len(row.moves)
        if self._size > _MOST_BYTES:
            raise BadSave(f"the games of the file take more than {_MOST_BYTES:,} bytes")
        self._file.write(head)
        self._file.write(row.moves)

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows, starting with the first."""
        return (row for _, row in self.with_digests())

    def with_digests(self) -> Iterator[tuple[bytes, Row]]:
        """Yield the rows with the digests of their replays, which are empty for other games."""
        self._file.seek(0)
        while head := self._file.readline():
            key, measured, values, size, digest = json.loads(head)
            yield bytes.fromhex(digest), Row(key, measured, values, self._file.read(size))
