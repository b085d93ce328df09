"""Code shared by the fuzz scripts: options, the loop, and the report of a finding.

Each script runs for `--seconds`, with one seed per case, and prints the number of cases. A finding
prints its seed and exits with status 1; `--seed S --cases 1` repeats that case.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Callable
from random import Random
from time import monotonic

__all__ = ["fuzz"]


def fuzz(case: Callable[[Random], None], description: str | None) -> None:
    """Run cases until the time is up."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seconds", type=float, default=900.0, help="how long to run (900)")
    parser.add_argument("--seed", type=int, default=0, help="the first case (0)")
    parser.add_argument("--cases", type=int, help="run only so many cases")
    options = parser.parse_args()
    end, seed = monotonic() + options.seconds, options.seed
    while monotonic() < end and (options.cases is None or seed < options.seed + options.cases):
        try:
            case(Random(seed))
        except Exception:
            traceback.print_exc()
            print(f"finding: --seed {seed} --cases 1")
            sys.exit(1)
        seed += 1
    print(f"{seed - options.seed} cases without a finding")
