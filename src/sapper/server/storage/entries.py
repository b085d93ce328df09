"""Leaderboards: the won games that count, and the best one of each player."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple

from sapper.community import Entry, Measure, Period, Ranked, entry_of, leaderboard
from sapper.database.connection import Connection
from sapper.history import Record
from sapper.server.storage.bans import NOT_BANNED
from sapper.server.storage.clocked import Clocked
from sapper.server.storage.day_results import DayResult
from sapper.server.storage.pages import PAGE_ROWS, first_row, limited_to

__all__ = [
    "LINK_BYTES",
    "PUBLIC",
    "Board",
    "Entries",
    "Row",
    "entries_in",
    "forget_erased",
    "insert_entries",
    "is_todays",
    "prune_bests",
    "rebuild",
]

LINK_BYTES: Final = 16
"""Number of random bytes in the id of a public page, so that nobody can guess it."""

PUBLIC: Final = """
EXISTS (SELECT 1 FROM public_games WHERE player = games.owner AND game = games.key)
OR EXISTS (SELECT 1 FROM bests WHERE player = games.owner AND period = 'all' AND game = games.key)
"""
"""The SQL condition of games that others can watch."""

_Key = tuple[str, str, Measure]
"""The name of a board, the stored name of the period, and the measure."""

_ENTRY: Final = (
    "entries.player, entries.game, entries.board, entries.finished_ms, time_ms, bbbv, clicks"
)
_DAILY: Final = "daily "
_INSERT: Final = (
    "INSERT INTO entries (player, game, board, finished_ms, time_ms, bbbv, clicks, link) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
# A guest has no place; a second attempt at a daily board has no entry, and one that began as a
# guest has no place.
_RANK: Final = """
INSERT INTO bests (board, period, measure, player, value, finished_ms, game)
SELECT ?, ?, ?, ?, ?, ?, ?
WHERE EXISTS (SELECT 1 FROM accounts WHERE player = ?)
AND EXISTS (SELECT 1 FROM entries WHERE player = ? AND game = ? AND withdrawn IS NULL)
AND NOT EXISTS (SELECT 1 FROM daily_starts WHERE session = ? AND day = ? AND named = 0)
ON CONFLICT (board, period, measure, player) DO UPDATE SET
    value = excluded.value, finished_ms = excluded.finished_ms, game = excluded.game
WHERE (excluded.value, excluded.finished_ms, excluded.game)
    < (bests.value, bests.finished_ms, bests.game)
"""
_IN_ORDER: Final = f"""
SELECT {_ENTRY}, link, name, coalesce(private, 0)
FROM bests
JOIN accounts ON accounts.player = bests.player
JOIN entries ON entries.player = bests.player AND entries.game = bests.game
LEFT JOIN profiles ON profiles.player = bests.player
WHERE bests.board = ? AND bests.period = ? AND bests.measure = ? AND {NOT_BANNED}
"""
_BEFORE: Final = f"""
SELECT count(*), coalesce(sum(CASE WHEN value < ? THEN 1 ELSE 0 END), 0)
FROM bests JOIN accounts ON accounts.player = bests.player
WHERE bests.board = ? AND bests.period = ? AND bests.measure = ? AND {NOT_BANNED}
AND (value, bests.finished_ms, bests.game) < (?, ?, ?)
"""


class Row(NamedTuple):
    """A row of a leaderboard.

    Attributes:
        place: The place; equal values share one.
        entry: The entry.
        name: The name of the player.
        link: The id of the game's public page.
        private: Whether the player's profile is private.
    """

    place: int
    entry: Entry
    name: str
    link: str
    private: bool


class Board(NamedTuple):
    """A leaderboard.

    Attributes:
        rows: At most `PAGE_ROWS` rows, best first.
        own: The row of the player who asked, or None.
        players: Number of players on it.
        start: The number of the first row, from 1.
    """

    rows: list[Row]
    own: Row | None
    players: int
    start: int


class Entries(Clocked):
    """The leaderboards of a database. Thread-safe.

    Args:
        database: A database with these tables.
        clock: Seconds since 1970.
    """

    def board(
        self,
        board: str,
        measure: Measure,
        period: Period = Period.ALL,
        *,
        player: str = "",
        among: Sequence[str] | None = None,
        start: int | None = 1,
    ) -> Board:
        """Return a page of a leaderboard of the current period.

        Args:
            board: Its name; see `sapper.community.board_name`.
            measure: The figure to compare.
            period: The period; daily boards have only `Period.ALL`.
            player: The player who asks, or an empty string.
            among: Only these players (default: all).
            start: The number of the first row, from 1; None for the page around the player's row.
        """
        now = self._now_ms()
        key = board, _period(period, now), measure
        only, those = limited_to("bests.player", among)
        with self._database.reading() as db:
            own, before = self._own(db, key, now, player, only, those)
            first = first_row(start, before + 1)
            found = db.execute(
                f"{_IN_ORDER}{only} ORDER BY value, bests.finished_ms, bests.game LIMIT ? OFFSET ?",
                (*key, now, *those, PAGE_ROWS, first - 1),
            ).fetchall()
            rows = _rows(found, measure)
            if rows and first > 1:
                _, better = _before(db, rows[0].entry, key, now, only, those)
                rows = [
                    row._replace(place=better + 1 if row.place == 1 else first - 1 + row.place)
                    for row in rows
                ]
            [players] = db.execute(
                f"SELECT count(*) FROM bests WHERE board = ? AND period = ? AND measure = ?{only}",
                (*key, *those),
            ).fetchone()
        return Board(rows, own, players, first)

    def _own(
        self, db: Connection, key: _Key, now: int, player: str, only: str, those: tuple[str, ...]
    ) -> tuple[Row | None, int]:
        """Return the row of a player, or None, and the number of rows before it."""
        found = db.execute(f"{_IN_ORDER} AND bests.player = ?", (*key, now, player)).fetchall()
        if not found:
            return None, 0
        [row] = _rows(found, key[2])
        before, better = _before(db, row.entry, key, now, only, those)
        return row._replace(place=better + 1), before

    def bests_of(self, player: str) -> list[tuple[str, Measure, Entry, str]]:
        """Return a player's best entries of all time: the board, measure, entry and link."""
        with self._database.reading() as db:
            rows = db.execute(
                f"SELECT bests.measure, {_ENTRY}, link FROM bests JOIN entries "
                "ON entries.player = bests.player AND entries.game = bests.game "
                "WHERE bests.player = ? AND period = 'all' AND substr(bests.board, 1, 6) <> ? "
                "ORDER BY bests.board, bests.measure",
                (player, _DAILY),
            ).fetchall()
        return [(row[3], Measure(row[0]), Entry(*row[1:-1]), row[-1]) for row in rows]

    def boards(self) -> list[str]:
        """Return the names of all leaderboards with entries, without daily boards."""
        # A loose index scan, because each board may have many rows.
        names: list[str] = []
        with self._database.reading() as db:
            name = ""
            while True:
                row = db.execute(
                    "SELECT board FROM bests WHERE board > ? "
                    "AND NOT (board >= 'daily ' AND board < 'daily!') ORDER BY board LIMIT 1",
                    (name,),
                ).fetchone()
                if row is None:
                    return names
                name = row[0]
                names.append(name)

    # Withdrawn entries.

    def withdraw(self, link: str, reason: str) -> bool:
        """Withdraw an entry, given by its link; return whether there is one that counted."""
        return self._set_withdrawn(link, reason)

    def restore(self, link: str) -> bool:
        """Restore a withdrawn entry; return whether there is one."""
        return self._set_withdrawn(link, None)

    def owner(self, link: str) -> tuple[str, str]:
        """Return the id and the name of the account of an entry; empty texts if there is none."""
        with self._database.reading() as db:
            row = db.execute(
                "SELECT accounts.id, name FROM entries JOIN accounts USING (player) WHERE link = ?",
                (link,),
            ).fetchone()
        return ("", "") if row is None else (row[0], row[1])

    def _set_withdrawn(self, link: str, reason: str | None) -> bool:
        with self._database.writing() as db:
            state = "IS NULL" if reason is not None else "IS NOT NULL"
            row = db.execute(
                f"UPDATE entries SET withdrawn = ? WHERE link = ? AND withdrawn {state} "
                "RETURNING player",
                (reason, link),
            ).fetchone()
            if row is not None:
                rebuild(db, row[0])
        return row is not None


def entries_in(player: str, games: Iterable[Record], dailies: Iterable[DayResult]) -> list[Entry]:
    """Return the entries among games that have just been finished and timed by this server.

    Args:
        player: The session id.
        games: The games.
        dailies: The daily board results that were finished with them.
    """
    days = [result.day for result in dailies if result.won and result.helped is None]
    entries = []
    for record in games:
        day = date.fromisoformat(days[0]) if days and record.variant == "daily" else None
        entry = entry_of(record, player, day=day)
        if entry is not None:
            entries.append(entry)
            if day is not None:
                days.pop(0)
    return entries


def insert_entries(db: Connection, entries: Sequence[Entry]) -> None:
    """Add new entries in the current transaction."""
    if entries:
        db.executemany(
            _INSERT, [(*_columns(one), secrets.token_urlsafe(LINK_BYTES)) for one in entries]
        )
        _rank(db, entries)


def rebuild(db: Connection, player: str) -> None:
    """Compute the best entries of a player again, in the current transaction."""
    db.execute("DELETE FROM bests WHERE player = ?", (player,))
    rows = db.execute(
        f"SELECT {_ENTRY} FROM entries WHERE player = ? AND withdrawn IS NULL", (player,)
    ).fetchall()
    _rank(db, [Entry(*row) for row in rows])


def forget_erased(db: Connection, player: str) -> None:
    """Delete entries and public games whose games are no longer in the history."""
    gone = "NOT EXISTS (SELECT 1 FROM games WHERE owner = {0}.player AND games.key = {0}.game)"
    for table in ("entries", "public_games"):
        db.execute(f"DELETE FROM {table} WHERE player = ? AND {gone.format(table)}", (player,))
    rebuild(db, player)


def prune_bests(db: Connection, now_ms: int) -> None:
    """Delete the best entries of earlier months and their days, which no leaderboard shows."""
    month = _period(Period.MONTH, now_ms)
    # The text of a day is greater than that of its month, and "all" greater than any.
    db.execute("DELETE FROM bests WHERE period < ?", (month,))


def is_todays(board: str, now_ms: int) -> bool:
    """Return whether a board is the daily board of the current day."""
    return board == f"{_DAILY}{_period(Period.DAY, now_ms)}"


def _before(
    db: Connection, entry: Entry, key: _Key, now: int, only: str, those: tuple[str, ...]
) -> tuple[int, int]:
    """Return how many rows come before an entry's, and how many of them have a better value."""
    value = _value(entry, key[2])
    before, better = db.execute(
        f"{_BEFORE}{only}",
        (value, *key, now, value, entry.finished_ms, entry.game, *those),
    ).fetchone()
    return before, better


def _rank(db: Connection, entries: Sequence[Entry]) -> None:
    best: dict[tuple[str, str, Measure, str], Entry] = {}
    for entry in entries:
        for period in _periods(entry):
            for measure in Measure:
                key = entry.board, period, measure, entry.player
                other = best.get(key)
                if other is None or entry.order(measure) < other.order(measure):
                    best[key] = entry
    rows = []
    for key, one in best.items():
        day = one.board.removeprefix(_DAILY) if one.board.startswith(_DAILY) else ""
        figures = _value(one, key[2]), one.finished_ms, one.game
        rows.append((*key, *figures, one.player, one.player, one.game, one.player, day))
    if rows:
        db.executemany(_RANK, rows)


def _periods(entry: Entry) -> list[str]:
    if entry.board.startswith(_DAILY):
        return [_period(Period.ALL, 0)]
    return [_period(period, entry.finished_ms) for period in Period]


def _period(period: Period, ms: int) -> str:
    """Return the stored name of the period that contains a time."""
    if period is Period.ALL:
        return "all"
    day = datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()
    return day if period is Period.DAY else day[:7]


def _value(entry: Entry, measure: Measure) -> float:
    """Return a number that orders entries, lowest first."""
    value = float(entry.value(measure))
    return value if measure is Measure.TIME else -value


def _columns(entry: Entry) -> tuple[Any, ...]:
    figures = entry.finished_ms, entry.time_ms, entry.bbbv, entry.clicks
    return entry.player, entry.game, entry.board, *figures


def _rows(found: list[tuple[Any, ...]], measure: Measure) -> list[Row]:
    """Return the rows in exact order, with places from 1."""
    details = {row[1]: row[7:] for row in found}
    ranked: list[Ranked] = leaderboard([Entry(*row[:7]) for row in found], measure, (0, 2**63))
    rows = []
    for place, entry in ((one.place, one.entry) for one in ranked):
        link, name, private = details[entry.game]
        rows.append(Row(place, entry, name, link, bool(private)))
    return rows
