"""Figures of rated rounds: robots, scouts, farmed ratings, and players who are honest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from sapper.community.live_board import deal_opened
from sapper.game import Game
from sapper.generation import GameId, format_id
from sapper.rules import Level
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import NewPasskey
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.database import Database
from sapper.server.storage.race_fair_play import RaceReport, race_reports
from sapper.server.storage.ratings import rate
from sapper.server.storage.round_ended import RoundEnded

_LEVEL = Level.parse("beginner")
_HOUR_MS = 3_600_000

Log = list[list[Any]]


def claim(database: Database, names: Iterable[str]) -> None:
    """Give players names."""
    for name in names:
        passkey = NewPasskey(name.encode(), b"key", 0, ())
        looks = Name(name.title(), frozenset({name}))
        Accounts(database).claim(
            f"id of {name}", name, looks, passkey, [], f"login {name}", "", (name, 0)
        )


def race(
    database: Database,
    number: int,
    order: Sequence[str],
    logs: Mapping[str, Log] | None = None,
    dealt: GameId | None = None,
) -> None:
    """Rate a round, with its players in the order of their places, and save its recording."""
    at = number * _HOUR_MS
    places = {player: place for place, player in enumerate(order, start=1)}
    numbers = {player: n for n, player in enumerate(sorted(order), start=1)}
    with database.writing() as db:
        rate(db, RoundEnded(f"r:{number}", "race", "beginner", True, at, places, {}))
        if logs is None or dealt is None:
            return
        recording = {
            "kind": "race",
            "rules": "classic",
            "board": format_id(*dealt),
            "logs": {str(numbers[player]): log for player, log in logs.items()},
        }
        text = json.dumps({"rated": True, "recording": recording})
        db.execute("INSERT INTO recordings VALUES ('ABCDEF', ?, ?, ?)", (number, at, text))
        db.executemany(
            "INSERT INTO recorded_players (player, code, game, number) VALUES (?, 'ABCDEF', ?, ?)",
            [(player, number, n) for player, n in numbers.items()],
        )


def played(dealt: GameId, rng: Random, *, knows: bool, gap_s: float | None = None) -> Log:
    """Return a log that opens cells at random, only safe ones if the player knows the mines."""
    game, at, log = Game.from_board(dealt.board), 0.0, Log()
    game.open(dealt.start)
    while not game.over:
        cells = [
            cell
            for cell in game.position.unopened_cells()
            if not (knows and dealt.board.mined[dealt.board.topology.index(cell)])
        ]
        at += rng.uniform(0.3, 2.5) if gap_s is None else gap_s
        cell = rng.choice(cells)
        log.append([round(1000 * at), "open", *cell])
        game.open(cell)
    return log


def reports(database: Database) -> dict[str, RaceReport]:
    """Return the reports by name."""
    return {one.name: one for one in race_reports(database)}


def test_a_robot_is_found(database: Database) -> None:
    """Nobody looked at races: a metronome faster than any hand was not reported."""
    claim(database, ("ann", "robot"))
    rng, dealt = Random(1), deal_opened(_LEVEL, "classic", 9)
    assert dealt.board.bbbv > 15
    logs = {
        "robot": played(dealt, rng, knows=True, gap_s=0.005),
        "ann": played(dealt, rng, knows=True),
    }
    race(database, 1, ["robot", "ann"], logs, dealt)
    found = reports(database)
    [finding] = found["Robot"].findings
    assert (finding.code, finding.game, finding.finished_ms) == ("ABCDEF", 1, _HOUR_MS)
    assert finding.reasons == ["speed", "most_per_s", "rhythm", "least_s"]
    assert found["Robot"].is_unlikely
    assert not found["Ann"].is_unlikely
    assert [one.name for one in race_reports(database, "Ann")] == ["Ann"]


def test_a_scouting_pair_is_found(database: Database) -> None:
    """A player who saw the mines in another browser guesses often and hits none."""
    claim(database, ("ann", "bert", "scout"))
    rng = Random(2)
    for number in range(1, 61):
        dealt = deal_opened(_LEVEL, "classic", number)
        honest = {name: played(dealt, rng, knows=False) for name in ("bert", "scout")}
        if number % 2:
            race(
                database,
                number,
                ["ann", "scout"],
                {"ann": played(dealt, rng, knows=True), "scout": honest["scout"]},
                dealt,
            )
        else:
            logs = {"ann": played(dealt, rng, knows=False), "bert": honest["bert"]}
            race(database, number, ["bert", "ann"] if number % 4 else ["ann", "bert"], logs, dealt)
    found = reports(database)
    # The scout loses every race, too.
    farming, pair = found["Ann"].pairs
    assert (farming.name, farming.reason) == ("Scout", "farming")
    assert (pair.name, pair.reason, pair.rounds) == ("Scout", "scouting", 30)
    assert pair.luck is not None
    assert pair.luck > 4
    assert not found["Bert"].is_unlikely
    assert not found["Scout"].is_unlikely


def test_a_farming_pair_is_found(database: Database) -> None:
    """Rematches against one's own second account raised a rating from 1500 to 1889."""
    claim(database, ("farmer", "second", "ann", "bert"))
    rng = Random(3)
    for number in range(1, 61):
        if number % 3:
            race(database, number, ["farmer", "second"])
        else:
            order = ["ann", "bert", "farmer"]
            rng.shuffle(order)
            race(database, number, order)
    found = reports(database)
    [pair] = found["Farmer"].pairs
    assert (pair.name, pair.reason, pair.rounds, pair.score) == ("Second", "farming", 40, 1.0)
    assert pair.gained > 100
    assert not found["Ann"].pairs
    assert not found["Second"].pairs


def test_results_far_above_the_rating_are_found(database: Database) -> None:
    """A settled player who suddenly wins every race is reported."""
    names = ["cheat", *(f"p{number}" for number in range(7))]
    claim(database, names)
    rng = Random(4)
    for number in range(1, 161):
        order = rng.sample(names, 4)
        if number > 60 and "cheat" in order:
            order.remove("cheat")
            order.insert(0, "cheat")
        race(database, number, order)
    found = reports(database)
    assert found["Cheat"].surplus is not None
    assert found["Cheat"].surplus > 4
    assert [name for name, one in found.items() if one.is_unlikely] == ["Cheat"]


@pytest.mark.parametrize("seed", [5, 6])
def test_honest_players_are_not_reported(database: Database, seed: int) -> None:
    """Strong and weak players, and two who always play together, have nothing unlikely."""
    names = [f"p{number}" for number in range(10)]
    claim(database, names)
    rng = Random(seed)
    for number in range(1, 151):
        players = ["p0", "p1"] if number % 3 == 0 else rng.sample(names, 4)
        order = sorted(players, key=lambda name: int(name[1:]) * 0.1 + rng.gauss(0, 1))
        dealt = deal_opened(_LEVEL, "classic", number)
        logs = (
            {name: played(dealt, rng, knows=False) for name in players} if number % 10 == 0 else {}
        )
        race(database, number, order, logs, dealt if logs else None)
    assert [name for name, one in reports(database).items() if one.is_unlikely] == []
