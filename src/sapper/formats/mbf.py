"""The Minesweeper Board Format (``.mbf``; ``.abf`` in Arbiter): the mines of a board.

All numbers are unsigned bytes: columns, rows, the mine total (high byte first), then the column and
row of each mine, counted from 0 at the top left. Checked against JSMinesweeper at commit d8ff392
(``Board.getFormatMBF`` and ``newBoardFromMBF``), which reads the files of Minesweeper X and
Arbiter.
"""

from __future__ import annotations

from typing import Final

from sapper.board import Board
from sapper.errors import BadBoard, BadSetting
from sapper.topology import topology

__all__ = ["LONGEST", "is_mbf", "read_mbf", "write_mbf"]

_HEADER: Final = 4
_MOST_COLUMNS: Final = 255
LONGEST: Final = _HEADER + 2 * 0xFFFF
"""Maximum size of a file in bytes."""


def is_mbf(data: bytes) -> bool:
    """Return whether the length of data matches its header."""
    return len(data) >= _HEADER and len(data) == _HEADER + 2 * _mines(data)


def read_mbf(data: bytes) -> Board:
    """Read a board.

    >>> print(read_mbf(bytes([3, 2, 0, 1, 2, 0])))
    mines: 1
    01*
    011

    Raises:
        BadBoard: If the data is invalid; the message says where.
    """
    if len(data) < _HEADER:
        raise BadBoard(f"an .mbf file has at least {_HEADER} bytes, got {len(data)}")
    width, height, mines = data[0], data[1], _mines(data)
    if not is_mbf(data):
        raise BadBoard(
            f"an .mbf file of {mines} mines has {_HEADER + 2 * mines} bytes, got {len(data)}"
        )
    try:
        shape = topology("rectangle", width, height)
    except BadSetting as problem:
        raise BadBoard(str(problem)) from None
    mined = bytearray(shape.size)
    for number, at in enumerate(range(_HEADER, len(data), 2), start=1):
        col, row = data[at], data[at + 1]
        if col >= width or row >= height:
            raise BadBoard(
                f"mine {number} is in row {row}, column {col}, outside the {width}x{height} board"
            )
        if mined[row * width + col]:
            raise BadBoard(f"mine {number} is in row {row}, column {col}, as another one before it")
        mined[row * width + col] = 1
    return Board(shape, bytes(mined))


def write_mbf(board: Board) -> bytes:
    """Write a board.

    Raises:
        BadBoard: If the board has more than 255 rows or columns, or is not a rectangle.
    """
    shape = board.topology
    if shape.name != "rectangle" or max(shape.width, shape.height) > _MOST_COLUMNS:
        raise BadBoard(
            f"an .mbf file holds rectangles of at most {_MOST_COLUMNS} rows and columns, "
            f"got a {shape.name} of {shape.width}x{shape.height}"
        )
    cells = board.mine_cells()
    head = [shape.width, shape.height, len(cells) >> 8, len(cells) & 0xFF]
    return bytes(head + [number for row, col in cells for number in (col, row)])


def _mines(data: bytes) -> int:
    return data[2] << 8 | data[3]
