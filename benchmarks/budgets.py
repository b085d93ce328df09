"""Measure how well time limits are kept: seconds requested and seconds taken.

`analyze`, `hint`, `arrange` (all three methods) and `sample` on boards of 30x16 to 1000x1000 with
20 % mines: *natural* boards are played until 20 to 70 % of the cells are open; *wide* boards are
untouched except that 30 % of the safe cells are opened at random. The time includes building the
graph of the shape, but not building the position or starting Python. ``kept`` is whether every call
took at most 20 % plus 50 ms more than requested. ``cpu_s`` is the highest processor time of a call,
because wall-clock time is unreliable on a busy machine. ``python benchmarks/budgets.py [-n 3]
[--json]``; seed ``i`` makes position ``i``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from time import perf_counter, process_time
from typing import Any

import sapper
from positions import natural, sprinkled
from report import arguments, emit
from sapper.errors import LimitReached

SIZES = [(30, 16), (100, 100), (300, 300), (1000, 1000)]
SECONDS = [0.1, 1.0]


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, 3)
    emit(rows(options.n), options.json)


def rows(n: int) -> Iterator[dict[str, Any]]:
    """Yield the row of each board, call and limit as it is measured."""
    for width, height in SIZES:
        mines = width * height // 5
        for kind, make in (("natural", natural), ("wide", _wide)):
            positions = [make(width, height, mines, seed) for seed in range(n)]
            for name, call in CALLS.items():
                for asked in SECONDS:
                    times = [_taken(call, position, asked) for position in positions]
                    taken = [wall for wall, _ in times]
                    yield {
                        "board": f"{width}x{height}, {kind}",
                        "call": name,
                        "asked_s": asked,
                        "worst_s": max(taken),
                        "cpu_s": max(cpu for _, cpu in times),
                        "kept": max(taken) <= 1.2 * asked + 0.05,
                    }


def _wide(width: int, height: int, mines: int, seed: int) -> sapper.Position:
    return sprinkled(width, height, mines, seed, part=0.3)


def _taken(
    call: Callable[[sapper.Position, float], object], position: sapper.Position, asked: float
) -> tuple[float, float]:
    # The graph of a shape is normally cached; drop it, so that each call builds its own.
    position.topology.__dict__.pop("graph", None)
    began, cpu = perf_counter(), process_time()
    with suppress(LimitReached):
        call(position, asked)
    return perf_counter() - began, process_time() - cpu


def _limit(seconds: float) -> sapper.Limit:
    return sapper.Limit(seconds=seconds)


CALLS: dict[str, Callable[[sapper.Position, float], object]] = {
    "analyze": lambda p, s: sapper.analyze(p, limit=_limit(s)).solutions,
    "hint": lambda p, s: sapper.hint(p, limit=_limit(s)),
    "sample": lambda p, s: sapper.sample(p, n=10, seed=1, limit=_limit(s)),
    "backtracking": lambda p, s: sapper.arrange(p, "backtracking", limit=sapper.Limit(seconds=s)),
    "exact": lambda p, s: sapper.arrange(p, "exact", limit=sapper.Limit(seconds=s)),
    "sat": lambda p, s: sapper.arrange(p, "sat", limit=sapper.Limit(seconds=s)),
}


if __name__ == "__main__":
    main()
