"""Parse character grids, for the text and JSON forms of boards and positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sapper._util.arguments import integer, number
from sapper._util.pasted_text import GAME_ID, folded, pasted_row
from sapper._util.shortening import shown
from sapper.errors import BadSetting, SapperError
from sapper.topology import MOST_NEIGHBOURS, Topology, topology

__all__ = [
    "DIGITS",
    "JSON_KEYS",
    "NUMBERS",
    "Grid",
    "Known",
    "check_known",
    "check_mines",
    "read_json",
    "read_text",
    "text_of",
]

NUMBERS: Final = bytes(range(ord("0"), ord("0") + MOST_NEIGHBOURS + 1))
"""The cells that show a number, in memory: ``0`` plus the number, for simple arithmetic."""
DIGITS: Final = "0123456789abc"
"""The same cells as text, with letters for ten and more."""
_TO_TEXT: Final = bytes.maketrans(NUMBERS, DIGITS.encode())
_FROM_TEXT: Final = bytes.maketrans(DIGITS.encode(), NUMBERS)

JSON_KEYS: Final = ("width", "height", "mines", "density", "running", "topology", "rows")
"""The keys of the JSON form."""

_RUNNING: Final = {"yes": True, "no": False}
_DENSITY: Final = re.compile(r"[0-9]*\.?[0-9]+(e[-+]?[0-9]{1,3})?", re.ASCII)


class Grid(NamedTuple):
    """A parsed grid: shape, cells in row order as in memory, and what is known about the game."""

    topology: Topology
    cells: bytes
    mines: int | None
    density: float | None = None
    running: bool = True


class Known(NamedTuple):
    """The mine total or density known to the player, and whether the game is running.

    A value that is not given is None.
    """

    mines: Any = None
    density: Any = None
    running: Any = None

    def over(self, header: Known) -> Known:
        """Return these values, and those of the header in place of values not given."""
        running = header.running if self.running is None else self.running
        mines = header if self.mines is None and self.density is None else self
        return mines._replace(running=running)


def text_of(cells: bytes | bytearray) -> str:
    """Return cells in the text form."""
    return cells.translate(_TO_TEXT).decode("ascii")


def check_mines(mines: object, cells: int, where: str, error: type[SapperError]) -> int:
    """Return a mine total as an `int`; reject invalid or too large values."""
    total = integer(mines)
    if total is None:
        raise error(f"mines must be a whole number or None, got {shown(mines)}")
    if not 0 <= total <= cells:
        raise error(f"mines must be between 0 and {cells} for {where}, got {shown(mines)}")
    return total


def check_known(
    known: Known, cells: int, where: str, error: type[SapperError]
) -> tuple[int | None, float | None]:
    """Return a checked mine total and density, at most one of which is given."""
    mines, density, _ = known
    if mines is not None and density is not None:
        raise error(
            f"a position has a mine total or a density, not both, got {shown(mines)} and "
            f"{shown(density)}"
        )
    if mines is not None:
        return check_mines(mines, cells, where, error), None
    if density is None:
        return None, None
    chance = number(density)
    if chance is None or not 0 <= chance <= 1:
        raise error(f"density must be between 0 and 1, got {shown(density)}")
    return None, chance


def read_text(text: str, others: str, known: Known, error: type[SapperError]) -> Grid:
    """Read the text form: comments, the headers of `Position.parse`, then rows as pasted.

    Args:
        text: The text.
        others: The characters of cells without a number.
        known: The mine total or density; overrides the header.
        error: The class of errors to raise.
    """
    if not isinstance(text, str):
        raise error(f"expected text, got {shown(text)}")
    rows: list[str] = []
    shape, header = "rectangle", Known()
    for line_number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        whole = folded(raw)
        line = whole.strip()
        if not line or line.startswith(("//", "```")):
            continue
        if GAME_ID.fullmatch(line):
            raise error(f"line {line_number}: a game id is a board, not a position")
        key, colon, value = line.partition(":")
        key, value = key.strip().lower(), value.strip()
        if colon and rows:
            raise error(f"line {line_number}: {shown(key)} belongs before the rows")
        if colon:
            if key == "mines":
                if not value.isascii() or not value.isdigit():
                    raise error(
                        f"line {line_number}: mines must be a whole number, 0 or more, got "
                        f"{shown(value)}"
                    )
                header = header._replace(mines=int(value[:12]))
            elif key == "density":
                if not _DENSITY.fullmatch(value):
                    raise error(
                        f"line {line_number}: density must be between 0 and 1, got {shown(value)}"
                    )
                header = header._replace(density=float(value))
            elif key == "running":
                if value not in _RUNNING:
                    raise error(
                        f"line {line_number}: running must be yes or no, got {shown(value)}"
                    )
                header = header._replace(running=_RUNNING[value])
            elif key == "topology":
                shape = value
            else:
                raise error(
                    f"line {line_number}: unknown header {shown(key)}; use 'mines', "
                    "'density', 'running' or 'topology'"
                )
            continue
        try:
            rows.append(pasted_row(whole))
        except ValueError as problem:
            raise error(f"row {len(rows) + 1} {problem}") from None
    return _grid(rows, shape, known.over(header), others, error)


def read_json(
    obj: Any, others: str, known: Known, error: type[SapperError], *, other_keys: bool = False
) -> Grid:
    """Read the JSON form: ``{"width", "height", "rows"}`` and the keys of `Position.from_json`.

    Other keys are errors unless ``other_keys`` is true, because a misspelt ``mines`` of a position
    would change every answer.
    """
    if not isinstance(obj, dict):
        raise error(f"expected a JSON object with 'rows', got {shown(obj)}")
    unknown = next((key for key in obj if key not in JSON_KEYS), None)
    if unknown is not None and not other_keys:
        raise error(f"unknown key {shown(unknown)}; use {', '.join(JSON_KEYS)}")
    rows = obj.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise error(f"'rows' must be a list of strings, got {shown(rows)}")
    total = obj.get("mines")
    if total is not None and (not isinstance(total, int) or isinstance(total, bool)):
        raise error(f"'mines' must be a whole number or null, got {shown(total)}")
    density = obj.get("density")
    if density is not None and number(density) is None:
        raise error(f"'density' must be a number or null, got {shown(density)}")
    running = obj.get("running")
    if running is not None and not isinstance(running, bool):
        raise error(f"'running' must be true or false, got {shown(running)}")
    shape = obj.get("topology", "rectangle")
    if not isinstance(shape, str):
        raise error(f"'topology' must be a name, got {shown(shape)}")
    grid = _grid(rows, shape, known.over(Known(total, density, running)), others, error)
    for key, actual in (("width", grid.topology.width), ("height", grid.topology.height)):
        said = obj.get(key, actual)
        if said != actual or isinstance(said, bool):
            raise error(f"{key!r} is {shown(said)}, but the rows give {actual}")
    return grid


def _grid(
    rows: Sequence[str], name: str, known: Known, others: str, error: type[SapperError]
) -> Grid:
    if not rows:
        raise error("expected at least one row")
    width = len(rows[0])
    for row_number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise error(
                f"row {row_number} has {len(row)} cells, but row 1 has {width}: {shown(row)}"
            )
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
            f"use {_meaning(alphabet, others)}"
        )
    cells = joined.encode("ascii").translate(_FROM_TEXT)
    mines, density = check_known(known, len(joined), f"{len(joined)} cells", error)
    return Grid(shape, cells, mines, density, known.running is not False)


def _meaning(alphabet: str, others: str) -> str:
    """Return the cells that are allowed, with their meaning."""
    most = alphabet[: -len(others)][-1]
    if "." not in others:
        return f"0 to {most}, or * for a mine"
    return f". for unopened, 0 to {most}, F for a flag or * for an opened mine"
