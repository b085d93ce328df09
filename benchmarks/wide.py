"""Measure how many wide frontiers are counted exactly, and how long it takes.

Boards are 30x30 with 180 to 200 mines and 100x100 with 2000. *Natural*: as in play. *Sprinkled*: a
random share of an untouched board's safe cells is opened (zeros do not flood), which makes
frontiers as wide as they can be. *Played, then sprinkled*: a natural position in which the same
share of the remaining cells is opened. ``python benchmarks/wide.py [-n 20] [--json]``; seed ``i``
makes position ``i`` of each kind, and on 30x30 there are 180 + i % 21 mines. The limit is 10
seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import sapper
from positions import natural, scattered, sprinkled
from report import arguments, emit, quantiles, timed

PARTS = {30: (0.15, 0.30), 100: (0.10, 0.30)}
_LIMIT = sapper.Limit(seconds=10)


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, 20)
    emit(measured(options.n), options.json)


def measured(n: int) -> Iterator[dict[str, object]]:
    """Yield the row of each kind, measured on n positions."""
    for side, kind, make in kinds():
        seconds, exact = [], 0
        for seed in range(n):
            position = make(180 + seed % 21 if side == 30 else 2000, seed)
            # The graph is built once for all boards of a size, so building it is not timed.
            _ = position.topology.graph
            took, analysis = timed(lambda p=position: sapper.analyze(p, limit=_LIMIT))
            seconds.append(took)
            exact += analysis.exact
        yield {"board": f"{side}x{side}, {kind}", "n": n, "exact": exact, **quantiles(seconds)}


def kinds() -> Iterator[tuple[int, str, Callable[[int, int], sapper.Position]]]:
    """Yield each side, kind, and the function that returns its position for mines and a seed."""
    for side, parts in PARTS.items():
        yield side, "natural", partial(natural, side, side)
        for part in parts:
            yield side, f"{part:.0%} sprinkled", partial(sprinkled, side, side, part=part)
            yield side, f"played, {part:.0%} sprinkled", partial(scattered, side, side, part=part)


if __name__ == "__main__":
    main()
