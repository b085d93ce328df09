"""Measure how fast arrangements are found: three methods, and every variant of backtracking.

Boards have 10 to 25 % mines and about 30 % open cells. Each safe cell is equally likely to be open
(zeros do not flood), and totals are given. ``solved`` counts the arrangements found within
``--seconds`` of processor time. ``python benchmarks/arrange.py [-n 2] [--sides 20,50,100,300]
[--seconds 10] [--methods ...] [--json]``; a method is ``exact``, ``sat`` or ``START/LIKELIHOOD``.
Seeds are 0 to n - 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product
from time import process_time
from typing import Any

import sapper
from positions import sprinkled
from report import emit
from sapper.errors import LimitReached
from sapper.solver.arrange import Likelihood, Method, StartRule

SHARES = (0.10, 0.15, 0.20, 0.25)
OPEN = 0.3
VARIANTS = [f"{start}/{likelihood}" for start, likelihood in product(StartRule, Likelihood)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=2, help="boards of each size and share (2)")
    parser.add_argument("--sides", default="20,50,100,300", help="rows and columns")
    parser.add_argument("--seconds", type=float, default=10, help="the most for one board (10)")
    parser.add_argument("--methods", default=",".join(["exact", "sat", *VARIANTS]))
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args()
    sides = [int(side) for side in options.sides.split(",")]
    emit(rows(sides, options.methods.split(","), options.n, options.seconds), options.json)


def rows(sides: list[int], methods: list[str], n: int, seconds: float) -> Iterator[dict[str, Any]]:
    """Return a row for each size and method, with the number solved at each density."""
    for side in sides:
        boards = {share: [board(side, share, seed) for seed in range(n)] for share in SHARES}
        for method in methods:
            row: dict[str, Any] = {"board": f"{side}x{side}", "method": method, "n": n}
            times = []
            for share, positions in boards.items():
                found = [tried(position, method, seconds) for position in positions]
                row[f"solved_{share:.0%}"] = sum(time is not None for time in found)
                times += [seconds if time is None else time for time in found]
            row["median_s"] = sorted(times)[len(times) // 2]
            row["worst_s"] = max(times)
            yield row


def board(side: int, share: float, seed: int) -> sapper.Position:
    """Return a position with this mine density."""
    mines = int(side * side * share)
    return sprinkled(side, side, mines, seed, OPEN / (1 - share))


def tried(position: sapper.Position, method: str, seconds: float) -> float | None:
    """Return the processor time it took in seconds; None if the time limit ran out."""
    name, _, likelihood = method.partition("/")
    options: dict[str, Any] = {"start_rule": name, "likelihood": likelihood} if likelihood else {}
    how = Method.BACKTRACKING if likelihood else Method(name)
    _ = position.topology.graph
    started = process_time()

    def look(_: str) -> None:
        # Measure processor time, so that other work on the machine does not count.
        if process_time() - started > seconds:
            raise LimitReached("the processor time is up")

    try:
        found = sapper.arrange(position, how, progress=look, **options)
    except LimitReached:
        return None
    assert found.found, f"a board that exists was called impossible: {found.reason}"
    return process_time() - started


if __name__ == "__main__":
    main()
