"""Measure how far chances shift when a component is left out of an estimate.

A component left out of the sweeps counts as floating cells, and the stated error of all other
chances grows with its share of the cells. Here the component with the most cells is left out of
positions that can be counted exactly, and every other unopened cell that is not proved is compared
with the exact chance. ``within`` is the share of these cells within the stated error,
``positions_within`` the share of positions in which all of them are. ``python
benchmarks/left_out.py [-n 50] [--json]``; seed ``i`` makes position ``i``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

import sapper
from positions import natural, sprinkled
from report import arguments, emit
from sapper import _core


def stated_error(share: float) -> float:
    """The minimum error that an estimate states, by the share of open cells left out."""
    return min(0.5, 1.5 * share)


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, 50)
    kinds: dict[str, Callable[[int, int, int, int], sapper.Position]] = {
        "natural": natural,
        "half open": lambda *board: sprinkled(*board, part=0.5),
        "eighth open": lambda *board: sprinkled(*board, part=0.125),
    }
    rows = []
    for width, height, mines in ((30, 16, 99), (50, 50, 500), (100, 100, 2000)):
        for kind, make in kinds.items():
            positions = (make(width, height, mines, seed) for seed in range(options.n))
            found = [(share, shift) for share, shift in map(shifts, positions) if shift.size]
            if not found:
                continue
            cells = np.concatenate([shift for _, shift in found])
            stated = np.concatenate([np.full(s.size, stated_error(share)) for share, s in found])
            rows.append(
                {
                    "board": f"{width}x{height}:{mines}, {kind}",
                    "positions": len(found),
                    "cells": len(cells),
                    "median": float(np.median(cells)),
                    "worst": float(cells.max()),
                    "stated": float(stated.mean()),
                    "within": float((cells <= stated).mean()),
                    "positions_within": float(
                        np.mean([s.max() <= stated_error(share) for share, s in found])
                    ),
                }
            )
    emit(rows, options.json)


def shifts(position: sapper.Position) -> tuple[float, np.ndarray]:
    """Return the share of cells left out, and the error of each other cell's chance."""
    graph = Settled(position)
    largest = max(graph.components(), key=lambda found: len(found[1]), default=None)
    exact = sapper.analyze(position)
    if largest is None or not exact.exact:
        return 0.0, np.zeros(0)
    witnesses, left_out = largest
    without = graph.analyze(witnesses)
    true = exact.p_mine.ravel()
    compared = ~np.isnan(true) & (true > 0) & (true < 1)
    compared[list(left_out)] = False
    share = len(left_out) / graph.cells.count(b".")
    return share, np.abs(true - without)[compared]


class Settled:
    """A position in which single-number logic has been applied, as in the engine."""

    def __init__(self, position: sapper.Position) -> None:
        graph = position.topology.graph
        self.rows = [graph.neighbours(cell) for cell in range(len(graph))]
        self.cells, self.mines = bytearray(position.without_flags().cells), position.mines
        changed = True
        while changed:
            changed = False
            for char, row in zip(bytes(self.cells), self.rows, strict=True):
                covered = [n for n in row if self.cells[n] == ord(".")]
                need = char - ord("0") - sum(self.cells[n] == ord("*") for n in row)
                if chr(char).isdigit() and covered and need in (0, len(covered)):
                    for cell in covered:
                        # A cell proved safe gives no information yet; its letter is replaced below.
                        self.cells[cell] = ord("*" if need else "c")
                    changed = True

    def components(self) -> Iterator[tuple[set[int], set[int]]]:
        """Return the witnesses and unopened cells of each part of the frontier."""
        seen: set[int] = set()
        for first, char in enumerate(self.cells):
            if first in seen or not chr(char).isdigit():
                continue
            witnesses, unopened, left = set[int](), set[int](), [first]
            while left:
                witness = left.pop()
                if witness in witnesses:
                    continue
                witnesses.add(witness)
                for cell in self.rows[witness]:
                    if self.cells[cell] == ord(".") and cell not in unopened:
                        unopened.add(cell)
                        left += [n for n in self.rows[cell] if chr(self.cells[n]).isdigit()]
            seen |= witnesses
            if unopened:
                yield witnesses, unopened

    def analyze(self, silent: set[int]) -> np.ndarray:
        """Return each cell's chance with these numbers ignored."""
        mute = silent | {i for i, char in enumerate(self.cells) if char == ord("c")}
        rows = [
            [] if cell in mute else [n for n in row if n not in mute]
            for cell, row in enumerate(self.rows)
        ]
        offsets = np.cumsum([0, *map(len, rows)]).astype(np.uint32)
        graph = _core.Graph(offsets, np.array([n for row in rows for n in row], dtype=np.uint32))
        cells = bytes(ord("0") if i in mute else char for i, char in enumerate(self.cells))
        return _core.analyze(graph, cells, self.mines).p_mine


if __name__ == "__main__":
    main()
