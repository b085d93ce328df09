"""What the text and JSON forms of boards and positions share: reading a grid of characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sapper.errors import BadSetting, SapperError
from sapper.topology import Topology, topology

__all__ = ["Grid", "read_json", "read_text"]

# A message repeats the input, but never more of it than fits a line.
_SHOWN = 40


class Grid(NamedTuple):
    """A parsed grid: its shape, its characters in row order as ASCII, its mine total."""

    topology: Topology
    cells: bytes
    mines: int | None


def shown(text: object) -> str:
    """The input as an error message repeats it: quoted, and cut where it is long."""
    quoted = repr(text)
    return quoted if len(quoted) <= _SHOWN else f"{quoted[: _SHOWN - 1]}…"


def read_text(text: str, alphabet: str, mines: int | None, error: type[SapperError]) -> Grid:
    """Read the text form: comments, headers ``mines: N`` and ``topology: NAME``, then rows."""
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
                        f"line {number}: the mine total must be a whole number of 0 or more, "
                        f"not {shown(value)}"
                    )
                # An explicit argument overrides what the text says.
                mines = int(value[:12]) if mines is None else mines
            elif key.strip() == "topology":
                shape = value
            else:
                raise error(
                    f"line {number}: unknown header {shown(key.strip())}; "
                    "there are 'mines' and 'topology'"
                )
            continue
        rows.append(line)
    return _grid(rows, shape, mines, alphabet, error)


def read_json(obj: Any, alphabet: str, mines: int | None, error: type[SapperError]) -> Grid:
    """Read the JSON form: ``{"width", "height", "rows"}`` and optional ``"mines"``, ``"topology"``.

    Other keys are ignored, so that a position may carry notes.
    """
    if not isinstance(obj, dict):
        raise error(f"expected a JSON object with 'rows', not {shown(obj)}")
    rows = obj.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise error(f"'rows' must be a list of strings, not {shown(rows)}")
    total = obj.get("mines")
    if total is not None and (not isinstance(total, int) or isinstance(total, bool)):
        raise error(f"'mines' must be a whole number or null, not {shown(total)}")
    shape = obj.get("topology", "rectangle")
    if not isinstance(shape, str):
        raise error(f"'topology' must be a name, not {shown(shape)}")
    grid = _grid(rows, shape, total if mines is None else mines, alphabet, error)
    for key, actual in (("width", grid.topology.width), ("height", grid.topology.height)):
        said = obj.get(key, actual)
        if said != actual or isinstance(said, bool):
            raise error(f"{key!r} says {shown(said)}, but the rows make it {actual}")
    return grid


def _grid(
    rows: Sequence[str], shape: str, mines: int | None, alphabet: str, error: type[SapperError]
) -> Grid:
    if not rows:
        raise error("there are no rows")
    width = len(rows[0])
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise error(f"row {number} has {len(row)} cells, but row 1 has {width}: {shown(row)}")
    joined = "".join(rows)
    strange = set(joined) - set(alphabet)
    if strange:
        at = min(joined.index(char) for char in strange)
        raise error(
            f"row {at // width + 1}, column {at % width + 1}: {shown(joined[at])} is no cell; "
            f"a cell is one of {' '.join(alphabet)}"
        )
    if mines is not None and not 0 <= mines <= len(joined):
        raise error(f"there cannot be {mines} mines on {len(joined)} cells")
    try:
        return Grid(topology(shape, width, len(rows)), joined.encode("ascii"), mines)
    except BadSetting as problem:
        raise error(str(problem)) from None
