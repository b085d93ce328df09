"""Arguments, quantiles and output (a table or JSON), shared by the benchmarks."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np

import sapper

__all__ = ["arguments", "emit", "quantiles", "timed"]


def arguments(
    description: str | None, n: int, more: Mapping[str, int] | None = None
) -> argparse.Namespace:
    """Parse the arguments of every benchmark: ``-n``, ``--json`` and the numbers in ``more``."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-n", type=int, default=n, help=f"positions of each kind ({n})")
    for name, default in (more or {}).items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"({default})")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    return parser.parse_args()


def timed(step: Callable[[], Any]) -> tuple[float, Any]:
    """Return the wall-clock seconds of one call, and its result."""
    start = perf_counter()
    given = step()
    return perf_counter() - start, given


def quantiles(seconds: Sequence[float]) -> dict[str, float]:
    """Return the median, the 99th percentile and the maximum, in seconds."""
    return {
        "median_s": float(np.median(seconds)),
        "p99_s": float(np.quantile(seconds, 0.99)),
        "worst_s": max(seconds),
    }


def emit(rows: Iterable[dict[str, Any]], as_json: bool) -> None:
    """Print the machine, then each row as it is measured; JSON is printed at the end."""
    machine = {
        "sapper": sapper.__version__,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }
    if as_json:
        print(json.dumps({"machine": machine, "rows": list(rows)}))
        return
    print(", ".join(f"{key} {value}" for key, value in machine.items()), flush=True)
    for row in rows:
        # Long benchmarks are often stopped early, so flush to show the finished rows.
        print("  ".join(f"{key} {_shown(key, value)}" for key, value in row.items()), flush=True)


def _shown(key: str, value: Any) -> str:
    if value is None:
        return "-"
    if key.endswith("_s") and isinstance(value, float):
        return f"{value * 1e6:,.1f}us" if value < 1e-3 else f"{value * 1e3:,.2f}ms"
    return f"{value:,.3g}" if isinstance(value, float) else str(value)
