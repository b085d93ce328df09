"""Measure no-guess boards per second and core, by both methods and by two other generators.

Boards are generated from Python, with an opening in the centre of the board and seeds counting from
0. Every row runs for the same time and tries at least one board. Times are processor time, so that
other load has little effect; `boards_a_second` includes failures. Only sgt-mines is timed by wall
clock. *Read* includes writing the proof.

``python benchmarks/noguess.py [--seconds 3] [--levels 9x9:10 ...] [--json]``. For comparison: Simon
Tatham's Mines (``sgt-mines``, from Debian's sgt-puzzles) and ms_toollib (extra ``bench``) do not
accept seeds. ms_toollib generates by rejection, with up to 1000 boards per try, and by repair,
which sometimes fails.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from time import perf_counter, process_time
from typing import Any

from report import emit, quantiles
from sapper.errors import LimitReached
from sapper.generation import Logic, Method, generate
from sapper.rules import Level

try:
    import ms_toollib
except ImportError:  # pragma: no cover
    ms_toollib = None

LEVELS = (
    "9x9:10",
    "16x16:40",
    "30x16:99",
    "30x16:150",
    "30x16:170",
    "30x16:200",
    "50x50:500",
    "100x100:2000",
)
# Levels where rejection finds boards that need only easy logic in a reasonable time.
EASY = LEVELS[:3]
_REJECTIONS = 1000
# Debian installs games in a directory that is not on every PATH.
_TATHAM = shutil.which("sgt-mines") or shutil.which("/usr/games/sgt-mines")

Row = dict[str, Any]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds for every row (3)")
    parser.add_argument("--levels", nargs="+", default=LEVELS, help="levels to take")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args()
    emit(measured(options.levels, options.seconds), options.json)


def measured(levels: Iterable[str], seconds: float) -> Iterator[Row]:
    """Yield the row of each generator on each level as it is measured."""
    for text in levels:
        for maker, measure in makers(Level.parse(text), text in EASY):
            yield {"board": text, "maker": maker, **measure(seconds)}


def makers(level: Level, easy: bool) -> Iterator[tuple[str, Callable[[float], Row]]]:
    """Return every generator of boards of a level, by name."""
    for method in Method:
        for logic in Logic:
            if method is Method.FAST or easy or logic is Logic.TOTAL:
                yield f"sapper {method}, {logic}", partial(ours, level, method, logic)
    yield "sapper fast, total, read", partial(ours, level, Method.FAST, Logic.TOTAL, read=True)
    yield "sgt-mines", partial(tathams, level)
    yield "ms_toollib rejection", partial(toollibs, level, repair=False)
    yield "ms_toollib repair", partial(toollibs, level, repair=True)


def ours(level: Level, method: Method, logic: Logic, seconds: float, *, read: bool = False) -> Row:
    """Return the row for `generate`."""
    start = (level.height // 2, level.width // 2)
    made: list[float] = []
    failed = 0
    began = before = process_time()
    deadline = before + seconds
    while not (made or failed) or before < deadline:
        # After a failure, continue with the next seed.
        seed = len(made) + failed
        run = generate(level, 2**32, start=start, seed=seed, no_guess=logic, method=method)
        try:
            for board in run:
                if read:
                    assert board.proof is not None
                    _ = board.proof.steps
                now = process_time()
                made.append(now - before)
                before = now
                if now > deadline:
                    break
        except LimitReached:
            failed += 1
            before = process_time()
    return _row(made, failed, process_time() - began, f"0-{len(made) + failed - 1}")


def toollibs(level: Level, seconds: float, *, repair: bool) -> Row:
    """Return the row for ms_toollib, by repair or by rejection."""
    if ms_toollib is None:
        return {"missing": "ms_toollib is not installed (extra: bench)"}
    assert level.mines is not None
    row, col = level.height // 2, level.width // 2
    request = (level.height, level.width, level.mines, row, col)
    made: list[float] = []
    failed = 0
    began = before = process_time()
    deadline = before + seconds
    while not (made or failed) or before < deadline:
        if repair:
            _, solved = ms_toollib.laymine_solvable_adjust(*request)
        else:
            _, solved = ms_toollib.laymine_solvable(*request, _REJECTIONS)
        now = process_time()
        if solved:
            made.append(now - before)
        else:
            failed += 1
        before = now
    return _row(made, failed, process_time() - began, "none")


def tathams(level: Level, seconds: float) -> Row:
    """Return the row for sgt-mines, which prints one board per line until stopped."""
    if _TATHAM is None or shutil.which("stdbuf") is None:
        return {"missing": "sgt-mines is not installed (Debian: sgt-puzzles)"}
    text = f"{level.width}x{level.height}n{level.mines}"
    # Use line buffering, because each line is timed when it arrives.
    call = ["stdbuf", "-oL", _TATHAM, "--generate", "1000000000", text]
    made: list[float] = []
    began, before = _children_s(), perf_counter()
    # Without a display, the program prints a warning but still generates boards.
    running = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    # The benchmark does not wait for a very slow board, but counts the time spent on it.
    timer = threading.Timer(10 * seconds + 10, running.send_signal, [signal.SIGKILL])
    timer.start()
    assert running.stdout is not None
    deadline = before + seconds
    with running:
        for _ in running.stdout:
            now = perf_counter()
            made.append(now - before)
            before = now
            if now > deadline:
                break
        timer.cancel()
        running.kill()
    return _row(made, 0, _children_s() - began, "its own")


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _row(made: list[float], failed: int, processor_s: float, seeds: str) -> Row:
    row: Row = {"seeds": seeds, "boards": len(made), "failed": failed}
    row["boards_a_second"] = len(made) / processor_s
    return {**row, **quantiles(made)} if made else row


if __name__ == "__main__":
    main()
