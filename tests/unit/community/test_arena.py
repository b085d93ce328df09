from __future__ import annotations

import json
import random
from itertools import combinations, pairwise

import pytest

from sapper.community import (
    Arena,
    ArenaSettings,
    BotSettings,
    NotAMember,
    Pairing,
    Race,
    RacePhase,
    RaceSettings,
    in_order,
)
from sapper.community.race_result import RaceResult, RacerStatus
from sapper.errors import BadSave, BadSetting, IllegalAction

MINUTE = 60_000


def arena(**settings: object) -> Arena:
    """Return a one-hour tournament on Beginner with races of four."""
    return Arena(ArenaSettings("Friday", RaceSettings("beginner"), **settings), 7)


def test_waiting_players_are_paired_by_standing() -> None:
    """The first four in the table race each other, and so do the next four."""
    cup = arena()
    for number in range(8):
        cup.join(0, f"p{number}")
    first, second = cup.tick(0)
    assert (first.players, second.players) == (("p0", "p1", "p2", "p3"), ("p4", "p5", "p6", "p7"))
    times = {player: 9_000 + 100 * at for at, player in enumerate(first.players)}
    cup.result(9_000, first.race, dict(zip(first.players, (1, 2, 3, 4), strict=True)), times)
    cup.result(9_500, second.race, dict(zip(second.players, (1, 2, 3, 4), strict=True)), {})
    # The players of the second race did not finish, so only four are ready.
    [third] = cup.tick(9_500)
    assert third.players == ("p0", "p1", "p2", "p3")
    assert third.seed not in (first.seed, second.seed)


def test_a_race_is_full_unless_somebody_waits_too_long() -> None:
    """After a long wait, two players are enough for a race, but one is not."""
    cup = arena()
    cup.join(0, "ann")
    assert cup.tick(20_000) == []
    assert cup.next_tick_ms() is None
    cup.join(25_000, "bob")
    [pairing] = cup.tick(25_000)
    assert pairing.players == ("ann", "bob")
    cup.join(26_000, "cy")
    cup.join(27_000, "dee")
    assert cup.next_tick_ms() == 36_000
    assert cup.tick(35_999) == []
    assert len(cup.tick(36_000)) == 1


def run(cup: Arena, at_ms: int, winner: str, other: str) -> None:
    """Let two players race against each other."""
    cup.join(at_ms, winner)
    cup.join(at_ms, other)
    [pairing] = cup.tick(at_ms + 10_000)
    cup.result(at_ms + 20_000, pairing.race, {winner: 1, other: 2}, {winner: 5_000, other: 6_000})


def test_races_count_double_after_two_wins_in_a_row() -> None:
    """Points are doubled until the streak ends."""
    cup = arena()
    points = []
    for at, winner in enumerate(("ann", "ann", "ann", "ann", "bob", "ann")):
        run(cup, MINUTE * at, winner, "bob" if winner == "ann" else "ann")
        points.append({one.player: one.points for one in cup.table()}["ann"])
    assert points == [1, 2, 4, 6, 6, 7]
    first = cup.table()[0]
    assert (first.player, first.races, first.wins, first.streak, first.best_ms) == (
        ("ann", 6, 5, 1, 5_000)
    )


def test_equal_places_get_no_points_for_each_other_and_share_the_table() -> None:
    """A tied player does not count as beaten."""
    cup = arena()
    for name in ("a", "b", "c", "d"):
        cup.join(0, name)
    [pairing] = cup.tick(0)
    places = {"a": 1, "b": 1, "c": 3, "d": 4}
    cup.result(9_000, pairing.race, places, dict.fromkeys(places, 9_000))
    assert [(one.place, one.player, one.points) for one in cup.table()] == [
        (1, "a", 2),
        (1, "b", 2),
        (3, "c", 1),
        (4, "d", 0),
    ]


def test_races_that_started_in_time_count() -> None:
    """The tournament ends with the last of these races, and nobody can join it late."""
    cup = arena(length_ms=MINUTE)
    cup.join(0, "ann")
    cup.join(0, "bob")
    [pairing] = cup.tick(MINUTE - 1)
    assert cup.tick(MINUTE) == []
    assert not cup.is_over
    with pytest.raises(IllegalAction, match="over"):
        cup.join(MINUTE, "cy")
    cup.result(2 * MINUTE, pairing.race, {"ann": 1, "bob": 2}, {"ann": 5, "bob": 6})
    assert cup.is_over
    assert cup.view()["ready"] == []
    with pytest.raises(IllegalAction, match="not running"):
        cup.result(2 * MINUTE, pairing.race, {}, {})


def test_players_pause_and_return() -> None:
    """A player who did not finish is paused but keeps the points."""
    cup = arena()
    run(cup, 0, "ann", "bob")
    cup.pause(21_000, "bob")
    assert cup.view()["ready"] == ["ann"]
    cup.join(22_000, "bob")
    assert cup.view()["ready"] == ["ann", "bob"]
    with pytest.raises(NotAMember):
        cup.pause(22_000, "eve")


def simulate(players: int, races: int, **settings: int) -> list[tuple[str, ...]]:
    """Return the groups of the first races of players who take half a minute, more or less."""
    rng, cup = random.Random(5), arena(**settings)
    for number in range(players):
        cup.join(0, f"p{number}")
    groups: list[tuple[str, ...]] = []
    ends: list[tuple[int, Pairing]] = []
    for now in range(0, 60 * MINUTE, 500):
        for end, pairing in [one for one in ends if one[0] <= now]:
            order = rng.sample(pairing.players, len(pairing.players))
            places = {player: at for at, player in enumerate(order, start=1)}
            cup.result(now, pairing.race, places, dict.fromkeys(order, 20_000))
            ends.remove((end, pairing))
        for pairing in cup.tick(now):
            groups.append(pairing.players)
            ends.append((now + rng.randrange(20_000, 40_000), pairing))
        if now % MINUTE == 0:
            cup = Arena.from_json(json.loads(json.dumps(cup.to_json())))
        if len(groups) >= races:
            return groups
    raise AssertionError(f"only {len(groups)} races")


def test_nobody_is_left_out_of_every_race() -> None:
    """Of four players in races of three, the one who waited is in the next race."""
    groups = simulate(4, 10, race_size=3)
    everyone = {f"p{number}" for number in range(4)}
    left_out = [everyone - {*group} for group in groups]
    assert all(not (one & other) for one, other in pairwise(left_out))
    assert set().union(*left_out) == everyone


def test_groups_are_mixed() -> None:
    """Of 66 pairs among twelve players, most meet within 40 races of four."""
    groups = simulate(12, 40)
    met = {frozenset(pair) for group in groups for pair in combinations(sorted(group), 2)}
    assert len(met) >= 50
    assert len({frozenset(group) for group in groups}) >= 20


def test_the_same_players_race_again_at_once_if_nobody_else_could_come() -> None:
    """With another race under way, they wait for its players, but not for long."""
    cup = arena(race_size=2)
    for player in ("ann", "bob", "cy", "dee"):
        cup.join(0, player)
    first, second = cup.tick(0)
    done = {"ann": 1, "bob": 2}, {"ann": 5, "bob": 6}
    cup.result(20_000, first.race, *done)
    assert cup.tick(20_000) == []
    assert cup.next_tick_ms() == 30_000
    [third] = cup.tick(30_000)
    assert set(third.players) == {"ann", "bob"}
    cup.result(40_000, second.race, {}, {})
    cup.result(50_000, third.race, *done)
    assert cup.next_tick_ms() == 50_000
    assert len(cup.tick(50_000)) == 1


def test_players_gather_before_the_first_race() -> None:
    """The lobby does not count as time of the tournament."""
    cup = arena(lobby_ms=5 * MINUTE, length_ms=MINUTE, race_size=2)
    cup.join(0, "ann")
    cup.join(MINUTE, "bob")
    assert cup.tick(5 * MINUTE - 1) == []
    cup = Arena.from_json(json.loads(json.dumps(cup.to_json())))
    cup.resume(5 * MINUTE - 1)
    assert cup.next_tick_ms() == 5 * MINUTE
    [pairing] = cup.tick(5 * MINUTE)
    cup.result(6 * MINUTE - 1, pairing.race, {"ann": 1, "bob": 2}, {"ann": 5, "bob": 6})
    assert len(cup.tick(6 * MINUTE - 1)) == 1
    cup.join(6 * MINUTE - 1, "cy")
    assert cup.tick(6 * MINUTE) == []
    saved = ArenaSettings("Old", RaceSettings()).to_json()
    del saved["lobby_ms"]
    assert ArenaSettings.from_json(saved).lobby_ms == 0


def test_a_player_can_pause_during_a_race() -> None:
    """The race counts, and the player is not ready afterwards, unless the pause is taken back."""
    cup = arena(race_size=2)
    for player in ("ann", "bob"):
        cup.join(0, player)
    [pairing] = cup.tick(0)
    for player in pairing.players:
        cup.pause(1_000, player)
    cup.join(2_000, "bob")
    cup = Arena.from_json(json.loads(json.dumps(cup.to_json())))
    assert cup.view()["pausing"] == ["ann"]
    cup.result(20_000, pairing.race, {"ann": 1, "bob": 2}, {"ann": 5, "bob": 6})
    assert (cup.view()["ready"], cup.view()["pausing"]) == (["bob"], [])
    assert cup.table()[0].points == 1


def test_a_tournament_ends_whatever_is_missing() -> None:
    """A race without a result ends with the longest time that it could take."""
    cup = arena(length_ms=MINUTE)
    cup.join(0, "ann")
    cup.join(0, "bob")
    assert len(cup.tick(MINUTE - 1)) == 1
    longest = cup.settings.race.countdown_ms + cup.settings.race.limit_ms + MINUTE
    cup.tick(MINUTE + longest - 1)
    assert not cup.is_over
    cup.tick(MINUTE + longest)
    assert cup.is_over
    assert cup.view()["racing"] == []


def test_a_player_in_a_race_is_not_paired_again() -> None:
    """Joining a second time has no effect."""
    cup = arena()
    cup.join(0, "ann")
    cup.join(0, "bob")
    cup.tick(10_000)
    cup.join(11_000, "ann")
    assert cup.view()["ready"] == []


@pytest.mark.parametrize(
    "wrong", [{"name": " "}, {"race_size": 1}, {"length_ms": 5}, {"race": RaceSettings(best_of=3)}]
)
def test_settings_are_checked(wrong: dict[str, object]) -> None:
    """Each setting has a range."""
    with pytest.raises(BadSetting):
        ArenaSettings(**{"name": "Cup", "race": RaceSettings(), **wrong})
    with pytest.raises(BadSave):
        Arena.from_json({})


def test_a_tournament_of_fifty_simulated_players_ends_in_order() -> None:
    """The tournament is saved and loaded every minute; its table shows the players' strength."""
    rng, cup = random.Random(3), arena(race_size=5)
    paces = {f"player {number}": 20_000 + 500 * number for number in range(50)}
    ends: list[tuple[int, Pairing, dict[str, int]]] = []
    for now in range(0, 65 * MINUTE, 1_000):
        if now == 0:
            for player in rng.sample(sorted(paces), 50):
                cup.join(now, player)
        for end, pairing, times in [one for one in ends if one[0] <= now]:
            results = in_order(
                RaceResult(at, player, None, RacerStatus.FINISHED, times[player], 71, 0)
                for at, player in enumerate(pairing.players)
            )
            cup.result(now, pairing.race, {one.name: one.place for one in results}, times)
            ends.remove((end, pairing, times))
        for pairing in cup.tick(now):
            times = {one: round(paces[one] * rng.uniform(0.8, 1.25)) for one in pairing.players}
            ends.append((now + 5_000 + max(times.values()), pairing, times))
        if now % MINUTE == 0:
            cup = Arena.from_json(json.loads(json.dumps(cup.to_json())))
            cup.tick(now)
    assert cup.is_over
    table = cup.table()
    assert all(one.races > 40 for one in table)
    top = {one.player for one in table[:10]}
    assert len(top & {f"player {number}" for number in range(15)}) >= 9
    mean = sum(int(one.player.split()[1]) for one in table[:10]) / 10
    assert mean < 10 < 40 < sum(int(one.player.split()[1]) for one in table[-10:]) / 10


def test_a_tournament_runs_on_real_races_of_bots() -> None:
    """Rooms and the tournament exchange only players, places and times."""
    cup = Arena(ArenaSettings("Bots", RaceSettings("beginner"), length_ms=10 * MINUTE), 7)
    for number in range(8):
        cup.join(0, f"bot {number}")
    rooms: dict[int, Race] = {}
    for now in range(0, 13 * MINUTE, 1_000):
        for pairing in cup.tick(now):
            race = rooms[pairing.race] = Race(cup.settings.race, pairing.seed)
            for player in pairing.players:
                pace = 300 + 100 * int(player.split()[1])
                race.add_bot(now, None, player, player, BotSettings("exact", pace, 0.01))
            race.start(now)
        for number, race in list(rooms.items()):
            race.tick(now)
            if race.phase is RacePhase.OVER:
                results = race.recording()["results"]
                times = {r["name"]: r["time_ms"] for r in results if r["time_ms"] is not None}
                cup.result(now, number, {r["name"]: r["place"] for r in results}, times)
                del rooms[number]
    assert cup.is_over
    assert cup.table()[0].player in ("bot 0", "bot 1")
    assert min(one.races for one in cup.table()) > 5


def test_an_operator_releases_and_removes_players_and_ends_a_tournament() -> None:
    """A race that does not end would otherwise keep its players, and the tournament, for good."""
    arena = Arena(ArenaSettings("Cup", RaceSettings("beginner"), race_size=2), 7)
    for player in ("ann", "bob"):
        arena.join(0, player)
    [pairing] = arena.tick(1)
    arena.release(2, "bob")
    arena.join(3, "bob")
    arena.join(3, "cy")
    assert arena.view()["racing"] == [[pairing.race, ["ann"]]]
    assert arena.view()["ready"] == ["bob", "cy"]
    arena.remove(4, "cy")
    arena = Arena.from_json(arena.to_json())
    arena.resume(4)
    with pytest.raises(IllegalAction, match="removed"):
        arena.join(5, "cy")
    with pytest.raises(NotAMember):
        arena.release(5, "nobody")
    arena.release(6, "ann")
    assert arena.view()["racing"] == []
    arena.stop(7)
    assert Arena.from_json(arena.to_json()).is_over
    with pytest.raises(IllegalAction, match="over"):
        arena.join(8, "ann")
    arena.rename("Friday")
    assert arena.view()["name"] == "Friday"
    with pytest.raises(BadSetting):
        arena.rename(" ")
