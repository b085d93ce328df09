"""The player's view: opened numbers, unopened cells and flags, but no mines."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Self, Unpack

import numpy as np
import numpy.typing as npt

from sapper import _grid, drawing
from sapper._grid import NUMBERS, Known, check_known
from sapper._util.shortening import shown
from sapper.errors import BadPosition, WrongType
from sapper.topology import Cell, Topology

__all__ = ["EXPLODED", "FLAGGED", "NUMBERS", "UNOPENED", "Position", "check_position"]

UNOPENED = "."
FLAGGED = "F"
EXPLODED = "*"
_OTHERS = UNOPENED + FLAGGED + EXPLODED
_COVERED: Final = frozenset((UNOPENED + FLAGGED).encode())
_VALUES: Final = bytes.maketrans(
    NUMBERS + _OTHERS.encode(), np.array([*range(len(NUMBERS)), -1, -2, -3], np.int8).tobytes()
)
"""Translates the bytes of cells to those of `Position.numbers`."""
_set = object.__setattr__

_MISSPELT: Final = 0.85
"""The similarity from which a key counts as misspelt: `mine` does, and `mined` does not."""
_LONGEST_KEY: Final = 20


@dataclass(frozen=True, slots=True)
class Position:
    r"""A board as seen by the player; the only input of a solver.

    Attributes:
        topology: The shape of the board.
        cells: One byte per cell in row order: ``.`` unopened, ``0`` plus the number opened, ``F``
            flagged (unopened; solvers ignore flags), ``*`` an opened mine. Letters for numbers
            above nine are used only in text.
        mines: The mine total, including opened mines, or None if unknown, which allows any number
            of mines.
        density: The chance that each cell is a mine, independently of the others, as on boards
            dealt by density; None if there is a mine total, or if neither is known. With a density
            d, an arrangement of m mines weighs (d / (1 - d)) ** m; otherwise all arrangements are
            equally likely.
        running: Whether the game is not over, which is the default. A game is won once only mines
            are unopened, so as long as it is running, some unopened cell is clear: without a mine
            total, this rules out one arrangement, and it may prove a cell safe. If false, the game
            may be over. It makes no difference, and is always true, with a mine total, which says
            the same; and it makes none before the first opening, or if only mines can be unopened.

    >>> wall = Position.parse("..\n11", mines=1)
    >>> wall.mines, wall[0, 1], wall[1, 1]
    (1, '.', '1')
    >>> from sapper import analyze
    >>> analyze(Position.parse("density: 0.5\n1..")).safe
    frozenset({Cell(row=0, col=2)})
    >>> analyze(Position.parse("density: 0.5\nrunning: no\n1..")).p_mine.tolist()
    [[nan, 1.0, 0.5]]

    Raises:
        BadPosition: If the number of cells or mines or a character is invalid, or both a mine total
            and a density are given.
    """

    topology: Topology
    cells: bytes
    mines: int | None = None
    density: float | None = None
    running: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.topology, Topology):
            raise WrongType(f"topology must be a Topology, got {shown(self.topology)}")
        if not isinstance(self.cells, bytes):
            raise WrongType(f"cells must be bytes, got {shown(self.cells)}")
        size = self.topology.size
        if len(self.cells) != size:
            raise BadPosition(
                f"a position of {self.width}x{self.height} has {size} cells, got {len(self.cells)}"
            )
        most = self.topology.most_neighbours
        if strange := self.cells.translate(None, NUMBERS[: most + 1] + _OTHERS.encode()):
            raise BadPosition(
                f"a cell must be one of {' '.join(NUMBERS[: most + 1].decode() + _OTHERS)}, "
                f"got {chr(strange[0])!r}"
            )
        if self.mines is not None or self.density is not None:
            where = f"{self.width}x{self.height}"
            known = Known(self.mines, self.density)
            mines, density = check_known(known, size, where, BadPosition)
            _set(self, "mines", mines)
            _set(self, "density", density)
        if not isinstance(self.running, bool):
            raise WrongType(f"running must be True or False, got {shown(self.running)}")
        if self.mines is not None:
            _set(self, "running", True)

    @classmethod
    def parse(
        cls,
        text: str,
        mines: int | None = None,
        *,
        density: float | None = None,
        running: bool | None = None,
    ) -> Self:
        r"""Read the text form: one line per row.

        Blank lines and lines starting with ``//`` are skipped; headers ``mines: N`` or
        ``density: D``, ``running: no``, and ``topology: NAME``, may precede the rows. An explicit
        ``mines`` or ``density`` replaces both in the headers, and ``running`` the one there.

        Raises:
            BadPosition: If the text is invalid; the message says where.
        """
        known = Known(mines, density, running)
        return cls(*_grid.read_text(text, _OTHERS, known, BadPosition))

    @classmethod
    def from_json(
        cls,
        obj: Any,
        mines: int | None = None,
        *,
        density: float | None = None,
        running: bool | None = None,
    ) -> Self:
        """Read the JSON form.

        It is ``{"width", "height", "mines", "density", "running", "topology", "rows"}``. An
        explicit ``mines`` or ``density`` replaces both in the object, and ``running`` the one
        there.

        Raises:
            BadPosition: If the object is invalid.
        """
        known = Known(mines, density, running)
        return cls(*_grid.read_json(obj, _OTHERS, known, BadPosition))

    @classmethod
    def trusted(
        cls,
        topology: Topology,
        cells: bytes,
        mines: int | None,
        density: float | None = None,
        running: bool = True,
    ) -> Self:
        """Create a position without validation, for inner loops."""
        made = cls.__new__(cls)
        _set(made, "topology", topology)
        _set(made, "cells", cells)
        _set(made, "mines", mines)
        _set(made, "density", density)
        _set(made, "running", running or mines is not None)
        return made

    @classmethod
    def unopened(
        cls, topology: Topology, mines: int | None = None, *, density: float | None = None
    ) -> Self:
        """Return the position before the first click."""
        if not isinstance(topology, Topology):
            raise WrongType(f"topology must be a Topology, got {shown(topology)}")
        return cls(topology, UNOPENED.encode() * topology.size, mines, density)

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.topology.width

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.topology.height

    @property
    def rows(self) -> list[str]:
        """One string per row, as in the text form."""
        text, width = _grid.text_of(self.cells), self.width
        return [text[at : at + width] for at in range(0, len(text), width)]

    @property
    def numbers(self) -> npt.NDArray[np.int8]:
        r"""The cells as a read-only array of ``height`` rows and ``width`` columns.

        A value of 0 or more is the number that a cell shows, -1 an unopened cell, -2 a flagged one,
        and -3 an opened mine: negative values show no number. This is the same for boards of every
        shape; the index of a cell in ``numbers.ravel()`` is its index in the topology.

        >>> wall = Position.parse(".F\n11", mines=1)
        >>> wall.numbers.tolist(), int(wall.numbers[1, 0])
        ([[-1, -2], [1, 1]], 1)
        """
        values = np.frombuffer(self.cells.translate(_VALUES), np.int8)
        return values.reshape(self.topology.height, self.topology.width)

    def __getitem__(self, cell: tuple[int, int]) -> str:
        """Return the character of one cell in the text form."""
        index = self.topology.index(cell)
        return _grid.text_of(self.cells[index : index + 1])

    def number(self, cell: tuple[int, int]) -> int | None:
        """Return the number that a cell shows; None if it is unopened or an opened mine."""
        char = self.cells[self.topology.index(cell)]
        return char - NUMBERS[0] if char in NUMBERS else None

    def is_unopened(self, cell: tuple[int, int]) -> bool:
        """Return whether a cell is unopened, flagged or not."""
        return self.cells[self.topology.index(cell)] in _COVERED

    def unopened_cells(self) -> list[Cell]:
        """Return every unopened cell, flagged or not, in row order."""
        find = self.topology.find
        return [find(i) for i, char in enumerate(self.cells) if char in _COVERED]

    def without_flags(self) -> Position:
        """Return the same position without flags."""
        cells = self.cells.replace(FLAGGED.encode(), UNOPENED.encode())
        return self.showing(cells)

    def showing(self, cells: bytes, *, running: bool | None = None) -> Position:
        """Return a position on the same board with different cells, without validation.

        Args:
            cells: The cells.
            running: Whether the game is not over in it (default: as in this position).
        """
        running = self.running if running is None else running
        return Position.trusted(self.topology, cells, self.mines, self.density, running)

    def __str__(self) -> str:
        """Return the text form, which `parse` reads."""
        known = self.mines, self.density, self.running
        return "\n".join([*headers(self.topology, *known), *self.rows])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, which `from_json` reads."""
        return as_json(self.topology, self.mines, self.rows, self.density, self.running)

    def to_svg(self, **options: Unpack[drawing.Options]) -> str:
        r"""Return a picture of the position.

        >>> wall = Position.parse("..\n11", mines=1)
        >>> picture = wall.to_svg(marks={"ring": [(1, 0)]}, chances={(0, 0): 0.5}, cell_px=24)
        >>> picture.startswith("<svg")
        True

        Args:
            options: See `sapper.drawing.Options`.

        Raises:
            BadSetting: If an option is not allowed, or the board has more than 40,000 cells.
        """
        return drawing.position_svg(self, **options)

    def _repr_svg_(self) -> str | None:
        return self.to_svg() if self.topology.size <= drawing.MOST_SHOWN else None


def check_position(position: object) -> None:
    """Reject values that are not a `Position`.

    Raises:
        WrongType: A `SapperError` and a `TypeError`.
    """
    if not isinstance(position, Position):
        raise WrongType(f"expected a Position, got {shown(position)}")


def json_part(obj: Any) -> Any:
    """Return the part of a JSON object that is the JSON form of a position.

    >>> json_part({"rows": [".."], "rating": 900})
    {'rows': ['..']}

    Raises:
        BadPosition: If another key looks like a misspelt key of a position.
    """
    if not isinstance(obj, dict):
        return obj
    for key in obj.keys() - set(_grid.JSON_KEYS):
        close = get_close_matches(key[:_LONGEST_KEY].lower(), _grid.JSON_KEYS, 1, _MISSPELT)
        if close:
            raise BadPosition(f"unknown key {shown(key)}; did you mean {close[0]}?")
    return {key: obj[key] for key in obj if key in _grid.JSON_KEYS}


def headers(
    shape: Topology, mines: int | None, density: float | None = None, running: bool = True
) -> list[str]:
    """Return the header lines of the text form; a rectangle is the default topology."""
    lines = [] if mines is None else [f"mines: {mines}"]
    lines += [] if density is None else [f"density: {density!r}"]
    lines += [] if running else ["running: no"]
    return lines if shape.name == "rectangle" else [*lines, f"topology: {shape.name}"]


def as_json(
    shape: Topology,
    mines: int | None,
    rows: list[str],
    density: float | None = None,
    running: bool = True,
) -> dict[str, Any]:
    """Return the JSON form shared by boards and positions."""
    obj: dict[str, Any] = {"width": shape.width, "height": shape.height, "mines": mines}
    if density is not None:
        obj["density"] = density
    if not running:
        obj["running"] = False
    if shape.name != "rectangle":
        obj["topology"] = shape.name
    return {**obj, "rows": rows}
