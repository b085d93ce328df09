"""Read rows of cells as people paste them: separated, in full-width characters or as emoji.

Only unambiguous characters are read. The same rules in JavaScript are in
``web/static/js/board/pasted-text.js``; ``tests/data/pasted_positions.json`` has examples for both.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["EMPTY_CELL", "GAME_ID", "JOINED_CELLS", "folded", "pasted_row"]

GAME_ID: Final = re.compile(r"\d+x\d+(?:/[a-z]+)?:\d+,\d+,[smu][\w-]*", re.ASCII)
"""Matches a game id, which is a board and not a position."""

EMPTY_CELL: Final = "has an empty cell; use . for unopened, or 0 for open without mines around it"
JOINED_CELLS: Final = "separates some cells and not others; separate all or none"

_FOLDED: Final = {
    # Full-width characters, as Chinese and Japanese keyboards type them.
    **{0xFF01 + at: chr(0x21 + at) for at in range(94)},
    # Parts of emoji, and characters without width.
    **dict.fromkeys((0xFE0E, 0xFE0F, 0x20E3, 0x200B, 0x200C, 0x200D, 0xFEFF)),
    **dict.fromkeys(map(ord, "\u2691\u2690\U0001f6a9"), "F"),
    **dict.fromkeys(map(ord, "\U0001f4a3\U0001f4a5"), "*"),
    **dict.fromkeys(map(ord, "\u2753\u2754"), "?"),
}
_SIGNS: Final = str.maketrans("?#fABC", "..Fabc")
_CELLS: Final = re.compile(r"[0-9a-c.F*]+")
_APART: Final = re.compile(r"[^\S\t]*[\t,;|][^\S\t]*|[^\S\t]+")


def folded(line: str) -> str:
    """Return a line in ASCII as far as its characters have only one meaning."""
    return line if line.isascii() else line.translate(_FOLDED)


def pasted_row(line: str) -> str:
    """Return a row of a pasted position in the text form, without checking its cells.

    Cells may be separated by spaces, tabs, commas, semicolons or vertical bars. ``?`` and ``#`` are
    unopened cells.

    Args:
        line: The folded line, without spaces at its ends.

    Raises:
        ValueError: If a cell is missing, or only some are separated; the message ends a sentence
            that begins with the row.
    """
    row = line.strip()
    if _CELLS.fullmatch(row):
        return row
    if not _APART.search(row):
        return row.translate(_SIGNS)
    # Tabs and commas at the ends belong to empty cells, except around a row between bars.
    line = line[1:-1].strip() if len(line) > 1 and line[0] == line[-1] == "|" else line.strip(" ")
    cells = _APART.split(line)
    if not all(cells):
        raise ValueError(EMPTY_CELL)
    if max(map(len, cells)) > 1:
        raise ValueError(JOINED_CELLS)
    return "".join(cells).translate(_SIGNS)
