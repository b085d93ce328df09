"""Measure how much of the logic of Expert games the patterns explain, and how fast they are found.

No-guess boards are played from their start, and boards that need guesses as by the bot ``exact``,
from the first cell on; see `sapper.coach.patterns.coverage`. ``named_at_stops`` is the share of the
cells proved where single numbers end that `explanations` names, in every tenth game. There is a row
for each family, with its share of the deductions that need more than one number, and one for each
of the most frequent pictures without a name. ``python benchmarks/patterns.py [-n 2000]
[--exact 200] [--jobs 1] [--pictures 10] [--json]``; game ``i`` has seed ``i``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from time import process_time
from typing import Any

import sapper
from report import arguments, emit, quantiles
from sapper.coach.patterns import patterns, recognise
from sapper.coach.patterns.coverage import Coverage, play
from sapper.generation import generate

LEVEL = "expert"
_AT_ONCE = 100
"""Games of one task of a worker process."""


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, 2000, {"exact": 200, "jobs": 1, "pictures": 10})
    exact = min(options.exact, options.n)
    emit(measured(options.n, exact, options.jobs, options.pictures), options.json)


def measured(games: int, exact: int, jobs: int, pictures: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of both kinds of games, and the speed of recognition."""
    for kind, n in (("no-guess", games), ("exact bot", exact)):
        yield from rows(kind, covered(kind, n, jobs), pictures)
    positions = list(midgame(min(games, 200)))
    # The first call reads the patterns.
    recognise(positions[0])
    seconds = [used(partial(recognise, position)) for position in positions]
    yield {"recognise": LEVEL, "positions": len(seconds), **quantiles(seconds)}


def used(step: Callable[[], object]) -> float:
    """Return the processor time of the fastest of three calls, in seconds."""
    times = []
    for _ in range(3):
        start = process_time()
        step()
        times.append(process_time() - start)
    return min(times)


def covered(kind: str, n: int, jobs: int) -> Coverage:
    """Return the counts of the games with seeds 0 to n - 1."""
    total = Coverage()
    tasks = [(kind, first, min(_AT_ONCE, n - first)) for first in range(0, n, _AT_ONCE)]
    if jobs < 2:
        for task in tasks:
            total.add(part(task))
        return total
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for found in pool.map(part, tasks):
            total.add(found)
    return total


def part(task: tuple[str, int, int]) -> Coverage:
    """Return the counts of games with consecutive seeds."""
    kind, first, n = task
    total = Coverage()
    if kind == "no-guess":
        boards = generate(LEVEL, n, seed=first, no_guess="total")
    else:
        boards = generate(LEVEL, n, seed=first, start=(0, 0))
    for made in boards:
        every_tenth = made.seed % 10 == 0
        total.add(play(made.board, made.start, guess=kind != "no-guess", at_stops=every_tenth))
    return total


def rows(kind: str, found: Coverage, pictures: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of one kind of games."""
    every = found.deductions
    low, high = found.share_interval
    yield {
        "games": kind,
        "n": found.games,
        "single_numbers": found.single,
        "deductions": every,
        "explained": round(found.share, 5),
        "low": round(low, 5),
        "high": round(high, 5),
        "stops": found.stops,
        "stops_explained": round(found.stops_explained / max(1, found.stops), 5),
        "named_at_stops": round(found.named / max(1, found.proved), 5),
        "guesses": found.guesses,
    }
    families: Counter[str] = Counter()
    for pattern, count in found.explained.items():
        families[str(patterns()[pattern].family)] += count
    for family, count in families.most_common():
        yield {"games": kind, "family": family, "deductions": count, "share": count / every}
    for picture, count in found.unexplained.most_common(pictures):
        shown = " / ".join(picture)
        yield {"games": kind, "without a name": shown, "deductions": count, "share": count / every}


def midgame(n: int) -> Iterator[sapper.Position]:
    """Yield positions of games halfway through."""
    for made in generate(LEVEL, n, seed=0, no_guess="total"):
        game = sapper.Game(LEVEL, rules="no-guess", seed=made.seed)
        game.open(made.start)
        while not game.over and len(game.position.unopened_cells()) > 240:
            for cell in sorted(sapper.analyze(game.position).safe)[:5]:
                game.open(cell)
        if not game.over:
            yield game.position


if __name__ == "__main__":
    main()
