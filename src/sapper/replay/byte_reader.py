"""Read the bytes of a replay file in order, with bounds checks."""

from __future__ import annotations

from collections.abc import Iterable

from sapper.board import Board
from sapper.replay.damage import cut_short, misplaced_mine, no_cells, repeated_mine
from sapper.topology import topology

__all__ = ["MOST_BYTES", "ByteReader", "board_of", "decoded"]

MOST_BYTES = 16 * 1024 * 1024
"""Maximum size of a file in bytes. An hour of mouse movement takes about 3 MB."""

_LONGEST_TEXT = 65536


class ByteReader:
    """Reads big-endian numbers and text from bytes.

    Attributes:
        at: The offset of the next byte.

    Raises:
        BadReplay: By every method, if the data ends too early.
    """

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        end = self.at + count
        if end > len(self.data):
            raise cut_short()
        data = self.data[self.at : end]
        self.at = end
        return data

    def number(self, count: int) -> int:
        """Return the unsigned number in the next bytes."""
        return int.from_bytes(self.take(count), "big")

    def until(self, end: int) -> bytes:
        """Return the bytes up to the next byte `end`, and skip it."""
        place = self.data.find(end, self.at, self.at + _LONGEST_TEXT)
        if place < 0:
            raise cut_short()
        text = self.data[self.at : place]
        self.at = place + 1
        return text


def decoded(text: bytes) -> str:
    """Decode text as UTF-8, GB18030 or Windows-1252, whichever fits first."""
    for encoding in ("utf-8", "gb18030", "cp1252"):
        try:
            return text.decode(encoding).rstrip("\0")
        except UnicodeDecodeError:
            continue
    return text.decode("latin-1").rstrip("\0")


def board_of(width: int, height: int, mines: Iterable[tuple[int, int]]) -> Board:
    """Return a rectangular board.

    Args:
        width: Columns.
        height: Rows.
        mines: The mines as (row, column).

    Raises:
        BadReplay: If there are no cells, or a mine is off the board or listed twice.
    """
    if width < 1 or height < 1:
        raise no_cells(width, height)
    mined = bytearray(width * height)
    for row, col in mines:
        if not (0 <= row < height and 0 <= col < width):
            raise misplaced_mine(row, col, width, height)
        if mined[row * width + col]:
            raise repeated_mine(row, col)
        mined[row * width + col] = 1
    return Board(topology("rectangle", width, height), bytes(mined))
