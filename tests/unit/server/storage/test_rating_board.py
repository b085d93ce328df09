"""Rating lists on both databases: who is on them, places, pages and bans."""

from __future__ import annotations

from random import Random

import pytest

from sapper.server.accounts.names import Name
from sapper.server.accounts.records import NewPasskey
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.database import Database
from sapper.server.storage.ratings import Ratings

_LIST = "race expert"


@pytest.fixture
def ratings(database: Database) -> Ratings:
    """Rating lists whose clock shows one second after the start of 1970."""
    return Ratings(database, lambda: 1.0)


def rate(database: Database, name: str, rating: float, deviation: float = 60) -> None:
    """Give a new player a rating."""
    passkey = NewPasskey(name.encode(), b"key", 0, ())
    looks = Name(name, frozenset({name}))
    Accounts(database).claim(
        f"id of {name}", name.lower(), looks, passkey, [], f"login {name}", "", (name, 0)
    )
    with database.writing() as db:
        db.execute(
            "INSERT INTO ratings VALUES (?, ?, ?, ?, 0.06, 30, 5)",
            (name.lower(), _LIST, rating, deviation),
        )


def test_settled_ratings_are_listed_best_first(database: Database, ratings: Ratings) -> None:
    """Equal ratings share a place; provisional ones, banned players and guests are left out."""
    for name, rating in (("Ann", 1600.0), ("Bert", 1700.0), ("Cleo", 1600.0), ("Dora", 1500.0)):
        rate(database, name, rating)
    rate(database, "Newcomer", 1900, 111)
    rate(database, "Cheat", 2000)
    with database.writing() as db:
        db.execute("INSERT INTO bans VALUES ('id of Cheat', 'played by a bot', 1, NULL)")
    with database.writing() as db:
        db.execute("INSERT INTO ratings VALUES ('guest', ?, 2500, 60, 0.06, 30, 5)", (_LIST,))
    board = ratings.board(_LIST, player="dora")
    assert [(row.place, row.name) for row in board.rows] == [
        (1, "Bert"),
        (2, "Ann"),
        (2, "Cleo"),
        (4, "Dora"),
    ]
    assert (board.players, board.start) == (4, 1)
    assert board.own == board.rows[3]
    assert (board.rows[0].rated.rating.rating, board.rows[0].rated.games) == (1700, 30)
    assert ratings.board(_LIST, player="newcomer").own is None
    among = ratings.board(_LIST, among=["dora", "ann", "nobody"])
    assert [(row.place, row.name) for row in among.rows] == [(1, "Ann"), (2, "Dora")]
    assert ratings.lists() == [_LIST]
    assert ratings.board("race beginner").rows == []


def test_a_long_list_has_pages(database: Database, ratings: Ratings) -> None:
    """The page around a player has their row in the middle."""
    rng = Random(3)
    for number in range(120):
        rate(database, f"Player{number}", 1000.0 + rng.randrange(60))
    everyone = [
        (row.place, row.player)
        for start in (1, 101)
        for row in ratings.board(_LIST, start=start).rows
    ]
    assert [place for place, _ in everyone] == sorted(place for place, _ in everyone)
    assert len(set(everyone)) == 120
    player = everyone[70][1]
    around = ratings.board(_LIST, player=player, start=None)
    assert around.own == around.rows[50]
    assert [(row.place, row.player) for row in around.rows] == everyone[20:]
