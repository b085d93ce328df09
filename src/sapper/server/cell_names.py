"""Name the cells in messages as players do: rows and columns count from 1."""

from __future__ import annotations

import re
from typing import Any, Final

from sapper.topology import Cell, cell_name
from sapper.translation import Text

__all__ = ["with_cell_names"]

# How a cell is written in the messages of the library, which counts from 0.
_WRITTEN: Final = re.compile(r"\((-?\d+), (-?\d+)\)")


def with_cell_names(text: str) -> str:
    """Return a message of the library with its cells named as the page does.

    >>> with_cell_names("cannot open (0, 3): the game is won")
    'cannot open row 1, column 4: the game is won'
    """
    if not isinstance(text, Text):
        whole = _WRITTEN.fullmatch(text)
        return _named(whole) if whole else _WRITTEN.sub(_named, text)
    values = {name: _with_named_cells(value) for name, value in text.values.items()}
    return Text(text.source, values, text.plural, text.counted, text.capital)


def _with_named_cells(value: Any) -> Any:
    if isinstance(value, Cell):
        return cell_name(value)
    if isinstance(value, str):
        return with_cell_names(value)
    return [_with_named_cells(part) for part in value] if isinstance(value, list) else value


def _named(written: re.Match[str]) -> str:
    return cell_name(Cell(int(written[1]), int(written[2])))
