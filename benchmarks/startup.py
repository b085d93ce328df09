"""Measure the processor time and the modules of a start.

Each start runs in a new process. With ``SAPPER_OTHER_PYTHON``, the path of the Python of another
installation, the starts of both alternate, so that the load of the machine affects both alike.

``python benchmarks/startup.py [-n 9] [--json]``
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from report import arguments, emit

PROGRAM = """
import sys
sys.argv = ["sapper", *{arguments!r}]
from sapper.cli import main
try:
    main()
except SystemExit:
    pass
"""
COUNT = "\nimport sys\nprint(len(sys.modules), file=sys.stderr)"
STARTS = {
    "import sapper": "import sapper",
    "a game": "import sapper; sapper.Game('expert', seed=1)",
    "an analysis": "import sapper; sapper.analyze(sapper.Position.parse('..\\n11', mines=1))",
    "--version": PROGRAM.format(arguments=["--version"]),
    "--help": PROGRAM.format(arguments=["--help"]),
    "hint --help": PROGRAM.format(arguments=["hint", "--help"]),
}


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, 9)
    emit(rows(options.n), options.json)


def rows(n: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each start and installation."""
    pythons = {"this": sys.executable}
    if other := os.environ.get("SAPPER_OTHER_PYTHON"):
        pythons["other"] = other
    for start, code in STARTS.items():
        seconds: dict[str, list[float]] = {name: [] for name in pythons}
        modules = {}
        for _ in range(n):
            for name, python in pythons.items():
                taken, modules[name] = measured(python, code)
                seconds[name].append(taken)
        for name, each in seconds.items():
            yield {
                "start": start,
                "installation": name,
                "least_s": min(each),
                "median_s": statistics.median(each),
                "modules": modules[name],
            }


def measured(python: str, code: str) -> tuple[float, int]:
    """Return the processor time and the number of loaded modules of one start."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([python, "-c", code + COUNT], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return taken, int(run.stderr.split()[-1])


if __name__ == "__main__":
    main()
