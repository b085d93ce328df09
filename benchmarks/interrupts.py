"""Measure how soon every command ends after Ctrl-C, and count tracebacks.

Each try starts a command, presses Ctrl-C (SIGINT) at a random moment in its first two seconds, and
measures the time until it ends. A command that ended earlier does not count. ``traceback`` counts
those from Sapper, ``python_start`` those from before the interpreter runs its first line: Python's
own startup (``start_s``, the median of ``python -c pass``). ``python benchmarks/interrupts.py [-n
20] [--first 0] [--json]`` makes n tries of each command; try ``i`` waits for the moment drawn with
seed ``i``, starting with ``--first``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic

from positions import sprinkled
from report import arguments, emit

_TESTS = Path(__file__).parents[1] / "tests"
sys.path.append(str(_TESTS / "fuzz"))

from ending import run_program  # noqa: E402  # the fuzz scripts' own helper

SCREEN = _TESTS / "data" / "screens" / "xbomb-20-lost.png"
SOON_S, LONGEST_S, LATEST_S = 0.3, 20.0, 2.0

LAB = ["-n", "1000000", "--level", "expert"]
COMMANDS: dict[str, list[str]] = {
    "analyze": ["analyze", "wide.txt", "--seconds", "60"],
    "hint": ["hint", "wide.txt", "--seconds", "60"],
    "arrange backtracking": ["arrange", "wide.txt", "--method", "backtracking"],
    "arrange exact": ["arrange", "wide.txt", "--method", "exact"],
    "arrange sat": ["arrange", "wide.txt", "--method", "sat"],
    "generate": ["generate", "--level", "expert", "-n", "1000000"],
    "generate no-guess": ["generate", "--level", "30x24:170", "--no-guess", "-n", "1000"],
    "read": ["read", str(SCREEN)],
    "bench": ["bench"],
    "lab run, 1 worker": ["lab", "run", *LAB, "--bot", "groups", "--workers", "1", "--out", "one"],
    "lab run, 2 workers": ["lab", "run", *LAB, "--bot", "groups", "--workers", "2", "--out", "two"],
    "lab run, native": ["lab", "run", *LAB, "--workers", "1"],
    "lab compare": ["lab", "compare", "groups", "exact", *LAB, "--workers", "1"],
    "lab sweep": ["lab", "sweep", "--density", "0.1:0.2:0.05", "-n", "100000", "--workers", "1"],
    "play": ["play", "--port", "0", "--no-browser"],
}


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, 20, {"first": 0})
    seeds = range(options.first, options.first + options.n)
    rows = [row(name, command, seeds) for name, command in COMMANDS.items()]
    total: dict[str, object] = {"command": "all"}
    for key in ("tries", "soon", "traceback", "python_start"):
        total[key] = sum(int(str(one[key])) for one in rows)
    total["worst_s"] = max(float(str(one["worst_s"])) for one in rows)
    total["start_s"] = python_start()
    emit([*rows, total], options.json)


def row(name: str, command: list[str], seeds: range) -> dict[str, object]:
    """Interrupt one run of a command for each seed."""
    ends = [end for seed in seeds if (end := interrupted(command, Random(f"{name} {seed}")))]
    return {
        "command": name,
        "tries": len(ends),
        "soon": sum(seconds <= SOON_S for seconds, _ in ends),
        "traceback": sum("sapper/" in told for _, told in ends),
        "python_start": sum("sapper/" not in told for _, told in ends if "Traceback" in told),
        "worst_s": max((seconds for seconds, _ in ends), default=0.0),
    }


def interrupted(command: list[str], rng: Random) -> tuple[float, str] | None:
    """Return the seconds from Ctrl-C to the end, and the traceback; None if it ended earlier."""
    with tempfile.TemporaryDirectory() as folder:
        wide = sprinkled(100, 100, 2000, rng.randrange(100), part=0.3)
        (Path(folder) / "wide.txt").write_text(f"{wide}\n")
        env = {"SAPPER_HOME": folder}
        ended = run_program(
            command,
            folder,
            env,
            interrupt_s=rng.uniform(0.0, LATEST_S),
            longest_s=LONGEST_S,
            discard_output=True,
        )
    if ended.after_s is None:
        return None
    crashed = "Traceback" in ended.err or "Exception ignored" in ended.err
    return ended.after_s, ended.err if crashed else ""


def python_start() -> float:
    """Return the median time to start and end Python."""
    times = []
    for _ in range(5):
        began = monotonic()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        times.append(monotonic() - began)
    return median(times)


if __name__ == "__main__":
    main()
