"""Measure the processor time of leaderboards with many games: adding one, and reading the best.

``python benchmarks/leaderboards.py [-n 100000] [--players 5000] [--json]``: all games are on one
leaderboard in an SQLite file, which is the worst case.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from report import arguments, emit, quantiles
from sapper.community import Entry, Measure, Period
from sapper.server.storage.database import Database
from sapper.server.storage.entries import Entries, insert_entries
from sapper.server.storage.sqlite_database import SqliteDatabase

TIMES = 21
BATCH = 1_000
BOARD = "no-guess expert"
DAY_MS = 86_400_000
NOW_MS = 1_700_049_600_000


def main() -> None:
    """Run the benchmark."""
    options = arguments(__doc__, 100_000, {"players": 5_000})
    with tempfile.TemporaryDirectory() as folder:
        database = SqliteDatabase(Path(folder))
        try:
            emit(rows(database, options.n, options.players), options.json)
        finally:
            database.close()


def rows(database: Database, games: int, players: int) -> Iterator[dict[str, Any]]:
    """Fill the database, and yield the time of each query."""
    rng = Random(1)
    with database.writing() as db:
        accounts = [(f"id{n}", f"player{n}", f"Player {n}", 0) for n in range(players)]
        db.executemany("INSERT INTO accounts VALUES (?, ?, ?, ?, NULL)", accounts)
    start = process_time()
    for first in range(0, games, BATCH):
        numbers = range(first, min(games, first + BATCH))
        with database.writing() as db:
            insert_entries(db, [entry(rng, number, players) for number in numbers])
    yield {"question": "add a game", "games": games, "median_s": (process_time() - start) / games}
    entries = Entries(database, lambda: NOW_MS / 1000)
    own = "player1"
    among = [f"player{number}" for number in range(500)]
    questions: dict[str, Callable[[], object]] = {
        "all time": lambda: entries.board(BOARD, Measure.TIME, player=own),
        "this month": lambda: entries.board(BOARD, Measure.SPEED, Period.MONTH, player=own),
        "today": lambda: entries.board(BOARD, Measure.EFFICIENCY, Period.DAY, player=own),
        "500 players": lambda: entries.board(BOARD, Measure.TIME, player=own, among=among),
        "bests of a player": lambda: entries.bests_of(own),
        "names of leaderboards": entries.boards,
    }
    for name, ask in questions.items():
        taken = []
        for _ in range(TIMES):
            start = process_time()
            ask()
            taken.append(process_time() - start)
        yield {"question": name, "games": games, **quantiles(taken)}


def entry(rng: Random, number: int, players: int) -> Entry:
    """Return a random game of the last 60 days."""
    at = NOW_MS - rng.randrange(60 * DAY_MS)
    bbbv = rng.randrange(100, 220)
    figures = rng.randrange(40_000, 300_000), bbbv, bbbv + rng.randrange(200)
    return Entry(f"player{rng.randrange(players)}", f"{number:032x}", BOARD, at, *figures)


if __name__ == "__main__":
    main()
