"""Validate additions to a picture: named marks, chances, and the marks of an overlay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from sapper._util.arguments import expect
from sapper._util.shortening import shown
from sapper.errors import BadSetting, SapperError
from sapper.topology import Topology

__all__ = [
    "MARKS",
    "Cells",
    "Chances",
    "Marks",
    "OverlayMark",
    "OverlayMarks",
    "chances_by_index",
    "check_marks",
    "marks_by_index",
    "overlay_by_index",
]

Cells = Iterable[tuple[int, int]]
"""Some cells as (row, col)."""
Marks = Mapping[str, Cells]
"""Cells by the name of their mark, one of `MARKS`."""
Chances = np.ndarray | Mapping[tuple[int, int], float]
"""Chances from 0 to 1: by cell, or an array of shape (height, width) with nan for none."""


@runtime_checkable
class OverlayMark(Protocol):
    """The attributes of a `sapper.overlays.Mark`."""

    @property
    def text(self) -> str:
        """The text on the cell."""

    @property
    def spoken(self) -> str:
        """The text in words."""

    @property
    def tint(self) -> str:
        """The name of a tint; empty for none."""

    @property
    def heat(self) -> float | None:
        """A colour from 0 to 1, or None."""


OverlayMarks = Mapping[int, OverlayMark]
"""The marks of an overlay by cell index, as `sapper.overlays.marks_of` returns them."""

MARKS: Final[Mapping[str, str]] = {
    "safe": "safe",
    "mine": "a mine",
    "best": "best to open",
    "chosen": "chosen",
    "ring": "named",
    "conflict": "in conflict",
    "dim": "",
}
"""Marks, with their names in the accessible text of a cell."""


def check_marks(marks: object) -> None:
    """Reject values that are not mappings.

    Raises:
        WrongType: If the value is neither a mapping nor None.
    """
    if marks is not None:
        expect(marks, Mapping, "marks by name")


def marks_by_index(shape: Topology, marks: Marks | None) -> dict[int, list[str]]:
    """Return the names of the marks of each marked cell.

    Raises:
        BadSetting: If a mark is unknown, or a cell is not on the board.
    """
    check_marks(marks)
    names: dict[int, list[str]] = {}
    for name in marks or {}:
        if name not in MARKS:
            raise BadSetting(f"unknown mark {shown(name)}; choose from: {', '.join(MARKS)}")
    # Use the order of `MARKS`, so that equal marks always give the same picture.
    for name in MARKS:
        for index in set(shape.indices((marks or {}).get(name, ()))):
            names.setdefault(index, []).append(name)
    return names


def chances_by_index(shape: Topology, chances: Chances | None) -> dict[int, float]:
    """Return the given chances, keyed by cell index.

    Raises:
        BadSetting: If a chance is not between 0 and 1, or the array has another shape.
    """
    by_index: dict[int, float]
    if chances is None:
        return {}
    if isinstance(chances, Mapping):
        by_index = {shape.index(cell): _number(value) for cell, value in chances.items()}
    else:
        table = np.asarray(chances)
        if table.shape != (shape.height, shape.width):
            raise BadSetting(
                f"chances must have shape ({shape.height}, {shape.width}), got {table.shape}"
            )
        by_index = dict(enumerate(map(_number, table.ravel().tolist())))
    # Leave out nan, the only value that differs from itself.
    return {index: chance for index, chance in by_index.items() if chance == chance}


def overlay_by_index(shape: Topology, overlay: OverlayMarks | None) -> OverlayMarks:
    """Return the marks of an overlay.

    Raises:
        WrongType: If the value is not a mapping of marks.
        BadSetting: If a cell is not on the board.
    """
    if overlay is None:
        return {}
    expect(overlay, Mapping, "the marks of an overlay")
    for index, mark in overlay.items():
        expect(mark, OverlayMark, "a mark of an overlay")
        if type(index) is not int or not 0 <= index < shape.size:
            raise BadSetting(
                f"an overlay must have cell indices from 0 to {shape.size - 1}, got {shown(index)}"
            )
    return overlay


def _number(value: Any) -> float:
    try:
        chance = float(value)
    except (TypeError, ValueError):
        problem: SapperError = BadSetting(f"a chance must be a number, got {shown(value)}")
        raise problem from None
    # A sum of floats may differ from 1 by a rounding error.
    if chance != chance or -1e-9 <= chance <= 1 + 1e-9:
        return chance
    raise BadSetting(f"a chance must be between 0 and 1, got {shown(value)}")
