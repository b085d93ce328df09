"""Measure time and memory per cell on boards of up to a million cells.

Boards have 15 % mines and are half open: *flooded* opening by opening, as in play, or *sprinkled*,
where each safe cell is open with probability 1/2. ``python benchmarks/growth.py [-n 3] [--json]``,
where ``-n`` is the number of sizes, in the order 100x100, 300x300, 1000x1000. Each size is measured
in a separate process; the memory of the analysis is the peak minus the memory before it (on Linux).
The graph of the board's cells is built once and does not count. The limit is 60 seconds; past
it, `exact` is False.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import sapper
from positions import flooded, sprinkled
from report import arguments, emit, timed

SIDES = (100, 300, 1000)
KINDS = {"flooded": flooded, "sprinkled": sprinkled}
_LIMIT = sapper.Limit(seconds=60)


def main() -> None:
    """Measure each board in a separate process, and print the results."""
    options = arguments(__doc__, len(SIDES))
    emit(measured(SIDES[: options.n]), options.json)


def measured(sides: Iterable[int]) -> Iterator[dict[str, object]]:
    """Yield the row of each board, measured in a separate process."""
    for kind in KINDS:
        for side in sides:
            for given in (True, False):
                call = [sys.executable, __file__, "--one", kind, str(side), str(int(given))]
                done = subprocess.run(call, capture_output=True, text=True, check=True)
                yield json.loads(done.stdout)


def one(kind: str, side: int, given: bool) -> dict[str, object]:
    """Return the row for a board of `side` times `side` cells, with or without its mine total."""
    cells = side * side
    position = KINDS[kind](side, side, cells * 15 // 100, seed=1)
    if not given:
        position = sapper.Position(position.topology, position.cells, None)
    _ = position.topology.graph
    # Building the board has raised the peak memory, so reset it.
    Path("/proc/self/clear_refs").write_text("5")
    before = memory_kb("VmRSS")
    seconds, analysis = timed(lambda: sapper.analyze(position, limit=_LIMIT))
    return {
        "board": f"{side}x{side} {kind}, total {'given' if given else 'left out'}",
        "exact": analysis.exact,
        "seconds_s": seconds,
        "us_per_cell": seconds / cells * 1e6,
        "bytes_per_cell": (memory_kb("VmHWM") - before) * 1024 / cells,
    }


def memory_kb(field: str) -> int:
    """Return a memory figure of this process from Linux: VmRSS (now) or VmHWM (peak)."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.split(f"{field}:")[1].split()[0])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one(sys.argv[2], int(sys.argv[3]), sys.argv[4] == "1")))
    else:
        main()
