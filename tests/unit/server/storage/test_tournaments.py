"""Stored tournaments on both databases, with a clock that tests set."""

from __future__ import annotations

import pytest

from sapper.community import ArenaSettings, RaceSettings
from sapper.errors import BadSetting, IllegalAction
from sapper.server.storage import tournaments as module
from sapper.server.storage.database import Database
from sapper.server.storage.round_ended import RoundEnded
from sapper.server.storage.tournaments import Tournament, Tournaments
from support.standings import end_round

_SETTINGS = ArenaSettings("Friday", RaceSettings("beginner"), 600_000, race_size=2)


class Clock:
    """A clock in seconds."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that tests can set."""
    return Clock()


@pytest.fixture
def tournaments(database: Database, clock: Clock) -> Tournaments:
    """Tournaments on each database engine in turn."""
    return Tournaments(database, clock)


def got(tournaments: Tournaments, code: str) -> Tournament:
    """Return a tournament that exists."""
    found = tournaments.get(code)
    assert found is not None
    return found


def test_a_whole_tournament_survives_every_restart(
    database: Database, tournaments: Tournaments, clock: Clock
) -> None:
    """Every event loads the tournament from the database, and the clock runs between events."""
    code = tournaments.create("ann", _SETTINGS)
    for player in ("ann", "bert"):
        tournaments.join(code, player)
    assert tournaments.due() == [code]
    races = 0
    while got(tournaments, code).finished_ms is None:
        clock.now += 5
        found = tournaments.tick(code)
        assert found is not None
        for pairing in found.pending:
            tournaments.started(code, pairing.race, f"room{pairing.race}")
            clock.now += 15
            tournaments.tick(code)
            places, times = {"ann": 1, "bert": 2}, {"ann": 14_000, "bert": 15_000}
            ended = RoundEnded(
                f"r:{pairing.race}",
                "race",
                "beginner",
                False,
                int(clock.now * 1000),
                places,
                times,
                code,
                pairing.race,
            )
            for _ in range(2):
                end_round(database, ended)
            assert got(tournaments, code).rooms == {}
            races += 1
    assert races == 600 // 20
    [ann, bert] = got(tournaments, code).arena.table()
    assert (ann.player, ann.races, ann.wins) == ("ann", races, races)
    assert ann.points == 2 * races - 2
    assert (bert.points, bert.races) == (0, races)
    assert tournaments.due() == []
    [listed] = tournaments.listed()
    assert (listed.winner, listed.players, listed.left_ms) == ("ann", 2, 0)
    with pytest.raises(IllegalAction, match="over"):
        tournaments.join(code, "cleo")


def test_the_clock_stands_still_while_the_server_is_down(
    tournaments: Tournaments, clock: Clock
) -> None:
    """Saves every few seconds let the clock run, but an hour without one does not count."""
    code = tournaments.create("ann", _SETTINGS)
    for _ in range(10):
        clock.now += 6
        assert tournaments.due() == [code]
        tournaments.tick(code)
    assert tournaments.listed()[0].left_ms == 540_000
    clock.now += 3_600
    assert tournaments.listed()[0].left_ms == 540_000
    tournaments.tick(code)
    clock.now += 10
    assert got(tournaments, code).arena.view()["time_ms"] == 70_000


def test_races_without_a_room_are_started_again(tournaments: Tournaments, clock: Clock) -> None:
    """A crash between pairing and making the room leaves the race pending, with the same seed."""
    code = tournaments.create("ann", _SETTINGS)
    for player in ("ann", "bert"):
        tournaments.join(code, player)
    first = tournaments.tick(code)
    clock.now += 3
    second = tournaments.tick(code)
    assert first is not None
    assert second is not None
    assert first.pending == second.pending
    assert len(first.pending) == 1
    assert tournaments.due() == [code]
    tournaments.started(code, 1, "ROOM22")
    found = got(tournaments, code)
    assert (found.pending, found.rooms) == ([], {1: "ROOM22"})


def test_the_number_of_tournaments_is_limited(
    tournaments: Tournaments, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One limit applies to all players together, another to each player per day."""
    monkeypatch.setattr(module, "_MOST_A_DAY", 2)
    monkeypatch.setattr(module, "_MOST_RUNNING", 3)
    for _ in range(2):
        tournaments.create("ann", _SETTINGS)
    with pytest.raises(BadSetting, match="at most 2 tournaments a day"):
        tournaments.create("ann", _SETTINGS)
    tournaments.create("bert", _SETTINGS)
    with pytest.raises(BadSetting, match="too many tournaments"):
        tournaments.create("cleo", _SETTINGS)
    assert tournaments.get("XXXXXX") is None
    assert tournaments.join("XXXXXX", "ann") is None
