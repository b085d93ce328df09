"""Finished games in a store, as if a player had just won them on this server."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import Any

from sapper.community import Entry
from sapper.game import Game, Status
from sapper.history import Record
from sapper.server.storage.database import Database
from sapper.server.storage.entries import insert_entries
from sapper.server.storage.round_ended import RoundEnded
from sapper.server.storage.schema import SCHEMA
from sapper.server.storage.store import Change, Store
from sapper.simulation import Match

__all__ = ["end_round", "fill_standings", "finish", "won_game"]


@cache
def won_game(level: str = "beginner", number: int = 0) -> Game:
    """Return a won game; each number gives a different one."""
    match = Match("exact", level)
    games = (match.game(seed) for seed in count(10_000 * number))
    return next(game for game in games if game.status is Status.WON)


def finish(
    store: Store, player: str, game: Game, finished_ms: int, time_ms: int, **fields: Any
) -> Record:
    """Save a game as finished by a player; return its record."""
    record = Record.of_game(game, finished_ms, time_ms=time_ms, measured=False, **fields)
    assert store.commit([Change(player, "{}", None, 0, (), (record,))]) == []
    return record


def end_round(database: Database, ended: RoundEnded) -> None:
    """Record what follows from the result of a round, as the server does when it saves the room."""
    with database.writing() as db:
        SCHEMA.round_ended(db, ended)


def fill_standings(database: Database) -> None:
    """Add rows to those tables of standings that are empty."""
    with database.writing() as db:
        insert_entries(db, [Entry("ann", "a", "classic expert", 1, 2, 3, 4)])
        for row in (
            "bests VALUES ('b', 'all', 'time', 'ann', 2.5, 1, 'a')",
            "public_games VALUES ('id', 'ann', 'a', 1, 0)",
            "profiles VALUES ('ann', 1)",
            "follows VALUES ('ann', 'bert', 1)",
            "ratings VALUES ('ann', 'race expert', 1500.5, 350, 0.06, 1, 1)",
            "rating_changes VALUES ('ann', 'race expert', 1, 1500.5, 350, 1)",
            "rating_starts VALUES ('ann', 'race expert', 1500.5, 350, 1, 1)",
            "rated_rounds VALUES ('r', 1, 'race expert', 2)",
            "rated_places VALUES ('ann', 'r', 1)",
            "tournaments VALUES ('ABCDEF', 'ann', 1, NULL, 2, '{}')",
        ):
            db.execute(f"INSERT INTO {row}")
