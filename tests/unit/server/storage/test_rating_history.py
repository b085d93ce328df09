"""Computing ratings again from the stored rounds, on both databases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from sapper.community import Rating, rated_game
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import NewPasskey
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.database import Database
from sapper.server.storage.rating_history import recompute
from sapper.server.storage.ratings import Ratings, rate
from sapper.server.storage.round_ended import RoundEnded

_LIST = "race intermediate"
_DAY_MS = 86_400_000


@pytest.fixture(autouse=True)
def names(database: Database) -> list[str]:
    """Six players with names."""
    accounts, made = Accounts(database), [f"p{number}" for number in range(6)]
    for name in made:
        passkey = NewPasskey(name.encode(), b"key", 0, ())
        looks = Name(name.upper(), frozenset({name}))
        accounts.claim(f"id of {name}", name, looks, passkey, [], f"login {name}", "", (name, 0))
    return made


def count(database: Database, id_: str, order: Sequence[str], at: int, rules: str = "") -> None:
    """Rate a round, with the players in the order of their places."""
    places = {player: place for place, player in enumerate(order, start=1)}
    ended = RoundEnded(id_, "race", "intermediate", True, at, places, {}, rules=rules)
    with database.writing() as db:
        rate(db, ended)


def all_ratings(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of ratings and their changes."""
    with database.reading() as db:
        return {
            table: sorted(map(tuple, db.execute(f"SELECT * FROM {table}").fetchall()))
            for table in ("ratings", "rating_changes")
        }


def explode(database: Database, player: str, rating: float, games: int) -> None:
    """Store a rating as version 1.0 left it."""
    with database.writing() as db:
        db.execute(
            "INSERT INTO ratings VALUES (?, ?, ?, 31.5, 0.06, ?, 5)", (player, _LIST, rating, games)
        )
        db.execute(
            "INSERT INTO rating_changes VALUES (?, ?, ?, ?, 31.5, 5)",
            (player, _LIST, games, rating),
        )


def record(database: Database, code: str, game: int, order: Sequence[str], at: int) -> None:
    """Store a round of version 1.0: its id and its recording, without its places."""
    results = [{"number": n, "place": n, "time_ms": 1} for n, _ in enumerate(order, start=1)]
    ended = {
        "rated": True,
        "kind": "race",
        "level": "16x16:40",
        "recording": {"kind": "race", "results": results},
    }
    with database.writing() as db:
        db.execute(
            "INSERT INTO rated_rounds (id, finished_ms) VALUES (?, ?)", (f"{code} id:{game}", at)
        )
        text = json.dumps(ended)
        db.execute("INSERT INTO recordings VALUES (?, ?, ?, ?)", (code, game, at, text))
        db.executemany(
            "INSERT INTO recorded_players (player, code, game, number) VALUES (?, ?, ?, ?)",
            [(player, code, game, n) for n, player in enumerate(order, start=1)],
        )


def test_a_recomputation_gives_the_ratings_that_rounds_gave(
    database: Database, names: list[str]
) -> None:
    """Pauses, repeated meetings and lists are as they were; nothing changes."""
    rng = Random(7)
    for number in range(120):
        order = rng.sample(names, rng.randint(2, 6))
        at = number * _DAY_MS // 4 + (30 * _DAY_MS if number > 60 else 0)
        count(database, f"r{number:03}:1", order, at, rng.choice(["", "classic"]))
    before = all_ratings(database)
    found = recompute(database)
    assert all_ratings(database) == before
    assert found.recovered == 0
    assert [(one.list, one.changed, one.lost) for one in found.lists] == [
        (_LIST, 0, 0),
        (f"{_LIST} classic", 0, 0),
    ]
    assert sum(one.rounds for one in found.lists) == 120


def test_exploded_ratings_are_set_right_from_recordings(
    database: Database, names: list[str]
) -> None:
    """A profile showed 243,813 after 16 rounds; the rules of today give a usual rating."""
    for number in range(16):
        record(database, "ABCDEF", number + 1, names, 1_000 + number)
    for place, name in enumerate(names):
        explode(database, name, 243_813.0 - 90_000 * place, 16)
    found = recompute(database)
    assert found.recovered == 16
    [one] = found.lists
    assert (one.rounds, one.players, one.changed, one.lost) == (16, 6, 6, 0)
    assert (one.player, one.before) == ("P0", 243_813.0)
    expected = dict.fromkeys(names, Rating())
    for number in range(16):
        pairs = {frozenset((a, b)): number for a in names for b in names if a != b}
        places = {name: place for place, name in enumerate(names, start=1)}
        idle = dict.fromkeys(names, 1 / _DAY_MS) if number else {}
        expected = rated_game(expected, places, idle_days=idle, meetings=pairs)
    got = Ratings(database).find(names, _LIST)
    for name, rating in expected.items():
        assert got[name].rating == pytest.approx(rating.rating)
        assert 1000 < got[name].rating < 2000
    after = all_ratings(database)
    again = recompute(database)
    assert (again.recovered, [one.changed for one in again.lists]) == (0, [0])
    assert all_ratings(database) == after


def test_ratings_without_rounds_start_again_or_become_provisional(
    database: Database, names: list[str]
) -> None:
    """Where rounds are lost, a plausible rating is kept with more uncertainty."""
    explode(database, "p0", 243_813.0, 16)
    explode(database, "p1", 1_640.0, 16)
    count(database, "r1:1", ["p0", "p1", "p2"], 10 * _DAY_MS)
    recompute(database)
    start = {"p0": Rating(), "p1": Rating(1_640.0, 200.0), "p2": Rating()}
    places = {"p0": 1, "p1": 2, "p2": 3}
    idle = dict.fromkeys(("p0", "p1"), 10 - 5 / _DAY_MS)
    expected = rated_game(start, places, idle_days=idle)
    assert Ratings(database).find(names, _LIST) == expected
    assert [row.games for name in places for row in Ratings(database).of(name)] == [17, 17, 1]
    after = all_ratings(database)
    assert [one.changed for one in recompute(database).lists] == [0]
    assert all_ratings(database) == after
    # Later rounds are rated as usual, and a recomputation agrees.
    count(database, "r2:1", ["p2", "p1", "p0"], 11 * _DAY_MS)
    after = all_ratings(database)
    recompute(database)
    assert all_ratings(database) == after


def test_a_dry_run_and_a_damaged_recording_change_nothing(
    database: Database, names: list[str]
) -> None:
    """A dry run reports the same changes."""
    record(database, "ABCDEF", 1, names, 1_000)
    record(database, "ABCDEF", 2, names, 2_000)
    for name in names:
        explode(database, name, 9_999.0, 2)
    with database.writing() as db:
        db.execute("UPDATE recordings SET recording = '{' WHERE game = 2")
    before = all_ratings(database)
    dry = recompute(database, dry_run=True)
    assert all_ratings(database) == before
    assert recompute(database) == dry
    assert (dry.recovered, dry.lists[0].changed, dry.lists[0].lost) == (1, 6, 6)
