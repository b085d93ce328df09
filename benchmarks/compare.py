"""Compare the speed of this version with another, in alternation.

    python benchmarks/compare.py CHECKOUT PYTHON [--pairs 21] [--only TEXT ...] [--json]

CHECKOUT is a checkout of the other version, and PYTHON the interpreter of an environment where it
is installed. Each version runs the tasks of ``compare_tasks.py`` in a separate process, with the
helpers from that version's benchmarks. Both share one core and take turns in blocks of about 0.2
seconds. The ratio of a pair of blocks is the processor time of this version divided by that of the
other, child processes included; the median and the quartiles of all pairs are printed. The
processes are replaced twice, because memory layout also affects times. `same` is whether both
versions returned the same results. Ctrl-C ends the comparison early and reports the pairs measured
so far.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BLOCK_S = 0.2
PROCESSES = 3

Pairs = dict[str, list[tuple[float, float]]]
Agreed = dict[str, bool]


class Version:
    """A process that runs tasks with one version.

    Args:
        python: The interpreter of its environment.
        checkout: Its checkout.
    """

    def __init__(self, python: str, checkout: Path) -> None:
        command = [python, str(HERE / "compare.py"), "--serve", str(checkout / "benchmarks")]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, task: str, times: int) -> tuple[float, float, str]:
        """Run a task several times; return the mean measured time, total time and result."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([task, times]), file=self._process.stdin, flush=True)
        seconds, spent, result = json.loads(self._process.stdout.readline())
        return float(seconds), float(spent), str(result)

    def __enter__(self) -> Version:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def measured(others: tuple[str, Path], tasks: list[str], pairs: int) -> tuple[Pairs, Agreed]:
    """Return, for each task, the seconds of each pair and whether the results agreed."""
    found: Pairs = defaultdict(list)
    same: Agreed = {}
    with suppress(KeyboardInterrupt):
        _measure(others, tasks, pairs, found, same)
    return found, same


def _measure(
    others: tuple[str, Path], tasks: list[str], pairs: int, found: Pairs, same: Agreed
) -> None:
    for turn in range(PROCESSES):
        if not (number := len(range(turn, pairs, PROCESSES))):
            return
        with Version(*others) as old, Version(sys.executable, HERE.parent) as new:
            for task in tasks:
                _, spent, expected = old.run(task, 1)
                same[task] = new.run(task, 1)[2] == expected and same.get(task, True)
                times = max(1, round(BLOCK_S / spent))
                for pair in range(number):
                    order = (old, new) if pair % 2 else (new, old)
                    taken = {version: version.run(task, times)[0] for version in order}
                    found[task].append((taken[old], taken[new]))


def rows(found: Pairs, same: Agreed) -> Iterator[dict[str, Any]]:
    """Yield the row of each task."""
    import numpy as np

    for task, pairs in found.items():
        old, new = np.array(pairs).T
        low, middle, high = np.quantile(new / old, [0.25, 0.5, 0.75])
        yield {
            "task": task,
            "other_s": float(np.median(old)),
            "this_s": float(np.median(new)),
            "ratio": f"{middle:.3f}",
            "quartiles": f"{low:.3f} to {high:.3f}",
            "pairs": len(pairs),
            "same": same[task],
        }


def serve(benchmarks: str) -> None:
    """Run the tasks named on stdin, with the helpers of a version's benchmarks."""
    sys.path[:1] = [benchmarks, str(HERE)]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    from compare_tasks import TASKS, Seconds

    ready: dict[str, Any] = {}
    for line in sys.stdin:
        name, times = json.loads(line)
        if name not in ready:
            ready[name] = TASKS[name]()
            ready[name]()
        step = ready[name]
        gc.collect()
        seconds = spent = 0.0
        for _ in range(times):
            started = _processor_s()
            result = step()
            own = _processor_s() - started
            spent += own
            seconds += result if isinstance(result, Seconds) else own
        print(json.dumps([seconds / times, spent / times, repr(result)]), flush=True)


def _processor_s() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Measure and print."""
    if sys.argv[1] == "--serve":
        serve(sys.argv[2])
        return
    from compare_tasks import TASKS
    from report import emit

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkout", type=Path, help="a checkout of the other version")
    parser.add_argument("python", help="the interpreter where the other version is installed")
    parser.add_argument("--pairs", type=int, default=21, help="pairs of blocks per task (21)")
    parser.add_argument("--only", nargs="*", default=[""], help="tasks whose names contain these")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args()
    tasks = [name for name in TASKS if any(text in name for text in options.only)]
    emit(rows(*measured((options.python, options.checkout), tasks, options.pairs)), options.json)


if __name__ == "__main__":
    main()
