"""The ratings of players with a name, updated once for each rated round of a room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from sapper.community import Rating, rated_game, rating_list
from sapper.community.ratings import MEETING_DAYS, RATING_RULES, SETTLED_DEVIATION
from sapper.database.connection import Connection
from sapper.server.storage.bans import NOT_BANNED, removed_players
from sapper.server.storage.clocked import Clocked
from sapper.server.storage.feature_tables import alias_of, is_alias
from sapper.server.storage.pages import PAGE_ROWS, first_row, limited_to
from sapper.server.storage.round_ended import RoundEnded

__all__ = [
    "MOST_CHANGES",
    "ListRating",
    "RatedRow",
    "RatingBoard",
    "RatingChange",
    "Ratings",
    "rate",
]

MOST_CHANGES: Final = 500
"""Number of changes of a rating that are kept for its graph."""

_DAY_MS: Final = 86_400_000
_RATING: Final = "rating, deviation, volatility"
_SETTLED: Final = f"""
FROM ratings JOIN accounts ON accounts.player = ratings.player
LEFT JOIN profiles ON profiles.player = ratings.player
WHERE list = ? AND deviation <= {SETTLED_DEVIATION} AND {NOT_BANNED}
"""


class ListRating(NamedTuple):
    """A player's rating in a list.

    Attributes:
        list: The name of the list; see `sapper.community.rating_list`.
        rating: The rating.
        games: Number of rated games.
        changed_ms: The time of the last one.
    """

    list: str
    rating: Rating
    games: int
    changed_ms: int


class RatedRow(NamedTuple):
    """A row of a rating list.

    Attributes:
        place: The place; equal ratings share one.
        player: The player.
        name: The name of the player.
        private: Whether the player's profile is private.
        rated: The rating.
    """

    place: int
    player: str
    name: str
    private: bool
    rated: ListRating


class RatingBoard(NamedTuple):
    """A page of a rating list, without provisional ratings.

    Attributes:
        rows: At most `PAGE_ROWS` rows, best first.
        own: The row of the player who asked, or None.
        players: Number of players on the whole list.
        start: The number of the first row, from 1.
    """

    rows: list[RatedRow]
    own: RatedRow | None
    players: int
    start: int


class RatingChange(NamedTuple):
    """A rating after a game."""

    changed_ms: int
    rating: float
    deviation: float


class Ratings(Clocked):
    """The ratings in a database. Thread-safe.

    Args:
        database: A database with these tables.
        clock: Seconds since 1970.
    """

    def board(
        self,
        name: str,
        *,
        player: str = "",
        among: Sequence[str] | None = None,
        start: int | None = 1,
    ) -> RatingBoard:
        """Return a page of a rating list.

        Args:
            name: Its name; see `sapper.community.rating_list`.
            player: The player who asks, or an empty string.
            among: Only these players (default: all).
            start: The number of the first row, from 1; None for the page around the player's row.
        """
        only, those = limited_to("ratings.player", among)
        ranked = (
            "SELECT * FROM (SELECT ratings.player AS one, name, coalesce(private, 0), list, "
            f"{_RATING}, games, changed_ms, rank() OVER (ORDER BY rating DESC) AS place, "
            "row_number() OVER (ORDER BY rating DESC, ratings.player) AS number "
            f"{_SETTLED}{only}) AS ranked WHERE"
        )
        key = name, self._now_ms(), *those
        with self._database.reading() as db:
            [players] = db.execute(f"SELECT count(*) {_SETTLED}{only}", key).fetchone()
            own = db.execute(f"{ranked} one = ?", (*key, player)).fetchone()
            first = first_row(start, 1 if own is None else own[-1])
            found = db.execute(
                f"{ranked} number BETWEEN ? AND ? ORDER BY number",
                (*key, first, first + PAGE_ROWS - 1),
            ).fetchall()
        rows = [_rated_row(row) for row in found]
        return RatingBoard(rows, None if own is None else _rated_row(own), players, first)

    def lists(self) -> list[str]:
        """Return the names of all rating lists with at least one settled rating."""
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT DISTINCT list FROM ratings JOIN accounts USING (player) "
                "WHERE deviation <= ? ORDER BY list",
                (SETTLED_DEVIATION,),
            ).fetchall()
        return [name for (name,) in rows]

    def of(self, player: str) -> list[ListRating]:
        """Return a player's ratings, by name of the list."""
        with self._database.reading() as db:
            rows = db.execute(
                f"SELECT list, {_RATING}, games, changed_ms FROM ratings WHERE player = ? "
                "ORDER BY list",
                (player,),
            ).fetchall()
        return [ListRating(row[0], Rating(*row[1:4]), row[4], row[5]) for row in rows]

    def changes(self, player: str) -> dict[str, list[RatingChange]]:
        """Return the changes of each of a player's ratings, oldest first."""
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT list, changed_ms, rating, deviation FROM rating_changes "
                "WHERE player = ? ORDER BY list, number",
                (player,),
            ).fetchall()
        found: dict[str, list[RatingChange]] = {}
        for name, *change in rows:
            found.setdefault(name, []).append(RatingChange(*change))
        return found

    def find(self, players: Iterable[str], name: str) -> dict[str, Rating]:
        """Return the ratings of some players in a list, without those who have none."""
        with self._database.reading() as db:
            return {player: row.rating for player, row in _rows(db, players, name).items()}


def rate(db: Connection, ended: RoundEnded) -> None:
    """Update the ratings after a round in the current transaction, unless that was done before.

    Only players with a name are rated, and at least two of them are needed. A player whose account
    was deleted during the round still counts for the others, under an alias.
    """
    if not ended.rated:
        return
    name = rating_list(ended.kind, ended.level, ended.rules)
    new = db.execute(
        "INSERT INTO rated_rounds (id, finished_ms, list, rules) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (id) DO NOTHING",
        (ended.id, ended.finished_ms, name, RATING_RULES),
    )
    named = _named(db, ended.places)
    places = {named[player]: place for player, place in ended.places.items() if player in named}
    if not new.rowcount or len(places) < 2:
        return
    before = _rows(db, places, name)
    after = rated_game(
        {one: before[one].rating if one in before else Rating() for one in places},
        places,
        idle_days={
            one: (ended.finished_ms - row.changed_ms) / _DAY_MS for one, row in before.items()
        },
        meetings=_meetings(db, places, name, ended.finished_ms),
    )
    db.executemany(
        "INSERT INTO rated_places (player, round, place) VALUES (?, ?, ?)",
        [(player, ended.id, place) for player, place in places.items()],
    )
    for player, rating in after.items():
        [games] = db.execute(
            f"INSERT INTO ratings (player, list, {_RATING}, games, changed_ms) "
            "VALUES (?, ?, ?, ?, ?, 1, ?) ON CONFLICT (player, list) DO UPDATE SET "
            "rating = excluded.rating, deviation = excluded.deviation, "
            "volatility = excluded.volatility, games = ratings.games + 1, "
            "changed_ms = excluded.changed_ms RETURNING games",
            (player, name, *_values(rating), ended.finished_ms),
        ).fetchone()
        db.execute(
            "INSERT INTO rating_changes VALUES (?, ?, ?, ?, ?, ?)",
            (player, name, games, rating.rating, rating.deviation, ended.finished_ms),
        )
        db.execute(
            "DELETE FROM rating_changes WHERE player = ? AND list = ? AND number <= ?",
            (player, name, games - MOST_CHANGES),
        )


def _meetings(
    db: Connection, players: Iterable[str], name: str, now_ms: int
) -> dict[frozenset[str], int]:
    """Return how often each pair of players met in a list in the last days."""
    since_ms = now_ms - MEETING_DAYS * _DAY_MS
    rounds = {
        player: {
            round
            for (round,) in db.execute(
                "SELECT round FROM rated_places JOIN rated_rounds ON rated_rounds.id = round "
                "WHERE player = ? AND list = ? AND finished_ms > ?",
                (player, name, since_ms),
            ).fetchall()
        }
        for player in players
    }
    return {
        frozenset(pair): len(rounds[pair[0]] & rounds[pair[1]]) for pair in combinations(rounds, 2)
    }


def _rated_row(row: tuple[Any, ...]) -> RatedRow:
    player, name, private, rating_list, *rating, games, changed_ms, place, _ = row
    rated = ListRating(rating_list, Rating(*rating), games, changed_ms)
    return RatedRow(place, player, name, bool(private), rated)


def _values(rating: Rating) -> tuple[Any, ...]:
    return rating.rating, rating.deviation, rating.volatility


def _named(db: Connection, players: Iterable[str]) -> dict[str, str]:
    """Return the ids of those players who have a name, or the aliases of those who had one."""
    found, removed = {}, removed_players(db)
    for player in players:
        alias = player if is_alias(player) else alias_of(player)
        if db.execute("SELECT 1 FROM accounts WHERE player = ?", (player,)).fetchone():
            found[player] = player
        elif alias in removed:
            found[player] = alias
    return found


def _rows(db: Connection, players: Iterable[str], name: str) -> dict[str, ListRating]:
    """Return the ratings of some players in a list, without those who have none."""
    found = {}
    for player in players:
        row = db.execute(
            f"SELECT {_RATING}, games, changed_ms FROM ratings WHERE player = ? AND list = ?",
            (player, name),
        ).fetchone()
        if row is not None:
            found[player] = ListRating(name, Rating(*row[:3]), row[3], row[4])
    return found
