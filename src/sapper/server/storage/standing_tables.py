"""The tables of leaderboards, public games, ratings, profiles and follow lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sapper.database.connection import Connection
from sapper.database.tables import Export, Table
from sapper.server.storage.entries import (
    PUBLIC,
    entries_in,
    forget_erased,
    insert_entries,
    prune_bests,
    rebuild,
)
from sapper.server.storage.feature_tables import Erased, FeatureTables, Pruning, Saved
from sapper.server.storage.ratings import rate

__all__ = ["TABLES"]

SCHEMA: Final = """
-- Won games that count for leaderboards.
CREATE TABLE IF NOT EXISTS entries (
    player TEXT NOT NULL,
    game TEXT NOT NULL,
    board TEXT NOT NULL,
    finished_ms INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    bbbv INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    -- The id of its public page.
    link TEXT NOT NULL,
    -- Why the operator has withdrawn it, or NULL.
    withdrawn TEXT,
    -- The figures for fair play as JSON, empty if they cannot be computed, NULL until they are.
    figures TEXT,
    PRIMARY KEY (player, game)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS entries_by_link ON entries (link);
CREATE UNIQUE INDEX IF NOT EXISTS entries_of_days ON entries (player, board)
WHERE substr(board, 1, 6) = 'daily ';
CREATE INDEX IF NOT EXISTS entries_to_measure ON entries (finished_ms) WHERE figures IS NULL;
-- The best entry of each player with a name, by board, period and measure, where the lowest
-- value is the best. Derived from `entries`, so that a leaderboard is a range of an index.
CREATE TABLE IF NOT EXISTS bests (
    board TEXT NOT NULL,
    period TEXT NOT NULL,
    measure TEXT NOT NULL,
    player TEXT NOT NULL,
    value REAL NOT NULL,
    finished_ms INTEGER NOT NULL,
    game TEXT NOT NULL,
    PRIMARY KEY (board, period, measure, player)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS bests_in_order ON bests (
    board, period, measure, value, finished_ms, game
);
CREATE INDEX IF NOT EXISTS bests_by_player ON bests (player, period);
-- Games that their players have shared.
CREATE TABLE IF NOT EXISTS public_games (
    id TEXT PRIMARY KEY,
    player TEXT NOT NULL,
    game TEXT NOT NULL,
    shared_ms INTEGER NOT NULL,
    listed INTEGER NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS public_games_by_game ON public_games (player, game);
-- The profiles whose owners have changed a setting.
CREATE TABLE IF NOT EXISTS profiles (
    player TEXT PRIMARY KEY,
    private INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS follows (
    player TEXT NOT NULL,
    followed TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (player, followed)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS follows_by_followed ON follows (followed);
CREATE TABLE IF NOT EXISTS ratings (
    player TEXT NOT NULL,
    list TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    games INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    PRIMARY KEY (player, list)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ratings_in_order ON ratings (list, rating);
CREATE TABLE IF NOT EXISTS rating_changes (
    player TEXT NOT NULL,
    list TEXT NOT NULL,
    number INTEGER NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    changed_ms INTEGER NOT NULL,
    PRIMARY KEY (player, list, number)
) WITHOUT ROWID;
-- The rounds that have been rated, so that each is rated once.
CREATE TABLE IF NOT EXISTS rated_rounds (
    id TEXT PRIMARY KEY,
    finished_ms INTEGER NOT NULL
);
"""

ROUNDS: Final = """
-- What is needed to compute every list again: the list and the version of the rules of each rated
-- round, and the places of its players. A round rated before version 12 has neither.
ALTER TABLE rated_rounds ADD COLUMN list TEXT NOT NULL DEFAULT '';
ALTER TABLE rated_rounds ADD COLUMN rules INTEGER NOT NULL DEFAULT 1;
CREATE TABLE IF NOT EXISTS rated_places (
    player TEXT NOT NULL,
    round TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (player, round)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rated_places_by_round ON rated_places (round);
"""

STARTS: Final = """
-- The ratings of players before the rounds that are stored, where earlier ones are lost.
CREATE TABLE IF NOT EXISTS rating_starts (
    player TEXT NOT NULL,
    list TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    games INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    PRIMARY KEY (player, list)
) WITHOUT ROWID;
"""


def _followed(db: Connection, player: str) -> list[dict[str, Any]]:
    """Return the names of the players whom a player follows."""
    found = db.execute(
        "SELECT name, since_ms FROM follows JOIN accounts ON accounts.player = followed "
        "WHERE follows.player = ? ORDER BY since_ms, name",
        (player,),
    )
    return [{"name": name, "since_ms": since_ms} for name, since_ms in found.fetchall()]


def _places(db: Connection, player: str) -> list[dict[str, Any]]:
    """Return a player's places in rated rounds."""
    found = db.execute(
        "SELECT list, finished_ms, place FROM rated_places "
        "LEFT JOIN rated_rounds ON rated_rounds.id = round WHERE player = ? "
        "ORDER BY finished_ms, round",
        (player,),
    )
    return [dict(zip(("list", "finished_ms", "place"), row, strict=True)) for row in found]


def _hide_places(db: Connection, erased: Erased) -> None:
    """Replace a player in rated rounds and lists, from which the ratings of the others follow.

    A round may still be running, and its other players must be compared with this one.
    """
    for table in ("rated_places", "ratings"):
        db.execute(f"DELETE FROM {table} WHERE player = ?", (erased.alias,))
        sql = f"UPDATE {table} SET player = ? WHERE player = ?"
        db.execute(sql, (erased.alias, erased.player))


def _add_entries(db: Connection, changes: Sequence[Saved]) -> None:
    """Add the entries among games that are being saved."""
    insert_entries(db, [entry for one in changes for entry in entries_in(*one)])


def _prune(db: Connection, pruning: Pruning) -> None:
    """Delete the best entries of periods that no leaderboard shows."""
    prune_bests(db, pruning.now_ms)


_STANDING: Final = Export("standing.json")

TABLES: Final = FeatureTables(
    {8: SCHEMA, 12: ROUNDS, 13: STARTS},
    (
        Table("entries", ("player",), export=_STANDING),
        Table(
            "bests",
            ("player",),
            not_exported="it is derived from the entries, which are exported",
        ),
        Table("public_games", ("player",), export=_STANDING),
        Table("profiles", ("player",), export=_STANDING),
        Table("follows", ("player", "followed"), export=Export("standing.json", _followed)),
        Table("ratings", ("player",), mentions=("player",), export=_STANDING),
        Table("rating_changes", ("player",), export=_STANDING),
        Table("rating_starts", ("player",), export=_STANDING),
        Table("rated_rounds"),
        Table("rated_places", mentions=("player",), export=Export("standing.json", _places)),
    ),
    # From now on, the games of the former guest count for leaderboards.
    on_claim=rebuild,
    on_erase=_hide_places,
    on_games_erased=forget_erased,
    on_saved=_add_entries,
    on_round=rate,
    on_prune=_prune,
    kept_games=PUBLIC,
)
