"""The text files of JSMinesweeper (``.board``, ``.mine``): a position and its mine total.

The first line is ``COLUMNSxROWSxMINES``, followed by one line per row: ``H`` hidden, ``F`` flagged,
``0``-``8`` opened. A visible mine is ``?``, which JSMinesweeper reads as hidden, like any other
character. Checked against its commit d8ff392 (``Board.getPositionData`` and
``newBoardFromString``).
"""

from __future__ import annotations

import re
from typing import Final

from sapper.errors import BadPosition, BadSetting
from sapper.position import EXPLODED, FLAGGED, UNOPENED, Position
from sapper.topology import topology

__all__ = ["is_board_file", "read_board_file", "write_board_file"]

_HEAD: Final = re.compile(r"(\d{1,5})x(\d{1,5})x(\d{1,9})")
_READ: Final = {"H": UNOPENED, "?": UNOPENED, "I": UNOPENED, "F": FLAGGED, "O": FLAGGED}


def is_board_file(text: str) -> bool:
    """Return whether a string looks like a ``.board`` file."""
    return bool(_HEAD.fullmatch(text.lstrip("\ufeff").split("\n", 1)[0].strip()))


def read_board_file(text: str) -> Position:
    r"""Read a position.

    >>> print(read_board_file("3x2x1\nHHF\n111\n"))
    mines: 1
    ..F
    111

    Raises:
        BadPosition: If the text is invalid; the message says where.
    """
    lines = [line.strip() for line in text.lstrip("\ufeff").splitlines()]
    head = _HEAD.fullmatch(lines[0]) if lines else None
    if head is None:
        raise BadPosition("line 1 must be COLUMNSxROWSxMINES, such as 30x16x99")
    width, height, mines = map(int, head.groups())
    rows = lines[1:]
    while rows and not rows[-1]:
        rows.pop()
    if len(rows) != height:
        raise BadPosition(f"line 1 says {height} rows, got {len(rows)}")
    cells = []
    for number, row in enumerate(rows, start=2):
        if len(row) != width:
            raise BadPosition(f"line {number} has {len(row)} cells, but line 1 says {width}")
        for col, char in enumerate(row, start=1):
            cell = _READ.get(char, char)
            if cell not in "012345678" + UNOPENED + FLAGGED:
                raise BadPosition(
                    f"line {number}, column {col}: {char!r} is not a cell; use H, F, ? or 0 to 8"
                )
            cells.append(cell)
    try:
        shape = topology("rectangle", width, height)
    except BadSetting as problem:
        raise BadPosition(str(problem)) from None
    return Position(shape, "".join(cells).encode(), mines)


def write_board_file(position: Position) -> str:
    """Write a position.

    Raises:
        BadPosition: If the mine total is unknown, a mine is open, or the board is not a rectangle.
    """
    if position.mines is None or position.topology.name != "rectangle":
        raise BadPosition("a .board file holds rectangles whose mine total is known")
    if EXPLODED.encode() in position.cells:
        raise BadPosition("a .board file holds no opened mines")
    head = f"{position.width}x{position.height}x{position.mines}"
    return "\n".join([head, *(row.replace(UNOPENED, "H") for row in position.rows)]) + "\n"
