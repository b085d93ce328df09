"""Read the bytes of a replay file in order, with bounds checks."""

from __future__ import annotations

from collections.abc import Iterable

from sapper.board import Board
from sapper.errors import BadReplay
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
            raise BadReplay(
                f"the file ends too early: {count} bytes expected at offset {self.at}, "
                f"got {max(0, len(self.data) - self.at)}"
            )
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
            raise BadReplay(f"no end of the text that starts at offset {self.at}")
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
        raise BadReplay(f"a board needs at least one row and one column, got {width}x{height}")
    mined = bytearray(width * height)
    for row, col in mines:
        if not (0 <= row < height and 0 <= col < width):
            raise BadReplay(f"a mine at ({row}, {col}) is off the board of {width}x{height}")
        if mined[row * width + col]:
            raise BadReplay(f"the mine at ({row}, {col}) is listed twice")
        mined[row * width + col] = 1
    return Board(topology("rectangle", width, height), bytes(mined))
