"""Compute all ratings again from the rounds that are stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from typing import Any, Final, NamedTuple

from sapper.community import Rating, rated_game, rating_list
from sapper.community.ratings import MEETING_DAYS, RATING_RULES, SETTLED_DEVIATION
from sapper.database.connection import Connection
from sapper.history.tables import Tables
from sapper.server.storage.feature_tables import is_alias
from sapper.server.storage.ratings import MOST_CHANGES, RatingChange

__all__ = [
    "ListReport",
    "RatedRound",
    "Recomputation",
    "Replayed",
    "Start",
    "recompute",
    "replay",
    "rounds_in",
    "starts_in",
]

_DAY_MS: Final = 86_400_000
_PLAUSIBLE: Final = range(1000, 2001)
"""Ratings that are kept where the rounds behind them are lost; others start again."""
_UNCERTAIN: Final = 200.0
"""The least deviation of such a rating."""
assert _UNCERTAIN > SETTLED_DEVIATION

Key = tuple[str, str]
"""A player and a list."""


class RatedRound(NamedTuple):
    """A rated round.

    Attributes:
        id: Its id.
        list: The rating list.
        finished_ms: The time of its end in milliseconds since 1970.
        places: The place of each player with a name.
    """

    id: str
    list: str
    finished_ms: int
    places: dict[str, int]


class Start(NamedTuple):
    """A rating from before the stored rounds.

    Attributes:
        rating: The rating.
        games: Number of rated games until then, whose rounds are lost.
        changed_ms: The time of the last one.
    """

    rating: Rating
    games: int
    changed_ms: int


class Replayed(NamedTuple):
    """A round with the ratings of its players before and after it."""

    round: RatedRound
    before: dict[str, Rating]
    after: dict[str, Rating]


class ListReport(NamedTuple):
    """The effect of a recomputation on a list.

    Attributes:
        list: The name of the list.
        rounds: Number of stored rounds.
        players: Number of rated players.
        changed: Number of players whose rating changes by at least half a point.
        lost: Number of players some of whose rounds are not stored.
        player: The name of the player with the largest change; empty without a change.
        before: The rating of that player before.
        after: The same afterwards.
    """

    list: str
    rounds: int
    players: int
    changed: int
    lost: int
    player: str
    before: float
    after: float


class Recomputation(NamedTuple):
    """The result of a recomputation.

    Attributes:
        recovered: Number of rounds whose places were read from their recordings.
        lists: What changes, by name of the list.
    """

    recovered: int
    lists: list[ListReport]


class _DryRun(Exception):
    """Rolls a transaction back."""


def recompute(database: Tables, *, dry_run: bool = False) -> Recomputation:
    """Compute every rating again from its rounds, in one transaction.

    Repeating it changes nothing. Where rounds are lost, a player starts from the rating after them,
    with a large deviation, or from that of a new player if the rating is out of range.

    Args:
        database: A database with these tables.
        dry_run: Whether to report the changes without making them.
    """
    found: Recomputation | None = None
    with suppress(_DryRun), database.writing() as db:
        found = _recompute(db)
        if dry_run:
            raise _DryRun
    assert found is not None
    return found


def rounds_in(db: Connection) -> list[RatedRound]:
    """Return the rated rounds with at least two players, in the order of their ends."""
    places: dict[str, dict[str, int]] = {}
    for round_, player, place in db.execute(
        "SELECT round, player, place FROM rated_places ORDER BY round, place, player"
    ).fetchall():
        places.setdefault(round_, {})[player] = place
    rows = db.execute(
        "SELECT id, list, finished_ms FROM rated_rounds ORDER BY finished_ms, id"
    ).fetchall()
    return [
        RatedRound(id_, name, finished_ms, places[id_])
        for id_, name, finished_ms in rows
        if len(places.get(id_, ())) > 1
    ]


def starts_in(db: Connection) -> dict[Key, Start]:
    """Return the ratings that players had before the stored rounds."""
    rows = db.execute(
        "SELECT player, list, rating, deviation, games, changed_ms FROM rating_starts"
    ).fetchall()
    return {(row[0], row[1]): Start(Rating(row[2], row[3]), row[4], row[5]) for row in rows}


def replay(
    rounds: Iterable[RatedRound], starts: Mapping[Key, Start] | None = None
) -> Iterator[Replayed]:
    """Yield each round with the ratings before and after it.

    Args:
        rounds: The rounds, in order.
        starts: The ratings before them (default: all players are new).
    """
    ratings: dict[Key, Rating] = {}
    changed: dict[Key, int] = {}
    for key, start in (starts or {}).items():
        ratings[key], changed[key] = start.rating, start.changed_ms
    met: dict[tuple[str, frozenset[str]], list[int]] = {}
    for each in rounds:
        keys = {player: (player, each.list) for player in each.places}
        before = {player: ratings.get(key, Rating()) for player, key in keys.items()}
        pairs = [frozenset(pair) for pair in combinations(each.places, 2)]
        since_ms = each.finished_ms - MEETING_DAYS * _DAY_MS
        meetings = {}
        for pair in pairs:
            recent = [at for at in met.get((each.list, pair), ()) if at > since_ms]
            meetings[pair] = len(recent)
            met[each.list, pair] = [*recent, each.finished_ms]
        after = rated_game(
            before,
            each.places,
            idle_days={
                player: (each.finished_ms - changed[key]) / _DAY_MS
                for player, key in keys.items()
                if key in changed
            },
            meetings=meetings,
        )
        for player, key in keys.items():
            ratings[key], changed[key] = after[player], each.finished_ms
        yield Replayed(each, before, after)


def _recompute(db: Connection) -> Recomputation:
    recovered = _recover(db)
    rounds = rounds_in(db)
    old: dict[Key, tuple[float, int]] = {
        (player, name): (rating, games)
        for player, name, rating, games in db.execute(
            "SELECT player, list, rating, games FROM ratings"
        ).fetchall()
    }
    counts: dict[Key, int] = {}
    for each in rounds:
        for player in each.places:
            counts[player, each.list] = counts.get((player, each.list), 0) + 1
    _note_starts(db, old, counts)
    starts = starts_in(db)
    changes: dict[Key, list[RatingChange]] = {}
    ratings = {key: start.rating for key, start in starts.items()}
    for done in replay(rounds, starts):
        for player, rating in done.after.items():
            if is_alias(player):
                continue
            key = player, done.round.list
            ratings[key] = rating
            change = RatingChange(done.round.finished_ms, rating.rating, rating.deviation)
            changes.setdefault(key, []).append(change)
    _write(db, ratings, changes, starts)
    db.execute("UPDATE rated_rounds SET rules = ? WHERE list <> ''", (RATING_RULES,))
    names = dict(db.execute("SELECT player, name FROM accounts").fetchall())
    return Recomputation(recovered, _reports(rounds, old, ratings, starts, names))


def _write(
    db: Connection,
    ratings: Mapping[Key, Rating],
    changes: Mapping[Key, list[RatingChange]],
    starts: Mapping[Key, Start],
) -> None:
    db.execute("DELETE FROM ratings")
    db.execute("DELETE FROM rating_changes")
    for key, rating in ratings.items():
        made, start = changes.get(key, []), starts.get(key)
        lost = 0 if start is None else start.games
        changed_ms = made[-1].changed_ms if made or start is None else start.changed_ms
        db.execute(
            "INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*key, *_values(rating), lost + len(made), changed_ms),
        )
        numbered = list(enumerate(made, start=lost + 1))[-MOST_CHANGES:]
        if numbered:
            db.executemany(
                "INSERT INTO rating_changes VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (*key, number, one.rating, one.deviation, one.changed_ms)
                    for number, one in numbered
                ],
            )


def _values(rating: Rating) -> tuple[float, float, float]:
    return rating.rating, rating.deviation, rating.volatility


def _note_starts(
    db: Connection, old: Mapping[Key, tuple[float, int]], counts: Mapping[Key, int]
) -> None:
    """Store the ratings of players with lost rounds, so that a recomputation can be repeated."""
    known = starts_in(db)
    for key, (_, games) in old.items():
        lost = games - counts.get(key, 0)
        if lost <= 0 or key in known:
            continue
        row = db.execute(
            "SELECT rating, deviation, changed_ms FROM rating_changes "
            "WHERE player = ? AND list = ? AND number <= ? ORDER BY number DESC LIMIT 1",
            (*key, lost),
        ).fetchone() or (0.0, 0.0, 0)
        rating, deviation, changed_ms = row
        is_plausible = _PLAUSIBLE[0] <= rating <= _PLAUSIBLE[-1]
        start = Rating(rating, max(deviation, _UNCERTAIN)) if is_plausible else Rating()
        db.execute(
            "INSERT INTO rating_starts VALUES (?, ?, ?, ?, ?, ?)",
            (*key, start.rating, start.deviation, lost, changed_ms),
        )


def _reports(
    rounds: Iterable[RatedRound],
    old: Mapping[Key, tuple[float, int]],
    ratings: Mapping[Key, Rating],
    starts: Mapping[Key, Start],
    names: Mapping[str, str],
) -> list[ListReport]:
    counts: dict[str, int] = {}
    for each in rounds:
        counts[each.list] = counts.get(each.list, 0) + 1
    reports = []
    for name in sorted({one for _, one in ratings}):
        new = {player: rating.rating for (player, one), rating in ratings.items() if one == name}
        before = {player: old.get((player, name), (Rating().rating, 0))[0] for player in new}
        changed = [player for player in new if abs(new[player] - before[player]) >= 0.5]
        most = max(changed, key=lambda player: abs(new[player] - before[player]), default="")
        reports.append(
            ListReport(
                name,
                counts.get(name, 0),
                len(new),
                len(changed),
                sum(one == name for _, one in starts),
                names.get(most, most),
                before.get(most, 0.0),
                new.get(most, 0.0),
            )
        )
    return reports


# Rounds that were rated before their places were stored.


def _recover(db: Connection) -> int:
    """Read the places of rounds without them from their recordings; return how many were found."""
    waiting: dict[tuple[int, str], str] = {
        (finished_ms, id_.rpartition(":")[2]): id_
        for id_, finished_ms in db.execute(
            "SELECT id, finished_ms FROM rated_rounds WHERE list = ''"
        ).fetchall()
    }
    if not waiting:
        return 0
    players: dict[tuple[str, int], dict[int, str]] = {}
    for player, code, game, number in db.execute(
        "SELECT player, code, game, number FROM recorded_players"
    ).fetchall():
        players.setdefault((code, game), {})[number] = player
    found = 0
    for (code, game), people in players.items():
        row = db.execute(
            "SELECT finished_ms, recording FROM recordings WHERE code = ? AND game = ?",
            (code, game),
        ).fetchone()
        id_ = None if row is None else waiting.get((row[0], str(game)))
        # A damaged recording is as good as none.
        with suppress(AttributeError, LookupError, TypeError, ValueError):
            if id_ is not None and _note_places(db, id_, json.loads(row[1]), people):
                found += 1
    return found


def _note_places(db: Connection, id_: str, ended: dict[str, Any], people: dict[int, str]) -> bool:
    """Store the places of a round from its recording; return whether it was rated."""
    if not ended["rated"]:
        return False
    name, recording = rating_list(ended["kind"], ended["level"]), ended["recording"]
    if recording["kind"] == "race":
        numbers = {one["number"]: one["place"] for one in recording["results"]}
    else:
        winner = recording["winner"]
        numbers = {n: 1 + (side != winner) for side, n in enumerate(recording["sides"])}
    places = {
        people[number]: place
        for number, place in numbers.items()
        if number in people
        # Those who had a name then.
        and db.execute(
            "SELECT 1 FROM ratings WHERE player = ? AND list = ?", (people[number], name)
        ).fetchone()
    }
    if len(places) < 2:
        return False
    db.execute("UPDATE rated_rounds SET list = ? WHERE id = ?", (name, id_))
    db.executemany(
        "INSERT INTO rated_places (player, round, place) VALUES (?, ?, ?)",
        [(player, id_, place) for player, place in places.items()],
    )
    return True
