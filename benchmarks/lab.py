"""Measure the cost of the lab: games with and without it, and summaries of many rows.

*Bare* is `Match.play` alone. Everything is timed ``--repeats`` times in turn, and the fastest
counts, because other programs can only slow it down. `cpu_of_bare` compares processor time instead,
which other programs affect less; it excludes child processes.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pyarrow as pa

from report import emit, timed
from sapper.lab import run
from sapper.lab.record import Recorder
from sapper.lab.runs import Run
from sapper.lab.spec import Spec
from sapper.lab.store import RunStore, shards_of, whole
from sapper.lab.table import to_table
from sapper.simulation.match import Match

CHUNK = 200


def bare(level: str, n: int) -> None:
    """Play games as `simulate` does."""
    match = Match("exact", level)
    for start in range(0, n, CHUNK):
        match.play(range(start, min(n, start + CHUNK)))


def fastest(steps: dict[str, Callable[[], Any]], repeats: int) -> dict[str, tuple[float, float]]:
    """Return the minimum wall-clock and processor seconds of each step, run in alternation."""
    found = dict.fromkeys(steps, (float("inf"), float("inf")))
    for _ in range(repeats):
        for name, step in steps.items():
            began = process_time()
            wall, _ = timed(step)
            taken = (wall, process_time() - began)
            found[name] = (min(found[name][0], taken[0]), min(found[name][1], taken[1]))
    return found


def overhead(level: str, n: int, repeats: int) -> list[dict[str, Any]]:
    """Return games per second with and without the lab; processes include their start."""
    with tempfile.TemporaryDirectory() as folder:
        places = iter(range(10**6))

        def through(workers: int, *, out: bool) -> Callable[[], Any]:
            def step() -> Any:
                place = Path(folder) / str(next(places)) if out else None
                return run("exact", level, n=n, workers=workers, out=place, seed=1)

            return step

        found = fastest(
            {
                "bare": lambda: bare(level, n),
                "lab": through(1, out=False),
                "lab, kept": through(1, out=True),
                "lab, kept, 2 processes": through(2, out=True),
            },
            repeats,
        )
    return [
        {
            "what": f"{level}, {name}",
            "games": n,
            "games_per_second": n / wall,
            "of_bare": found["bare"][0] / wall,
            "cpu_of_bare": None if "processes" in name else found["bare"][1] / cpu,
        }
        for name, (wall, cpu) in found.items()
    ]


def summary(rows: int, repeats: int) -> list[dict[str, Any]]:
    """Return the seconds to summarise a run with this many rows: real games, repeated."""
    games = to_table(Match("exact", "expert").play(range(min(rows, 2000))))
    spec = Spec(Match("exact", "expert"), 1, rows)
    with tempfile.TemporaryDirectory() as folder:
        store = RunStore(Path(folder) / "run")
        store.begin({**spec.to_json(), "command": ""})
        for shard in shards_of(rows):
            picked = np.arange(len(whole(rows, shard))) % games.num_rows
            store.write_shard(shard, pa.table(games).take(picked).combine_chunks())
        steps: dict[str, Callable[[], Any]] = {
            "resume": lambda: Recorder(spec, store).summary(),
            "tally": lambda: Run.open(store.path).tally,
            "whole table": lambda: Run.open(store.path).table(),
        }
        found = fastest(steps, repeats)
        size = sum(file.stat().st_size for file in store.path.rglob("*.parquet"))
    return [
        {"what": name, "rows": rows, "seconds": wall, "bytes_per_row": size / max(1, rows)}
        for name, (wall, _) in found.items()
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=60_000, help="Beginner games; Expert a 20th")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows to sum up")
    parser.add_argument("--repeats", type=int, default=3, help="times that all is timed")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    args = parser.parse_args()
    rows = overhead("beginner", args.n, args.repeats)
    rows += overhead("expert", max(1, args.n // 20), args.repeats)
    rows += summary(args.rows, args.repeats)
    emit(rows, args.json)


if __name__ == "__main__":
    main()
