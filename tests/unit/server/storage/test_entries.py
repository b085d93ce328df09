"""Leaderboards on both databases: places, periods, withdrawn entries, and names."""

from __future__ import annotations

from random import Random

import pytest

from sapper.community import Entry, Measure, Period, leaderboard
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import Account, NewPasskey
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.database import Database
from sapper.server.storage.entries import Entries, insert_entries, prune_bests
from sapper.server.storage.people import People

_BOARD = "classic expert"
_NOON = 1_700_049_600_000
"""2023-11-15 12:00 UTC."""
_DAY_MS = 86_400_000


@pytest.fixture
def entries(database: Database) -> Entries:
    """Leaderboards as of noon."""
    return Entries(database, lambda: _NOON / 1000)


def claim(database: Database, player: str, name: str) -> Account:
    """Give a session a name."""
    passkey = NewPasskey(name.encode(), b"key", 0, ())
    looks = Name(name, frozenset({name}))
    return Accounts(database).claim(
        f"id of {name}", player, looks, passkey, [], f"login {name}", "", (name, 0)
    )


def add(database: Database, *entries: Entry) -> None:
    """Add entries."""
    with database.writing() as db:
        insert_entries(db, entries)


def entry(
    player: str, game: str, time_ms: int = 60_000, at: int = _NOON, bbbv: int = 150,
    clicks: int = 200, board: str = _BOARD,
) -> Entry:  # fmt: skip
    """Return an entry."""
    return Entry(player, game, board, at, time_ms, bbbv, clicks)


def places(
    entries: Entries, measure: Measure = Measure.TIME, period: Period = Period.ALL
) -> list[tuple[int, str, str]]:
    """Return the places, names and games of a leaderboard."""
    board = entries.board(_BOARD, measure, period)
    return [(row.place, row.name, row.entry.game) for row in board.rows]


def test_each_player_has_one_place_with_the_best_game(database: Database, entries: Entries) -> None:
    """Equal times share a place, the earlier game first, and the next place stays empty."""
    for name in ("Ann", "Bert", "Cleo", "Dora"):
        claim(database, name.lower(), name)
    add(database, entry("ann", "a1", 50_000), entry("ann", "a2", 48_000))
    add(database, entry("bert", "b1", 48_000, _NOON - 5), entry("cleo", "c1", 49_000))
    add(database, entry("dora", "d1", 47_000))
    assert places(entries) == [
        (1, "Dora", "d1"),
        (2, "Bert", "b1"),
        (2, "Ann", "a2"),
        (4, "Cleo", "c1"),
    ]


def test_guests_appear_once_they_have_claimed_a_name(database: Database, entries: Entries) -> None:
    """A guest's earlier wins count once the guest claims a name."""
    add(database, entry("ann", "a1"))
    assert places(entries) == []
    claim(database, "ann", "Ann")
    assert places(entries) == [(1, "Ann", "a1")]


def test_periods_are_those_of_utc(database: Database, entries: Entries) -> None:
    """A game won yesterday counts this month, one won last month only for all time."""
    claim(database, "ann", "Ann")
    add(database, entry("ann", "old", 40_000, _NOON - 20 * _DAY_MS))
    add(database, entry("ann", "late", 45_000, _NOON - _DAY_MS // 2 - 1))
    add(database, entry("ann", "new", 50_000, _NOON - _DAY_MS // 2))
    for period, game in ((Period.DAY, "new"), (Period.MONTH, "late"), (Period.ALL, "old")):
        assert places(entries, period=period) == [(1, "Ann", game)]
    with database.writing() as db:
        prune_bests(db, _NOON)
        [rows] = db.execute("SELECT count(*) FROM bests").fetchone()
    # For each measure: all time, this month, and two of its days.
    assert rows == 3 * 4


def test_next_best_game_counts_while_one_is_withdrawn(database: Database, entries: Entries) -> None:
    """Withdrawing and restoring an entry changes the leaderboards of all periods."""
    claim(database, "ann", "Ann")
    add(database, entry("ann", "a1", 40_000), entry("ann", "a2", 45_000))
    link = entries.board(_BOARD, Measure.TIME).rows[0].link
    assert entries.withdraw(link, "played by a bot")
    assert not entries.withdraw(link, "played by a bot")
    for period in Period:
        assert places(entries, period=period) == [(1, "Ann", "a2")]
    assert entries.restore(link)
    assert not entries.restore(link)
    assert places(entries) == [(1, "Ann", "a1")]
    assert not entries.withdraw("unknown", "")


def test_player_below_the_listed_ones_sees_the_own_place(
    database: Database, entries: Entries
) -> None:
    """The place counts everyone, although only a hundred rows are listed."""
    rng = Random(1)
    for number in range(103):
        claim(database, f"p{number}", f"Player{number}")
        add(database, entry(f"p{number}", f"g{number}", rng.choice([30_000, 40_000]) + number))
    add(database, entry("p7", "slow", 90_000))
    claim(database, "last", "Last")
    add(database, entry("last", "l", 80_000))
    board = entries.board(_BOARD, Measure.TIME, player="last")
    assert len(board.rows) == 100
    assert board.players == 104
    assert board.own is not None
    assert (board.own.place, board.own.name) == (104, "Last")
    first = board.rows[0].entry.player
    own = entries.board(_BOARD, Measure.TIME, player=first).own
    assert own == board.rows[0]
    among = entries.board(_BOARD, Measure.TIME, player="last", among=["last", "p3", "nobody"])
    assert [(row.place, row.name) for row in among.rows] == [(1, "Player3"), (2, "Last")]


def test_places_go_on_over_the_pages(database: Database, entries: Entries) -> None:
    """Ties share a place across pages, and the page around a player has their row in the middle."""
    rng = Random(2)
    times = [30_000 + 10 * rng.randrange(90) for _ in range(230)]
    for number, time_ms in enumerate(times):
        claim(database, f"p{number}", f"Player{number}")
        add(database, entry(f"p{number}", f"g{number}", time_ms, _NOON + number))
    order = sorted(range(230), key=lambda number: (times[number], number))
    expected = [
        (1 + sum(other < times[number] for other in times), f"g{number}") for number in order
    ]
    found: list[tuple[int, str]] = []
    for start in (1, 101, 201, 301):
        board = entries.board(_BOARD, Measure.TIME, start=start)
        assert (board.start, board.players) == (start, 230)
        found += [(row.place, row.entry.game) for row in board.rows]
    assert found == expected
    middle = order[150]
    around = entries.board(_BOARD, Measure.TIME, player=f"p{middle}", start=None)
    assert around.own == around.rows[50]
    assert [(row.place, row.entry.game) for row in around.rows] == expected[100:200]
    first = entries.board(_BOARD, Measure.TIME, player=f"p{order[3]}", start=None)
    assert (first.start, first.rows[3]) == (1, first.own)
    assert entries.board(_BOARD, Measure.TIME, player="nobody", start=None).start == 1


def test_a_daily_board_has_one_entry_per_player(database: Database, entries: Entries) -> None:
    """Only the first attempt counts, even if another window has finished a later one."""
    claim(database, "ann", "Ann")
    day = "daily 2023-11-15"
    add(database, entry("ann", "first", 90_000, board=day))
    add(database, entry("ann", "second", 80_000, board=day))
    rows = entries.board(day, Measure.TIME).rows
    assert [row.entry.game for row in rows] == ["first"]
    assert entries.boards() == []


def test_banned_and_deleted_players_are_on_no_leaderboard(
    database: Database, entries: Entries
) -> None:
    """The entries of banned players return when the ban ends."""
    ann, bert = claim(database, "ann", "Ann"), claim(database, "bert", "Bert")
    add(database, entry("ann", "a1"), entry("bert", "b1", 70_000))
    people = People(database)
    people.ban(people.find(ann.id), "cheating", None)
    assert places(entries) == [(1, "Bert", "b1")]
    people.unban(people.find(ann.id))
    assert len(places(entries)) == 2
    Accounts(database).delete(bert)
    assert places(entries) == [(1, "Ann", "a1")]


def test_leaderboards_agree_with_the_rules_of_the_community_package(
    database: Database, entries: Entries
) -> None:
    """The stored bests give the same order and places as `leaderboard` on all entries."""
    rng = Random(2)
    made = []
    for number in range(120):
        player = f"p{number % 9}"
        at = _NOON - rng.choice([0, 1, 2, _DAY_MS, 30 * _DAY_MS])
        figures = rng.randrange(20, 24) * 1_000, at, rng.choice([60, 120]), rng.randrange(60, 64)
        made.append(entry(player, f"g{number:03}", *figures))
    for number in range(5):
        claim(database, f"p{number}", f"Player{number}")
    add(database, *made[:50])
    for number in range(5, 9):
        claim(database, f"p{number}", f"Player{number}")
    add(database, *made[50:])
    for measure in Measure:
        for period in Period:
            wanted = leaderboard(made, measure, period.bounds(_NOON))
            found = entries.board(_BOARD, measure, period).rows
            assert [(row.place, row.entry) for row in found] == [
                (one.place, one.entry) for one in wanted
            ]
