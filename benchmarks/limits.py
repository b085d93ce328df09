"""Measure how well calls keep a time limit and react to Ctrl-C on hostile positions.

Hostile positions are legal, but natural games never reach them: checkerboards, stripes, dots,
boards of one row, empty and dense boards, on every topology; see ``tests/data/hostile``. Every call
that takes a limit gets one of ``SECONDS``; then it runs without a limit and gets Ctrl-C after the
same time. Each position has a separate process. The columns are the slowest position with its
processor time, which does not depend on other programs; the most memory that a call added; and the
most processor time from Ctrl-C to the end of a call that was still running. ``python
benchmarks/limits.py [-n 2] [--json]`` measures n positions of each kind and topology. ``python
benchmarks/limits.py --only NAME SECONDS`` prints the measurements of one position as JSON.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import sapper
from report import arguments, emit
from sapper import Board, Game, Limit, Position
from sapper.errors import SapperError
from sapper.solver import deduce, hint_from, reference
from sapper.solver.search.end_game import EndGame
from sapper.topology import TOPOLOGIES, topology
from sapper.tui.hinting import advice

FILES = Path(__file__).parents[1] / "tests" / "data" / "hostile"
SECONDS = 0.2
GAME = "game_dots_25x25"
"""The game that is reviewed, which takes no limit but can be cancelled."""

Call = Callable[[Position, Limit], object]


def _unopened(position: Position) -> tuple[int, int]:
    return position.unopened_cells()[0]


CALLS: dict[str, Call] = {
    "analyze": lambda p, at: sapper.analyze(p, limit=at).solutions,
    "Solver.analyze": lambda p, at: sapper.Solver().analyze(p, limit=at),
    "reference.analyze": reference.analyze,
    "hint": lambda p, at: sapper.hint(p, limit=at),
    "hint_from": lambda p, at: hint_from(_analysis(p), limit=at),
    "advice": advice,
    "deduce": lambda p, at: deduce(p, _unopened(p), limit=at),
    "conflict": lambda p, at: sapper.conflict(p, limit=at),
    "sample": lambda p, at: sapper.sample(p, n=10, seed=1, limit=at),
    "both_ways": lambda p, at: sapper.both_ways(p, _unopened(p), limit=at),
    "optimal": lambda p, at: sapper.optimal(p, limit=at),
    "EndGame.optimal": lambda p, at: EndGame().optimal(p, limit=at, solutions=2**40),
    "EndGame.cell": lambda p, at: EndGame().cell(p, limit=at, solutions=2**40),
    "win_chance": lambda p, at: sapper.win_chance(p, limit=at),
    "Analysis.win_chance": lambda p, at: _analysis(p).win_chance(samples=10**6, limit=at),
    "outcomes": lambda p, at: sapper.outcomes(p, _unopened(p), sample=True, limit=at),
    "arrange": lambda p, at: sapper.arrange(p, "backtracking", limit=at),
    "arrange exact": lambda p, at: sapper.arrange(p, "exact", limit=at),
    "arrange sat": lambda p, at: sapper.arrange(p, "sat", limit=at),
}
"""Every public call that takes a limit."""

_analyses: dict[Position, sapper.Analysis] = {}


def _analysis(position: Position) -> sapper.Analysis:
    """An analysis computed before the clock starts."""
    if position not in _analyses:
        _analyses[position] = sapper.analyze(position, limit=Limit(seconds=0.1))
    return _analyses[position]


def _pattern(kind: str, row: int, col: int) -> bool:
    """Return whether a cell is open."""
    if kind == "checkers":
        return (row + col) % 2 == 0
    if kind == "stripes":
        return row % 3 == 1
    return kind == "dots" and row % 2 == 0 and col % 2 == 0


def positions(n: int) -> Iterator[tuple[str, Position]]:
    """Yield the name and position of each: first those in files, then n per kind and topology."""
    for path in sorted(FILES.glob("*.txt")):
        yield path.stem, Position.parse(path.read_text())
    for name in TOPOLOGIES:
        for kind in ("checkers", "stripes", "dots", "one row", "empty", "dense"):
            for number in range(n):
                yield f"{name}, {kind} {number}", _made(name, kind, number)


def _made(name: str, kind: str, number: int) -> Position:
    rng = random.Random(f"{name}/{kind}/{number}")
    # Some shapes need an even height, and only rectangles can have a single row.
    width, height = (600, 4) if kind == "one row" else (36, 36)
    if kind == "one row" and name == "rectangle":
        height = 1
    shape = topology(name, width, height)
    density = 0.6 if kind == "dense" else 0.25
    board = Board(shape, bytes(rng.random() < density for _ in range(shape.size)))
    part = {"one row": 0.4, "dense": 0.5}.get(kind, 0.0)
    cells = bytes(
        board.cells[index]
        if not board.mined[index]
        and (rng.random() < part or _pattern(kind, *divmod(index, shape.width)))
        else ord(".")
        for index in range(shape.size)
    )
    if number % 2:
        return Position(shape, cells, density=density)
    return Position(shape, cells, sum(board.mined))


def measured(name: str, position: Position, seconds: float) -> list[dict[str, Any]]:
    """Measure every call on a position."""
    _ = position.topology.graph
    _analysis(position)
    rows = []
    for call, run in CALLS.items():
        before, began = _memory(), process_time()
        try:
            run(position, Limit(seconds=seconds))
            ended = "answered"
        except SapperError as error:
            ended = type(error).__name__
        cpu_s = process_time() - began
        row = {"call": call, "position": name, "cpu_s": cpu_s, "ended": ended}
        rows.append({**row, "mb": (_memory() - before) / 1024})
        rows[-1]["interrupt_s"] = interrupted(run, position, seconds)
    return rows


def interrupted(run: Call, position: Position, seconds: float) -> float | None:
    """Return the processor time from Ctrl-C to the end of a call; None if it ended earlier."""
    pressed: list[float] = []

    def press() -> None:
        pressed.append(process_time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, press)
    try:
        # On a busy machine, the signal may arrive before the call begins.
        timer.start()
        with suppress(SapperError):
            run(position, Limit())
        timer.cancel()
        timer.join()
    except KeyboardInterrupt:
        return process_time() - pressed[0]
    return None


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def reviewed(seconds: float) -> list[dict[str, Any]]:
    """Measure the review of the game."""
    game = Game.from_json(json.loads((FILES / f"{GAME}.json").read_text()))
    before, began = _memory(), process_time()
    sapper.review(game)
    cpu_s, more = process_time() - began, (_memory() - before) / 1024
    row = {"call": "review", "position": GAME, "cpu_s": cpu_s, "ended": "answered", "mb": more}
    stopped = interrupted(lambda *_: sapper.review(game), None, seconds)  # type: ignore[arg-type]
    return [{**row, "interrupt_s": stopped}]


def only(name: str, seconds: float) -> list[dict[str, Any]]:
    """Measure the position with this name and limit."""
    # Shells start background programs with Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if name == GAME:
        return reviewed(seconds)
    return measured(name, next(found for at, found in positions(2) if at == name), seconds)


def main() -> None:
    """Measure and print."""
    if "--only" in sys.argv:
        name, seconds = sys.argv[-2:]
        print(json.dumps(only(name, float(seconds))))
        return
    options = arguments(__doc__, 2)
    rows: list[dict[str, Any]] = []
    for name in [*(name for name, _ in positions(options.n)), GAME]:
        command = [sys.executable, __file__, "--only", name, str(SECONDS)]
        rows += json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    emit(
        [_worst([row for row in rows if row["call"] == call]) for call in [*CALLS, "review"]],
        options.json,
    )


def _worst(rows: list[dict[str, Any]]) -> dict[str, Any]:
    slowest = max(rows, key=lambda row: float(row["cpu_s"]))
    stops = [row["interrupt_s"] for row in rows if row["interrupt_s"] is not None]
    return {
        "call": slowest["call"],
        "positions": len(rows),
        "asked_s": SECONDS,
        "worst_cpu_s": slowest["cpu_s"],
        "on": slowest["position"],
        "most_mb": round(max(row["mb"] for row in rows)),
        "interrupted": len(stops),
        "worst_interrupt_s": max(stops, default=0.0),
    }


if __name__ == "__main__":
    main()
