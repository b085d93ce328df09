"""Stored ratings on both databases: each rated round counts once."""

from __future__ import annotations

import pytest

from sapper.community import Rating, rated_game
from sapper.community.ratings import RATING_RULES
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import NewPasskey
from sapper.server.storage import ratings as module
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.database import Database
from sapper.server.storage.feature_tables import Erased, alias_of
from sapper.server.storage.ratings import Ratings, rate
from sapper.server.storage.round_ended import RoundEnded
from sapper.server.storage.schema import SCHEMA


class Rounds(Ratings):
    """Ratings that rounds can be added to."""

    def count(self, ended: RoundEnded) -> None:
        """Save the end of a round."""
        with self._database.writing() as db:
            rate(db, ended)


@pytest.fixture
def ratings(database: Database) -> Rounds:
    """The ratings of Ann, Bert and Cleo; a fourth player is a guest."""
    accounts = Accounts(database)
    for name in ("ann", "bert", "cleo"):
        passkey = NewPasskey(name.encode(), b"key", 0, ())
        looks = Name(name, frozenset({name}))
        accounts.claim(f"id of {name}", name, looks, passkey, [], f"login {name}", "", (name, 0))
    return Rounds(database)


def ended(name: str, *players: str, rated: bool = True, at: int = 1_000) -> RoundEnded:
    """Return a round, with the players in the order of their places."""
    places = {player: place for place, player in enumerate(players, start=1)}
    return RoundEnded(name, "race", "intermediate", rated, at, places, {})


def test_a_round_is_rated_once(ratings: Rounds) -> None:
    """A room that reports a round again after a crash changes nothing."""
    ratings.count(ended("r1:1", "ann", "bert", "cleo"))
    after = ratings.of("ann")
    ratings.count(ended("r1:1", "ann", "bert", "cleo"))
    assert ratings.of("ann") == after
    [one] = after
    wanted = rated_game(
        {name: Rating() for name in ("ann", "bert", "cleo")}, {"ann": 1, "bert": 2, "cleo": 3}
    )
    assert (one.list, one.games, one.changed_ms) == ("race intermediate", 1, 1_000)
    assert one.rating == wanted["ann"]
    assert ratings.find(["bert", "nobody"], one.list) == {"bert": wanted["bert"]}


def test_each_set_of_rules_has_its_own_list(ratings: Rounds) -> None:
    """The usual rules of a level keep the name of the level."""
    for rules in ("", "classic", "classic out"):
        ratings.count(ended(f"r{rules}", "ann", "bert")._replace(rules=rules))
    names = ["race intermediate", "race intermediate classic", "race intermediate classic out"]
    assert [one.list for one in ratings.of("ann")] == names


@pytest.mark.parametrize("is_known", [True, False])
def test_an_account_deleted_during_a_round_voids_nothing(
    ratings: Rounds, database: Database, is_known: bool
) -> None:
    """The others are rated as if it were still there, before and after the room knows of it."""
    ratings.count(ended("r0:1", "ann", "bert"))
    expected = rated_game(
        {name: ratings.find([name], "race intermediate")[name] for name in ("ann", "bert")},
        {"ann": 1, "bert": 2},
        meetings={frozenset(("ann", "bert")): 1},
    )["ann"]
    with database.writing() as db:
        SCHEMA.erase(db, Erased("bert", "id of bert", "bert", 2_000))
        db.execute("DELETE FROM accounts WHERE player = 'bert'")
    loser = alias_of("bert") if is_known else "bert"
    ratings.count(ended("r1:1", "ann", loser))
    [one] = ratings.of("ann")
    assert (one.rating, one.games) == (expected, 2)
    assert ratings.of("bert") == []
    with database.reading() as db:
        rows = db.execute("SELECT player FROM rated_places WHERE round = 'r1:1'").fetchall()
    assert {player for (player,) in rows} == {"ann", alias_of("bert")}


def test_only_people_with_a_name_are_rated(ratings: Rounds) -> None:
    """Guests and unrated rounds have no effect; one person alone has no result."""
    ratings.count(ended("r1:1", "ann", "guest"))
    ratings.count(ended("r2:1", "ann", "bert", rated=False))
    assert ratings.of("ann") == ratings.of("bert") == []
    ratings.count(ended("r3:1", "guest", "bert", "ann"))
    [ann], [bert] = ratings.of("ann"), ratings.of("bert")
    assert bert.rating.rating > 1500 > ann.rating.rating


def test_a_rematch_counts_less_and_a_pause_adds_uncertainty(ratings: Rounds) -> None:
    """Twenty rematches raised a rating by 389 points; meetings and pauses are looked up."""
    for number in range(20):
        ratings.count(ended(f"r:{number}", "ann", "bert", at=1_000 + number))
    [ann] = ratings.of("ann")
    assert ann.rating.rating < 1770
    # A week later, the next meeting is the first again.
    later = 1_000 + 8 * 86_400_000
    before = {"ann": ann.rating, "bert": ratings.of("bert")[0].rating}
    ratings.count(ended("later", "ann", "bert", at=later))
    idle = (later - 1_019) / 86_400_000
    wanted = rated_game(before, {"ann": 1, "bert": 2}, idle_days={"ann": idle, "bert": idle})
    assert ratings.of("ann")[0].rating == wanted["ann"]


def test_a_list_follows_from_its_rounds(ratings: Rounds, database: Database) -> None:
    """The places, the list and the version of the rules are stored with each rated round."""
    ratings.count(ended("r1", "ann", "guest", "bert", at=5))
    ratings.count(ended("r2", "cleo", "ann", at=6))
    with database.reading() as db:
        rounds = db.execute("SELECT id, list, rules FROM rated_rounds ORDER BY id").fetchall()
        places = db.execute(
            "SELECT round, player, place FROM rated_places ORDER BY round, place"
        ).fetchall()
    assert [tuple(row) for row in rounds] == [
        ("r1", "race intermediate", RATING_RULES),
        ("r2", "race intermediate", RATING_RULES),
    ]
    assert [tuple(row) for row in places] == [
        ("r1", "ann", 1),
        ("r1", "bert", 3),
        ("r2", "cleo", 1),
        ("r2", "ann", 2),
    ]


def test_the_graph_keeps_the_latest_changes(
    ratings: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changes are numbered, and the oldest ones are dropped."""
    monkeypatch.setattr(module, "MOST_CHANGES", 3)
    for number in range(5):
        ratings.count(ended(f"r:{number}", "ann", "bert", at=number))
    [changes] = ratings.changes("ann").values()
    assert [change.changed_ms for change in changes] == [2, 3, 4]
    assert changes[-1].rating == ratings.of("ann")[0].rating.rating


def test_deleting_an_account_erases_its_ratings(database: Database, ratings: Rounds) -> None:
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
