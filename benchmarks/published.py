"""Replay the published win rates and print the digest of each run.

``python benchmarks/published.py [--only TEXT] [-n N] [--workers K] [--json]`` runs ``sapper lab
run`` once for each row of `RUNS`. The *digest* covers every value of every game except thinking
times, so one comparison covers all games of a repeated run. ``--only`` limits the runs to those
whose command contains TEXT, and ``-n`` plays only the first N games of each.

``--check`` compares the digests with docs/bot-results.md instead and exits with status 1 if one
differs.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "bot-results.md"
CORNER = "safe --start 0,0"
OPENING = "opening --start 3,3"
REDUCTION = "groups --option probability=false --option last_turns=false"
FIRST = 1000
"""Number of games played of a run that would take hours; the full run begins with the same ones."""
SAME_BOARDS = ("lookahead", "swift", "champion")


def _runs() -> Iterator[str]:
    """Yield the options of each published run, after ``sapper lab run --bot``."""
    yield f"exact --level expert --first-click {CORNER} --seed 1 -n 20000"
    yield f"exact --level expert --first-click {OPENING} --seed 1 -n 10000"
    yield f"exact --level intermediate --first-click {CORNER} --seed 1 -n 20000"
    yield f"exact --level beginner --first-click {CORNER} --seed 1 -n 50000"
    for start in (CORNER, "opening --start 0,0", OPENING):
        for bot in (REDUCTION, "groups", "exact"):
            yield f"{bot} --level expert --first-click {start} --seed 1 -n 4000"
    for bot in SAME_BOARDS:
        for level in ("expert", "intermediate", "beginner"):
            yield f"{bot} --level {level} --first-click {CORNER} --seed 1 -n 4000"
    yield f"lookahead --level expert --first-click {OPENING} --seed 1 -n 4000"
    for level in ("intermediate", "beginner"):
        yield f"exact --level {level} --first-click {CORNER} --seed 1 -n 4000"
    for bot in ("fair-evaluate", "kaboom-sat"):
        yield f"{bot} --level expert --first-click {CORNER} --seed 1 -n 2000"
    anywhere = "--first-click any --start bot --seed 1 -n 1000"
    for density in ("05", "08", "10", "12", "14", "15", "16", "18", "20"):
        yield f"autosweeper --level 20x20@0.{density} {anywhere}"
    for density in ("10", "15", "20"):
        yield f"autosweeper --option sound=true --level 20x20@0.{density} {anywhere}"
    yield f"champion --level expert --first-click {CORNER} --seed 2110000000 -n {FIRST}"
    yield f"champion --level expert --first-click {CORNER} --seed 2140000000 -n {FIRST}"
    yield f"swift --level expert --first-click {CORNER} --seed 2120000000 -n {FIRST}"
    yield f"champion --level expert --first-click {OPENING} --seed 2150000000 -n {FIRST}"
    yield f"swift --level expert --first-click {OPENING} --seed 2130000000 -n 40000"
    for level, start, seed in (
        ("intermediate", CORNER, 2300300000),
        ("intermediate", "opening --start 2,2", 2300500000),
        ("beginner", CORNER, 2300000000),
        ("beginner", "opening --start 2,2", 2300200000),
        ("8x8:10", CORNER, 2300800000),
        ("8x8:10", "opening --start 2,2", 2300700000),
    ):
        games = 100000 if level == "beginner" else FIRST
        yield f"champion --level {level} --first-click {start} --seed {seed} -n {games}"
        yield f"exact --level {level} --first-click {start} --seed {seed} -n 100000"


RUNS = tuple(_runs())


def replay(run: str, games: int | None, workers: int) -> dict[str, Any]:
    """Play one published run, or its first games, and return what ``lab run --json`` prints."""
    options = re.sub(r"-n \d+", f"-n {games}", run) if games else run
    command = [sys.executable, "-m", "sapper", "lab", "run", "--json", "--workers", str(workers)]
    done = subprocess.run(
        [*command, "--bot", *options.split()], check=True, capture_output=True, text=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def row(run: str, result: dict[str, Any]) -> str:
    """Return the row of a run in the table of docs/bot-results.md."""
    low, high = (100 * bound for bound in result["interval"])
    rate = f"{100 * result['win_rate']:.2f} [{low:.2f}, {high:.2f}]"
    return f"| `{run}` | {result['wins']:,} | {rate} | `{result['digest'][:16]}` |"


def main() -> int:
    """Replay the runs and print their rows, or compare them with the published ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("-n", type=int, metavar="N")
    parser.add_argument("--workers", type=int, default=1, metavar="K")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    published = PAGE.read_text("utf-8")
    differ = 0
    for run in (run for run in RUNS if options.only in run):
        result = replay(run, options.n, options.workers)
        line = json.dumps({"run": run, **result}) if options.json else row(run, result)
        if options.check:
            same = row(run, result) in published
            differ += not same
            line = f"{'same' if same else 'DIFFERS'} {line}"
        print(line, flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
