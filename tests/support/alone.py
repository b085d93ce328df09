"""The cells that some numbers of a position prove, found with the exact engine."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sapper import _core
from sapper.position import EXPLODED, Position
from sapper.solver.witnesses import Witnesses
from sapper.topology import Cell

__all__ = ["proved_alone"]


def proved_alone(
    position: Position, numbers: Iterable[Cell], *, total: bool = False
) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the cells that these numbers alone prove safe or mined, optionally with the total."""
    shape, wanted = position.topology, set(numbers)
    hidden = [shape.index(cell) for cell in position.unopened_cells()]
    at = {index: place for place, index in enumerate(hidden)}
    known = [w for w in Witnesses(position).all().values() if w.cell in wanted]
    assert len(known) == len(wanted)
    rows: list[list[int]] = [[] for _ in hidden]
    for witness in known:
        around = sorted(at[cell] for cell in witness.cells)
        for place in around:
            rows[place].append(len(rows))
        rows.append(around)
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.uint32)
    indices = np.array([place for row in rows for place in row], dtype=np.uint32)
    cells = b"." * len(hidden) + bytes(ord("0") + witness.mines for witness in known)
    mines = None
    if total:
        assert position.mines is not None
        mines = position.mines - position.cells.count(EXPLODED.encode())
    said = _core.analyze(_core.Graph(offsets, indices), cells, mines, running=False)
    safe, mined = (
        frozenset(shape.cell(hidden[place]) for place in places)
        for places in (said.safe, said.mined)
    )
    return safe, mined
