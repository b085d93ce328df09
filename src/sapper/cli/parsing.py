"""Parse values given on the command line."""

from __future__ import annotations

import re

from sapper.errors import BadSetting
from sapper.topology import Cell

__all__ = ["parse_cell", "parse_size"]


def parse_cell(text: str, option: str) -> Cell:
    """Parse a cell written ``ROW,COLUMN``, the value of `option`.

    >>> parse_cell("3,4", "--start")
    Cell(row=3, col=4)

    Raises:
        BadSetting: If the text is not a cell.
    """
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if match is None:
        raise BadSetting(f"{option} must be a row and a column such as 3,4, got {text!r:.40}")
    return Cell(int(match[1]), int(match[2]))


def parse_size(text: str) -> tuple[int, int]:
    """Parse a board's size written ``WIDTHxHEIGHT``.

    >>> parse_size("30x16")
    (30, 16)

    Raises:
        BadSetting: If the text is not a size.
    """
    match = re.fullmatch(r"\s*([0-9]{1,9})x([0-9]{1,9})\s*", text)
    if match is None:
        raise BadSetting(f"a size must be WIDTHxHEIGHT such as 20x20, got {text!r:.40}")
    return int(match[1]), int(match[2])
