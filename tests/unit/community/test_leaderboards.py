from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from sapper import Board, Game
from sapper.community import (
    Entry,
    FollowList,
    Measure,
    Period,
    board_name,
    entry_of,
    leaderboard,
)
from sapper.community.following import MOST_FOLLOWED
from sapper.errors import BadSetting
from sapper.history import Record

EVER = (0, 2**60)


def entry(player: str, time_ms: int, **values: object) -> Entry:
    """Return an entry with a unique game."""
    game = f"{player} {time_ms} {values}"
    figures = {"finished_ms": 5, "bbbv": 30, "clicks": 60, **values}
    return Entry(player, game, "classic beginner", time_ms=time_ms, **figures)


def shown(entries: list[Entry], measure: Measure = Measure.TIME, **more: object) -> object:
    """Return places and players."""
    return [(r.place, r.entry.player) for r in leaderboard(entries, measure, EVER, **more)]


def test_each_player_has_one_place_with_the_best_game() -> None:
    """A player's other games are kept in case the best one is withdrawn."""
    entries = [entry("ann", 9_000), entry("ann", 8_000), entry("bob", 8_500)]
    assert shown(entries) == [(1, "ann"), (2, "bob")]
    entries[1] = replace(entries[1], withdrawn=True)
    assert shown(entries) == [(1, "bob"), (2, "ann")]


def test_equal_values_share_a_place_in_the_order_of_their_dates() -> None:
    """3BV/s are compared exactly, even where division would round."""
    entries = [
        entry("late", 9_000, finished_ms=7),
        entry("early", 9_000, finished_ms=6),
        entry("third", 9_001),
    ]
    assert shown(entries) == [(1, "early"), (1, "late"), (3, "third")]
    same = [entry("a", 9_000, bbbv=30), entry("b", 3_000, bbbv=10, finished_ms=6)]
    assert shown(same, Measure.SPEED) == [(1, "a"), (1, "b")]


def test_measures_have_different_winners() -> None:
    """One player wins fastest, one clicks fastest, and one needs the fewest clicks."""
    entries = [
        entry("fast", 5_000, bbbv=10),
        entry("quick", 8_000, bbbv=40),
        entry("thrifty", 9_000, clicks=31),
    ]
    firsts = [leaderboard(entries, measure, EVER)[0].entry.player for measure in Measure]
    assert firsts == ["fast", "quick", "thrifty"]


def test_periods_are_days_and_months_in_utc() -> None:
    """The turn of the year needs no special case."""

    def ms(*day: int) -> int:
        return round(datetime(*day, tzinfo=UTC).timestamp()) * 1000

    now = ms(2026, 12, 31) + 5
    assert Period.DAY.bounds(now) == (ms(2026, 12, 31), ms(2027, 1, 1))
    assert Period.MONTH.bounds(now) == (ms(2026, 12, 1), ms(2027, 1, 1))
    assert Period.ALL.bounds(now) == (0, now + 1)
    old = entry("ann", 5, finished_ms=ms(2026, 12, 30))
    assert leaderboard([old], Measure.TIME, Period.DAY.bounds(now)) == []
    assert leaderboard([old], Measure.TIME, Period.MONTH.bounds(now))


def test_a_board_may_be_limited_to_a_circle() -> None:
    """The circle consists of the player and everyone whom the player follows."""
    follows = FollowList("ann", ["bob"])
    entries = [entry(player, 5_000) for player in ("ann", "bob", "cy")]
    assert shown(entries, among=follows.circle()) == [(1, "ann"), (1, "bob")]
    follows.remove("bob")
    assert follows.circle() == ("ann",)


def test_follow_lists_have_limits() -> None:
    """Players cannot follow themselves."""
    with pytest.raises(BadSetting, match="yourself"):
        FollowList("ann").add("ann")
    full = FollowList("ann", map(str, range(MOST_FOLLOWED)))
    full.add("3")
    with pytest.raises(BadSetting, match="at most"):
        full.add("one more")


def won(**values: object) -> Record:
    """Return the record of a won game."""
    game = Game.from_board(Board.parse("*100\n1100\n0000"))
    for cell in ((2, 3), (0, 1), (1, 0)):
        if not game.over:
            game.open(cell)
    assert game.status == "won"
    record = Record.of_game(game, 1_700_000_000_000, time_ms=1_500)
    return replace(record, **values)


def test_only_unhelped_wins_of_people_count() -> None:
    """Games must be played here, with the usual settings of their rules."""
    found = entry_of(won(), "ann")
    assert found is not None
    assert (found.board, found.time_ms) == ("classic 4x3:1", 1_500)
    for values in ({"helped": "hint"}, {"bot": "exact"}, {"won": False}, {"time_ms": 0}):
        assert entry_of(won(**values), "ann") is None
    assert entry_of(won(variant="win=flags"), "ann") is None
    assert entry_of(won(moves={"clicks": []}), "ann") is None


def test_a_daily_board_has_a_leaderboard_for_its_day() -> None:
    """Only games on the daily board are listed."""
    day = date(2026, 11, 22)
    assert entry_of(won(), "ann", day=day) is None
    found = entry_of(won(variant="daily"), "ann", day=day)
    assert found is not None
    assert found.board == board_name("4x3:1", "classic", day) == "daily 2026-11-22"
