"""Shared by the text and JSON forms of boards and positions: reading a grid of characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sapper._util.arguments import integer
from sapper.errors import BadSetting, SapperError
from sapper.topology import MOST_NEIGHBOURS, Topology, topology

__all__ = ["DIGITS", "NUMBERS", "Grid", "check_mines", "read_json", "read_text", "shown", "text_of"]

NUMBERS: Final = bytes(range(ord("0"), ord("0") + MOST_NEIGHBOURS + 1))
"""The cells that show a number in memory: ``0`` plus the number, so that programs can count."""
DIGITS: Final = "0123456789abc"
"""The same cells as text: letters stand for ten and more."""
_TO_TEXT: Final = bytes.maketrans(NUMBERS, DIGITS.encode())
_FROM_TEXT: Final = bytes.maketrans(DIGITS.encode(), NUMBERS)

# Error messages repeat the input, but no more of it than fits on a line.
_SHOWN = 40


class Grid(NamedTuple):
    """A parsed grid: shape, cells in row order as in memory, and mine total."""

    topology: Topology
    cells: bytes
    mines: int | None


def text_of(cells: bytes | bytearray) -> str:
    """Return cells as the text form shows them."""
    return cells.translate(_TO_TEXT).decode("ascii")


def shown(text: object) -> str:
    """Quote the input for an error message, shortened if it is long."""
    quoted = repr(text)
    return quoted if len(quoted) <= _SHOWN else f"{quoted[: _SHOWN - 1]}…"


def check_mines(mines: object, cells: int, where: str, error: type[SapperError]) -> int:
    """Return a mine total as an `int`; refuse what is none, or more than a board can hold."""
    total = integer(mines)
    if total is None:
        raise error(f"mines must be a whole number or None, got {shown(mines)}")
    if not 0 <= total <= cells:
        raise error(f"mines must be between 0 and {cells} for {where}, got {shown(mines)}")
    return total


def read_text(text: str, others: str, mines: int | None, error: type[SapperError]) -> Grid:
    """Read the text form: comments, headers ``mines: N`` and ``topology: NAME``, then rows.

    Args:
        text: The text.
        others: The characters of cells without a number.
        mines: The mine total, which overrides the header.
        error: The class of errors to raise.
    """
    if not isinstance(text, str):
        raise error(f"expected text, got {shown(text)}")
    rows: list[str] = []
    shape = "rectangle"
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("//"):
            continue
        key, colon, value = line.partition(":")
        if colon and not rows:
            value = value.strip()
            if key.strip() == "mines":
                if not value.isascii() or not value.isdigit():
                    raise error(
                        f"line {number}: mines must be an integer, 0 or more, got {shown(value)}"
                    )
                # An explicit argument overrides the header.
                mines = int(value[:12]) if mines is None else mines
            elif key.strip() == "topology":
                shape = value
            else:
                raise error(
                    f"line {number}: unknown header {shown(key.strip())}; use 'mines' or 'topology'"
                )
            continue
        rows.append(line)
    return _grid(rows, shape, mines, others, error)


def read_json(obj: Any, others: str, mines: int | None, error: type[SapperError]) -> Grid:
    """Read the JSON form: ``{"width", "height", "rows"}`` and optional ``"mines"``, ``"topology"``.

    Other keys are ignored, so that a position may carry notes.
    """
    if not isinstance(obj, dict):
        raise error(f"expected a JSON object with 'rows', got {shown(obj)}")
    rows = obj.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise error(f"'rows' must be a list of strings, got {shown(rows)}")
    total = obj.get("mines")
    if total is not None and (not isinstance(total, int) or isinstance(total, bool)):
        raise error(f"'mines' must be an integer or null, got {shown(total)}")
    shape = obj.get("topology", "rectangle")
    if not isinstance(shape, str):
        raise error(f"'topology' must be a name, got {shown(shape)}")
    grid = _grid(rows, shape, total if mines is None else mines, others, error)
    for key, actual in (("width", grid.topology.width), ("height", grid.topology.height)):
        said = obj.get(key, actual)
        if said != actual or isinstance(said, bool):
            raise error(f"{key!r} is {shown(said)}, but the rows give {actual}")
    return grid


def _grid(
    rows: Sequence[str], name: str, mines: int | None, others: str, error: type[SapperError]
) -> Grid:
    if not rows:
        raise error("expected at least one row")
    width = len(rows[0])
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise error(f"row {number} has {len(row)} cells, but row 1 has {width}: {shown(row)}")
    joined = "".join(rows)
    try:
        shape = topology(name, width, len(rows))
    except BadSetting as problem:
        raise error(str(problem)) from None
    alphabet = DIGITS[: shape.most_neighbours + 1] + others
    strange = set(joined) - set(alphabet)
    if strange:
        at = min(joined.index(char) for char in strange)
        raise error(
            f"row {at // width + 1}, column {at % width + 1}: {shown(joined[at])} is not a cell; "
            f"use one of {' '.join(alphabet)}"
        )
    if mines is not None:
        mines = check_mines(mines, len(joined), f"{len(joined)} cells", error)
    return Grid(shape, joined.encode("ascii").translate(_FROM_TEXT), mines)
