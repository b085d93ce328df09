"""Stored ratings on both databases: each rated round counts once."""

from __future__ import annotations

import pytest

from sapper.community import Rating, rated_game
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import NewPasskey
from sapper.server.storage import ratings as module
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.database import Database
from sapper.server.storage.ratings import Ratings, RoundEnded


@pytest.fixture
def ratings(database: Database) -> Ratings:
    """The ratings of Ann, Bert and Cleo; a fourth player is a guest."""
    accounts = Accounts(database)
    for name in ("ann", "bert", "cleo"):
        passkey = NewPasskey(name.encode(), b"key", 0, ())
        looks = Name(name, frozenset({name}))
        accounts.claim(f"id of {name}", name, looks, passkey, [], f"login {name}", "", (name, 0))
    return Ratings(database)


def ended(name: str, *players: str, rated: bool = True, at: int = 1_000) -> RoundEnded:
    """Return a round, with the players in the order of their places."""
    places = {player: place for place, player in enumerate(players, start=1)}
    return RoundEnded(name, "race", "intermediate", rated, at, places, {})


def test_a_round_is_rated_once(ratings: Ratings) -> None:
    """A room that reports a round again after a crash changes nothing."""
    assert ratings.count(ended("r1:1", "ann", "bert", "cleo"))
    after = ratings.of("ann")
    assert not ratings.count(ended("r1:1", "ann", "bert", "cleo"))
    assert ratings.of("ann") == after
    [one] = after
    wanted = rated_game(
        {name: Rating() for name in ("ann", "bert", "cleo")}, {"ann": 1, "bert": 2, "cleo": 3}
    )
    assert (one.list, one.games, one.changed_ms) == ("race intermediate", 1, 1_000)
    assert one.rating == wanted["ann"]
    assert ratings.find(["bert", "nobody"], one.list) == {"bert": wanted["bert"]}


def test_only_people_with_a_name_are_rated(ratings: Ratings) -> None:
    """Guests and unrated rounds have no effect; one person alone has no result."""
    assert not ratings.count(ended("r1:1", "ann", "guest"))
    assert not ratings.count(ended("r2:1", "ann", "bert", rated=False))
    assert ratings.of("ann") == []
    assert ratings.count(ended("r3:1", "guest", "bert", "ann"))
    [ann], [bert] = ratings.of("ann"), ratings.of("bert")
    assert bert.rating.rating > 1500 > ann.rating.rating


def test_the_graph_keeps_the_latest_changes(
    ratings: Ratings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changes are numbered, and the oldest ones are dropped."""
    monkeypatch.setattr(module, "MOST_CHANGES", 3)
    for number in range(5):
        ratings.count(ended(f"r:{number}", "ann", "bert", at=number))
    [changes] = ratings.changes("ann").values()
    assert [change.changed_ms for change in changes] == [2, 3, 4]
    assert changes[-1].rating == ratings.of("ann")[0].rating.rating


def test_deleting_an_account_erases_its_ratings(database: Database, ratings: Ratings) -> None:
    """The others' ratings stay as they are."""
    ratings.count(ended("r1:1", "ann", "bert"))
    kept = ratings.of("bert")
    accounts = Accounts(database)
    found = accounts.signed_in("login ann")
    assert found is not None
    accounts.delete(found.account)
    assert ratings.of("ann") == []
    assert ratings.changes("ann") == {}
    assert ratings.of("bert") == kept
