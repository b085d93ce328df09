"""Measure the processor time of queries on a large history.

``python benchmarks/history.py [-n 100000] [--json]``: games with invented results and few moves are
added to a file; then statistics, the list and the best games are each queried several times.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from report import arguments, emit, quantiles
from sapper.history import History, Record, Selection, summarize

TIMES = 9


def made_up(number: int, rng: Random) -> Record:
    """Return a game, finished a quarter of an hour after the previous one."""
    won, bbbv = rng.random() < 0.4, rng.randint(80, 250)
    finished_ms = 1_600_000_000_000 + 900_000 * number
    time_ms = rng.randint(5_000, 300_000)
    return Record(
        finished_ms=finished_ms,
        started_ms=finished_ms - time_ms,
        player="",
        bot="",
        rules="classic",
        variant="",
        level=rng.choice(["beginner", "intermediate", "expert"]),
        first_click="safe",
        won=won,
        helped="",
        time_ms=time_ms,
        bbbv=bbbv,
        solved=bbbv if won else rng.randint(0, bbbv),
        clicks=rng.randint(50, 400),
        effective=50,
        forced_guesses=rng.randint(0, 3),
        needless_guesses=rng.randint(0, 2),
        risk=rng.random(),
        moves={"number": number},
    )


def main() -> None:
    """Print one row for each query."""
    options = arguments(__doc__, 100_000)
    rng = Random(1)
    with tempfile.TemporaryDirectory() as folder, History(Path(folder) / "h.sqlite3") as history:
        start = process_time()
        history.add_all(made_up(number, rng) for number in range(options.n))
        rows: list[dict[str, Any]] = [
            {"question": "add all", "games": options.n, "seconds": process_time() - start}
        ]
        expert = Selection(level="expert", helped=False, bot="")
        questions: dict[str, Callable[[], object]] = {
            "statistics of all": lambda: summarize(history),
            "statistics of one level": lambda: summarize(history, expert),
            "latest 50 games": lambda: list(history.records(limit=50)),
            "best 10 games of one level": lambda: list(history.best(expert)),
            "kinds of games": history.kinds,
        }
        for name, ask in questions.items():
            taken = []
            for _ in range(TIMES):
                start = process_time()
                ask()
                taken.append(process_time() - start)
            rows.append({"question": name, "games": options.n, **quantiles(taken)})
    emit(rows, options.json)


if __name__ == "__main__":
    main()
