"""Measure exact probabilities on mid-game Expert positions, compared with ms_toollib.

Times are measured from Python: each solver gets a position in its own form, and the chances, safe
cells and mines are read. ``python benchmarks/exact.py [-n 300] [--json]``. Both are timed in turn
on every position; the fastest of five consecutive runs counts. Needs the extra ``bench``.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

import sapper
from positions import natural, one_more
from report import arguments, emit, quantiles, timed

try:
    import ms_toollib
except ImportError:  # pragma: no cover
    ms_toollib = None

RUNS = 5
# ms_toollib's code for an unopened cell.
_UNOPENED = 10


def main() -> None:
    """Measure both solvers, check that they agree, and print the results."""
    options = arguments(__doc__, 300)
    ours, moved, theirs = [], [], []
    apart = 0.0
    for seed in range(options.n):
        position = natural(30, 16, 99, seed)
        # Alternate the order, so that warm caches do not always favour the same solver.
        if seed % 2:
            theirs.append(other(position))
        ours.append(fastest(lambda p=position: read(sapper.analyze(p))))
        if not seed % 2:
            theirs.append(other(position))
        analysis = sapper.analyze(position)
        chances = theirs[-1][1]
        if chances is not None:
            apart = max(apart, float(np.nanmax(abs(analysis.p_mine - np.array(chances)))))
        after = one_more(position, analysis.safe, random.Random(seed))
        moved.append(min(move(position, after) for _ in range(RUNS)))
    assert apart < 1e-9, f"the engines differ by {apart}"
    rows = [
        {"engine": "sapper.analyze, from scratch", **quantiles(ours)},
        {"engine": "sapper.Solver, one cell opened since", **quantiles(moved)},
    ]
    if ms_toollib is None:
        rows.append({"engine": "ms_toollib is not installed (extra: bench)"})
    else:
        rows += compared(ours, [seconds for seconds, _ in theirs], apart)
    emit(rows, options.json)


def compared(ours: list[float], theirs: list[float], apart: float) -> list[dict[str, object]]:
    """Return the rows for ms_toollib, and for both together."""
    ratios = [t / o for t, o in zip(theirs, ours, strict=True)]
    return [
        {"engine": "ms_toollib.cal_probability_onboard", **quantiles(theirs)},
        {
            "positions": len(ours),
            "ratio_of_medians": float(np.median(theirs) / np.median(ours)),
            "least_ratio": min(ratios),
            "positions_slower": sum(ratio < 1 for ratio in ratios),
            "largest_difference": apart,
        },
    ]


def fastest(step: Callable[[], object]) -> float:
    """Return the minimum seconds of several consecutive runs."""
    return min(timed(step)[0] for _ in range(RUNS))


def other(position: sapper.Position) -> tuple[float, list[list[float]] | None]:
    """Return how many seconds ms_toollib takes, and its probabilities.

    If it is not installed, return infinity and None.
    """
    if ms_toollib is None:
        return float("inf"), None
    grid = [[_UNOPENED if c == "." else int(c) for c in row] for row in position.rows]
    seconds = fastest(lambda: ms_toollib.cal_probability_onboard(grid, position.mines))
    return seconds, ms_toollib.cal_probability_onboard(grid, position.mines)[0]


def read(analysis: sapper.Analysis) -> sapper.Analysis:
    """Read every attribute of an analysis, in case one is computed lazily."""
    _ = analysis.p_mine, analysis.safe, analysis.mined
    return analysis


def move(before: sapper.Position, after: sapper.Position) -> float:
    """Return the seconds to analyse a position with a solver that has analysed the previous one."""
    solver = sapper.Solver()
    solver.analyze(before)
    return timed(lambda: read(solver.analyze(after)))[0]


if __name__ == "__main__":
    main()
