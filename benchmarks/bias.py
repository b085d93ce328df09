"""Compare uniform no-guess boards with all boards, and fast ones with uniform ones.

Boards are 30x16 with 99 mines, 16x16 with 40, and 30x16 with 170, where only `fast` finds any; the
first click is an opening in the centre of the board. The columns are means with 95 % intervals:
openings, 3BV, the mine density at the border and inside, and the cells opened by the first click.
The last rows give the share of uniform boards that need no guess, for first clicks with reference
figures.

``python benchmarks/bias.py [-n 2000] [--json]``, where ``-n`` is the number of boards of each kind;
their seeds are 0 to n - 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from report import arguments, emit
from sapper import Board, generate
from sapper.generation import Logic, Method
from sapper.metrics import openings
from sapper.rules import Level
from sapper.stats import mean_interval, wilson

LEVELS = ("30x16:99", "16x16:40", "30x16:170")
# These levels are too dense for rejection sampling to find any board.
DENSE = ("30x16:170",)
# The level, the first click, its promise, and the reference share in percent.
SHARES = (
    ("30x16:99", (0, 0), "safe", 5.2),
    ("30x16:99", (3, 3), "opening", 16.2),
    ("16x16:40", (0, 0), "safe", 34.7),
    ("16x16:40", (3, 3), "opening", 72.3),
    ("9x9:10", (0, 0), "safe", 54.6),
    ("9x9:10", (3, 3), "opening", 91.9),
)
# At worst, rejection by single-number logic needs a few hundred thousand boards.
_TRIES = 10_000_000


def main() -> None:
    """Measure every kind of board, and print the results."""
    options = arguments(__doc__, 2000)
    emit(rows(options.n), options.json)


def rows(n: int) -> Iterator[dict[str, Any]]:
    """Yield the row of each kind of board as it is measured."""
    for text in LEVELS:
        level = Level.parse(text)
        start = (level.height // 2, level.width // 2)
        methods = [Method.FAST] if text in DENSE else list(Method)
        for name, boards in kinds(level, start, n, methods):
            figures = np.array([measured(board, start) for board in boards])
            yield {"board": text, "kind": name, "n": len(figures), **means(figures)}
    for case in SHARES:
        yield share(*case, n=n)


def kinds(
    level: Level, start: tuple[int, int], n: int, methods: list[Method]
) -> Iterator[tuple[str, Iterator[Board]]]:
    """Return all boards with this start, and no-guess boards by each method and logic."""
    dealt = generate(level, n, first_click="opening", start=start, seed=0)
    yield "any", (made.board for made in dealt)
    for logic in reversed(Logic):
        for method in methods:
            dealt = generate(
                level, n, start=start, seed=0, no_guess=logic, method=method, tries=_TRIES
            )
            yield f"{method}, {logic}", (made.board for made in dealt)


def measured(board: Board, start: tuple[int, int]) -> tuple[float, ...]:
    """Return the openings, 3BV, border and inner mine density, and cells of the first opening."""
    mined = np.frombuffer(board.mined, np.uint8).reshape(board.topology.height, -1)
    inside = mined[1:-1, 1:-1]
    rim = (int(mined.sum()) - int(inside.sum())) / (mined.size - inside.size)
    return openings(board), board.bbbv, rim, float(inside.mean()), opened(board, start)


def opened(board: Board, start: tuple[int, int]) -> int:
    """Return the number of cells that a click on a zero opens."""
    graph, numbers = board.topology.graph, board.numbers
    seen, stack = set[int](), [board.topology.index(start)]
    while stack:
        cell = stack.pop()
        if cell not in seen:
            seen.add(cell)
            stack += graph.neighbours(cell) if numbers[cell] == 0 else []
    return len(seen)


def means(figures: np.ndarray[Any, Any]) -> dict[str, str]:
    """Return the mean of every column with half its 95 % interval; shares in percent."""
    names = ("openings", "3BV", "rim_percent", "inside_percent", "first_opening")
    scaled = figures * np.array([1, 1, 100, 100, 1])
    row = {}
    for name, column in zip(names, scaled.T, strict=True):
        middle = float(column.mean())
        _, high = mean_interval(float(column.sum()), float((column**2).sum()), len(column))
        row[name] = f"{middle:.2f}+-{high - middle:.2f}"
    return row


def share(
    level: str, start: tuple[int, int], first_click: str, reference: float, n: int
) -> dict[str, Any]:
    """Return the share of uniform boards that need no guess, from the attempts to find `n`."""
    dealt = generate(
        level, n, first_click=first_click, start=start, seed=0, no_guess=Logic.TOTAL, tries=_TRIES
    )
    tried = sum(made.proof.tries for made in dealt if made.proof is not None)
    p = n / tried
    low, high = wilson(n, tried)
    half = max(p - low, high - p)
    return {
        "share_of": f"{level}, first click {first_click} at {start[0]},{start[1]}",
        "found": n,
        "tried": tried,
        "percent": f"{100 * p:.2f}+-{100 * half:.2f}",
        "reference_percent": reference,
    }


if __name__ == "__main__":
    main()
